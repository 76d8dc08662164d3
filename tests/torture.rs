//! Hours of random play and broken input; `make torture` runs them.
