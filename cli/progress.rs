//! What goes to stderr beside the results.

use std::fmt::Display;
use std::io::Write as _;

/// Writes one line to stderr. Nobody has to be there to read it.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
