//! [`file_name`]: names of matches and players as names of files.

/// `text` with a hyphen for every character that is not safe in the name of a file everywhere.
#[must_use]
pub fn file_name(text: &str) -> String {
    text.replace(|c: char| !(c.is_ascii_alphanumeric() || "-_.@".contains(c)), "-")
}
