//! One line of JSON with its own checksum: a changed digit is told from a number.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What stands before the checksum, and behind it.
const MARK: &[u8] = br#","crc32c":""#;
const END: &[u8] = br#""}"#;
/// Hexadecimal digits of the checksum.
const DIGITS: usize = 8;

/// `value`, which has entries, as one line of JSON. Its last entry is the CRC-32C of all that stands
/// before that.
pub(crate) fn to_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("what is saved is plain data");
    let brace = line.pop();
    debug_assert_eq!(brace, Some(b'}'), "what is saved has named entries");
    let sum = format!("{:08x}", crc32c::crc32c(&line));
    line.extend([MARK, sum.as_bytes(), END].concat());
    line
}

/// What [`to_line`] has written. A line without a checksum, as older versions wrote it, is taken as it
/// is.
///
/// # Errors
/// If the line is damaged: what is wrong with it.
pub(crate) fn from_line<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let value = match split(line) {
        Some((content, sum)) => {
            if format!("{:08x}", crc32c::crc32c(content)).as_bytes() != sum {
                return Err("damaged: its contents do not match its checksum".to_owned());
            }
            serde_json::from_slice(&[content, b"}"].concat())
        }
        None => serde_json::from_slice(line),
    };
    value.map_err(|error| error.to_string())
}

/// What is summed up, and the checksum.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(END)?;
    let (rest, sum) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
    Some((rest.strip_suffix(MARK)?, sum))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Numbers = BTreeMap<String, f64>;

    #[test]
    fn no_changed_byte_and_no_cut_goes_by_as_another_number() {
        let numbers: Numbers = [("rows".to_owned(), 1234.5), ("games".to_owned(), 17.0)].into();
        let line = to_line(&numbers);
        assert_eq!(from_line::<Numbers>(&line).unwrap(), numbers);
        let plain: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(plain["rows"], 1234.5, "any reader understands it");
        for place in 0..line.len() {
            for bit in 0..8 {
                let mut damaged = line.clone();
                damaged[place] ^= 1 << bit;
                // Only the checksum's own name may change and do no harm.
                if let Ok(read) = from_line::<BTreeMap<String, serde_json::Value>>(&damaged) {
                    assert!(read["rows"] == 1234.5 && read["games"] == 17.0, "{read:?}");
                }
            }
            assert!(from_line::<Numbers>(&line[..place]).is_err());
        }
        assert_eq!(from_line::<Numbers>(b"{\"rows\":3}").unwrap()["rows"], 3.0);
    }
}
