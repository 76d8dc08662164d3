//! The figures that the documents claim, measured again; `make evidence` runs them.
