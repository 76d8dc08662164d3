//! JSON with its own checksum: a changed digit is told from a number.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What stands before the checksum and behind it, on one line and on many.
const SEALS: [[&[u8]; 2]; 2] =
    [[br#","crc32c":""#, br#""}"#], [b",\n  \"crc32c\": \"", b"\"\n}\n"]];
/// Hexadecimal digits of the checksum.
const DIGITS: usize = 8;

/// `value`, which has entries, as one line of JSON. Its last entry is the CRC-32C of all that stands
/// before that.
#[must_use]
pub fn to_line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("what is saved is plain data");
    let brace = line.pop();
    debug_assert_eq!(brace, Some(b'}'), "what is saved has named entries");
    sealed(&line, SEALS[0])
}

/// The same on many lines, for people to read as well.
#[must_use]
pub fn to_lines(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("what is saved is plain data");
    let end = text.split_off(text.len().saturating_sub(2));
    debug_assert_eq!(end, b"\n}", "what is saved has named entries");
    sealed(&text, SEALS[1])
}

fn sealed(content: &[u8], [mark, end]: [&[u8]; 2]) -> Vec<u8> {
    let sum = format!("{:08x}", crc32c::crc32c(content));
    [content, mark, sum.as_bytes(), end].concat()
}

/// What [`to_line`] or [`to_lines`] has written. What has no checksum, as older versions wrote it, is
/// taken as it is.
///
/// # Errors
/// If it is damaged: what is wrong with it.
pub fn read_checked<T: DeserializeOwned>(json: &[u8]) -> Result<T, String> {
    let value = match SEALS.iter().find_map(|&seal| split(json, seal)) {
        Some((content, sum)) => {
            if format!("{:08x}", crc32c::crc32c(content)).as_bytes() != sum {
                return Err("damaged: its contents do not match its checksum".to_owned());
            }
            serde_json::from_slice(&[content, b"}"].concat())
        }
        None => serde_json::from_slice(json),
    };
    value.map_err(|error| error.to_string())
}

/// What is summed up, and the checksum.
fn split<'j>(json: &'j [u8], [mark, end]: [&[u8]; 2]) -> Option<(&'j [u8], &'j [u8])> {
    let json = json.strip_suffix(end)?;
    let (rest, sum) = json.split_at_checked(json.len().checked_sub(DIGITS)?)?;
    Some((rest.strip_suffix(mark)?, sum))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Numbers = BTreeMap<String, f64>;

    #[test]
    fn no_changed_byte_and_no_cut_goes_by_as_another_number() {
        let numbers: Numbers = [("rows".to_owned(), 1234.5), ("games".to_owned(), 17.0)].into();
        for text in [to_line(&numbers), to_lines(&numbers)] {
            assert_eq!(read_checked::<Numbers>(&text).unwrap(), numbers);
            let plain: serde_json::Value = serde_json::from_slice(&text).unwrap();
            assert_eq!(plain["rows"], 1234.5, "any reader understands it");
            for place in 0..text.len() {
                for bit in 0..8 {
                    let mut damaged = text.clone();
                    damaged[place] ^= 1 << bit;
                    // Only the checksum's own name and the spaces around may change and do no harm.
                    if let Ok(read) = read_checked::<BTreeMap<String, serde_json::Value>>(&damaged)
                    {
                        assert!(read["rows"] == 1234.5 && read["games"] == 17.0, "{read:?}");
                    }
                }
                let cut = read_checked::<Numbers>(&text[..place]);
                // All of it but the line break at the end is still all of it.
                assert!(cut.is_err() || place + 1 == text.len(), "{place}");
            }
        }
        assert_eq!(read_checked::<Numbers>(b"{\"rows\":3}").unwrap()["rows"], 3.0);
    }
}
