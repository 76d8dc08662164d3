//! [`file_name`]: names of matches and players as names of files.

/// Most characters of a name. File systems take 255 bytes, and something may be put before or behind.
const LONGEST: usize = 200;

/// `text` with a hyphen for every character that is not safe in the name of a file everywhere. One
/// that is too long is cut and ends in its checksum.
#[must_use]
pub fn file_name(text: &str) -> String {
    let safe = text.replace(|c: char| !(c.is_ascii_alphanumeric() || "-_.@".contains(c)), "-");
    if safe.len() <= LONGEST {
        return safe;
    }
    let sum = format!("_{:08x}", crc32c::crc32c(text.as_bytes()));
    // Only ASCII is left.
    format!("{}{sum}", &safe[..LONGEST - sum.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_short_and_different() {
        assert_eq!(file_name("net:runs/a b@64_ö"), "net-runs-a-b@64_-");
        let long = "net:/a/long/path/".repeat(20);
        let [one, other] = ["1", "2"].map(|last| file_name(&format!("{long}{last}")));
        assert_eq!((one.len(), other.len()), (LONGEST, LONGEST));
        assert_ne!(one, other);
    }
}
