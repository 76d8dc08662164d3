//! [`EventFile`]: a run's figures in the form that TensorBoard reads.
//!
//! An event file is a row of records: the length of the data (8 bytes, the lowest first), the masked
//! CRC-32C of those, the data, the masked CRC-32C of the data. The data of a record is one `Event`
//! as `tensorflow/core/util/event.proto` declares it; the messages here are what is needed of it.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use prost::Message;
use serde_json::Value;

/// What the first event of each file says.
const VERSION: &str = "brain.Event:2";

/// Bytes of a record before its data, and behind it.
const HEAD: usize = 12;
const TAIL: usize = 4;

#[derive(Clone, PartialEq, Message)]
struct Event {
    /// Seconds since 1970.
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(string, optional, tag = "3")]
    file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
}

#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<Tagged>,
}

#[derive(Clone, PartialEq, Message)]
struct Tagged {
    #[prost(string, tag = "1")]
    tag: String,
    /// Part of a `oneof` in the declaration, so that 0 is written too.
    #[prost(float, optional, tag = "2")]
    simple_value: Option<f32>,
}

/// One figure at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// Its name; what is before a `/` is a group.
    pub tag: String,
    /// The generation: the one reported, or that of the checkpoint rated.
    pub step: i64,
    /// When it was measured, in seconds since 1970.
    pub wall_time: f64,
    /// The figure.
    pub value: f32,
}

/// An event file that grows by one event a generation.
///
/// It holds nothing that `metrics.jsonl` and `ladder.json` do not: whoever opens it adds all of those
/// again, and what is there already is left out. So a file that was cut short or damaged heals, and
/// no figure is there twice.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: File,
    /// Bytes of whole records.
    end: u64,
    /// Bytes behind them that were cut off when the file was opened.
    cut: u64,
    /// The last step of each tag.
    newest: HashMap<String, i64>,
}

impl EventFile {
    /// Opens the file at `path`, or makes it and its folder. Whatever follows the last whole record,
    /// or a damaged one, is cut off.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let file = File::options().read(true).append(true).create(true).open(path)?;
        let bytes = std::fs::read(path)?;
        let mut newest = HashMap::new();
        let mut records = Records::of(&bytes);
        for event in records.by_ref() {
            for scalar in scalars_of(event) {
                newest.insert(scalar.tag, scalar.step);
            }
        }
        let end = records.whole() as u64;
        file.set_len(end)?;
        let cut = bytes.len() as u64 - end;
        let mut events = Self { path: path.to_owned(), file, end, cut, newest };
        if end == 0 {
            let file_version = Some(VERSION.to_owned());
            events.append(&Event { file_version, ..Event::default() })?;
        }
        Ok(events)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes that were not whole and have been cut off.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Adds those of `scalars` that have no value at `step` or later, as one event. Numbers are kept
    /// with 24 bits.
    ///
    /// # Errors
    /// If the file cannot be written; it then ends where it ended before, as far as the system lets
    /// it be shortened.
    pub fn add(
        &mut self,
        step: i64,
        wall_time: f64,
        scalars: impl IntoIterator<Item = (String, f64)>,
    ) -> io::Result<()> {
        let is_new = |(tag, _): &(String, f64)| self.newest.get(tag).is_none_or(|&at| at < step);
        let value: Vec<Tagged> = scalars
            .into_iter()
            .filter(is_new)
            .map(|(tag, value)| Tagged { tag, simple_value: Some(value as f32) })
            .collect();
        if value.is_empty() {
            return Ok(());
        }
        let tags: Vec<String> = value.iter().map(|tagged| tagged.tag.clone()).collect();
        let summary = Some(Summary { value });
        self.append(&Event { wall_time, step, file_version: None, summary })?;
        self.newest.extend(tags.into_iter().map(|tag| (tag, step)));
        Ok(())
    }

    fn append(&mut self, event: &Event) -> io::Result<()> {
        let record = record(&event.encode_to_vec());
        if let Err(error) = self.file.write_all(&record) {
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        self.end += record.len() as u64;
        Ok(())
    }
}

/// All figures of the event file at `path`, in its order, up to the first record that is not whole.
///
/// # Errors
/// If the file cannot be read.
pub fn read_events(path: &Path) -> io::Result<Vec<Scalar>> {
    Ok(Records::of(&std::fs::read(path)?).flat_map(scalars_of).collect())
}

/// The numbers in a line of `metrics.jsonl`: those in a table are called `table/key`, the others
/// `run/key`. `generation` and `time` are left out: they are step and time of the event.
pub(crate) fn scalars(line: &Value) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for (key, value) in line.as_object().into_iter().flatten() {
        match value {
            Value::Object(table) => found.extend(
                table.iter().filter_map(|(k, v)| Some((format!("{key}/{k}"), v.as_f64()?))),
            ),
            _ if key == "generation" || key == "time" => {}
            _ => found.extend(value.as_f64().map(|number| (format!("run/{key}"), number))),
        }
    }
    found
}

fn scalars_of(event: Event) -> Vec<Scalar> {
    let Event { wall_time, step, summary, .. } = event;
    let tagged = summary.into_iter().flat_map(|summary| summary.value);
    let scalar = |tagged: Tagged| {
        Some(Scalar { tag: tagged.tag, step, wall_time, value: tagged.simple_value? })
    };
    tagged.filter_map(scalar).collect()
}

/// `data` with its length and checksums.
fn record(data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u64).to_le_bytes();
    let mut record = Vec::with_capacity(HEAD + data.len() + TAIL);
    record.extend(length);
    record.extend(masked(&length).to_le_bytes());
    record.extend(data);
    record.extend(masked(data).to_le_bytes());
    record
}

/// The checksum of the format: turned and moved, so that the checksum of a record that contains
/// checksums is none of those.
fn masked(data: &[u8]) -> u32 {
    crc32c::crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// The whole events at the beginning of some bytes.
struct Records<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Records<'b> {
    fn of(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes of the events so far.
    fn whole(&self) -> usize {
        self.at
    }
}

impl Iterator for Records<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let (length, rest) = self.bytes[self.at..].split_first_chunk::<8>()?;
        let (sum, rest) = rest.split_first_chunk::<4>()?;
        if masked(length) != u32::from_le_bytes(*sum) {
            return None;
        }
        let data = rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let (sum, _) = rest[data.len()..].split_first_chunk::<TAIL>()?;
        if masked(data) != u32::from_le_bytes(*sum) {
            return None;
        }
        let event = Event::decode(data).ok()?;
        self.at += HEAD + data.len() + TAIL;
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(tag: &str, value: f64) -> (String, f64) {
        (tag.to_owned(), value)
    }

    fn all(path: &Path) -> Vec<(String, i64, f32)> {
        let scalars = read_events(path).unwrap();
        scalars.into_iter().map(|s| (s.tag, s.step, s.value)).collect()
    }

    #[test]
    fn a_file_begins_as_the_format_wants() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tensorboard/events");
        drop(EventFile::open(&path).unwrap());
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes[..8], 15_u64.to_le_bytes());
        assert_eq!(&bytes[12..27], b"\x1a\x0dbrain.Event:2");
        // CRC-32C of 32 bytes of zeros, from RFC 3720.
        assert_eq!(crc32c::crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(bytes.len(), 31);
    }

    #[test]
    fn what_was_cut_short_or_damaged_heals_and_nothing_comes_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events");
        let fill = || {
            let mut events = EventFile::open(&path).unwrap();
            for step in 0..4 {
                let scalars = [pair("run/games", 0.0), pair("losses/value", step as f64 / 8.0)];
                events.add(step, 1e9 + step as f64, scalars).unwrap();
            }
        };
        fill();
        let whole = std::fs::read(&path).unwrap();
        let expected = all(&path);
        assert_eq!(expected.len(), 8);
        assert_eq!(expected[7], ("losses/value".to_owned(), 3, 0.375));
        fill();
        assert_eq!(std::fs::read(&path).unwrap(), whole, "nothing comes twice");
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            fill();
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut to {length} bytes");
        }
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            std::fs::write(&path, damaged).unwrap();
            fill();
            assert_eq!(std::fs::read(&path).unwrap(), whole, "byte {place} damaged");
        }
    }

    #[test]
    fn a_figure_that_comes_later_is_added_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events");
        let mut events = EventFile::open(&path).unwrap();
        events.add(0, 0.0, [pair("a", 1.0)]).unwrap();
        events.add(0, 0.0, [pair("a", 2.0), pair("elo", 3.0)]).unwrap();
        assert_eq!(all(&path), [("a".to_owned(), 0, 1.0), ("elo".to_owned(), 0, 3.0)]);
    }

    #[test]
    fn every_number_of_a_line_has_a_name() {
        let line = serde_json::json!({
            "generation": 3, "time": 1e9, "games": 40, "net": "x",
            "losses": {"value": 0.5, "policy": 2.0}, "validation": null,
        });
        let mut found = scalars(&line);
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let expected =
            [pair("losses/policy", 2.0), pair("losses/value", 0.5), pair("run/games", 40.0)];
        assert_eq!(found, expected);
    }
}
