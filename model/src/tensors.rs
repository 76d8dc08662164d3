//! Named tensors in one checksummed `.safetensors` file: what checkpoints and the optimiser's state
//! are made of.
//!
//! The file is a plain safetensors file that any other program reads. Its metadata has one entry of
//! ours, `blake3`: the hash of all bytes of the file, taken with the 64 digits of that entry as zeros.
//! So a flipped byte is noticed wherever it is, the header's padding included.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use safetensors::tensor::TensorInfo;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde::Serialize;
use tch::{Device, Kind, Tensor};
use thiserror::Error;

use crate::files::{WriteError, write_atomically};

/// The metadata entry with the checksum.
const CHECKSUM: &str = "blake3";
/// What stands before the checksum's digits in the file.
const CHECKSUM_MARK: &[u8] = br#""blake3":""#;
/// The length of a blake3 hash in hexadecimal digits.
const DIGITS: usize = 64;
/// The length of the number that a safetensors file begins with.
const LENGTH_BYTES: usize = 8;
/// Longer headers are refused by the format itself.
const LONGEST_HEADER: u64 = 100_000_000;

/// The contents of a tensor file. Tensors are on the CPU, in the order of their names.
#[derive(Debug)]
pub struct NamedTensors {
    /// The tensors with their names.
    pub tensors: Vec<(String, Tensor)>,
    /// The metadata entries, without the checksum.
    pub metadata: BTreeMap<String, String>,
}

/// Why a tensor file cannot be read. Each message is one sentence that names the file.
#[derive(Debug, Error)]
pub enum TensorsError {
    /// The operating system refuses.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Something else altogether.
    #[error("{} is not a safetensors file", .0.display())]
    NotSafetensors(PathBuf),
    /// The end is missing.
    #[error("{} is cut short: its header promises {expected} bytes, the file has {found}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The bytes there should be, as far as known.
        expected: u64,
        /// The bytes there are.
        found: u64,
    },
    /// A safetensors file that another program has written.
    #[error("{} has no {CHECKSUM} entry in its metadata: raja did not write it", .0.display())]
    NoChecksum(PathBuf),
    /// A byte has changed since the file was written.
    #[error("{} is damaged: its contents do not match its checksum", .0.display())]
    Damaged(PathBuf),
    /// Numbers of a format that is not used here.
    #[error("{}: tensor {name} has the unsupported number format {format}", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
        /// The number format, as safetensors calls it.
        format: String,
    },
}

/// Writes `tensors` (on any device, in any layout) and `metadata` to `path`, atomically. Equal contents
/// make equal files.
///
/// # Errors
/// If the file cannot be written.
///
/// # Panics
/// If two tensors share a name, or `metadata` has an entry `blake3`.
pub fn write(
    path: &Path,
    tensors: &[(String, Tensor)],
    metadata: &BTreeMap<String, String>,
) -> Result<(), WriteError> {
    let bytes = serialize(tensors, metadata);
    write_atomically(path, |file| file.write_all(&bytes))
}

/// The bytes of the whole file.
fn serialize(tensors: &[(String, Tensor)], metadata: &BTreeMap<String, String>) -> Vec<u8> {
    assert!(!metadata.contains_key(CHECKSUM), "the checksum is made here");
    let mut sorted: Vec<&(String, Tensor)> = tensors.iter().collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(sorted.windows(2).all(|pair| pair[0].0 != pair[1].0), "names are unique");
    let mut entries = metadata.clone();
    entries.insert(CHECKSUM.to_owned(), "0".repeat(DIGITS));
    let mut header = BTreeMap::from([("__metadata__", json(&entries))]);
    let mut end = 0;
    for (name, tensor) in &sorted {
        let start = end;
        end += tensor.numel() * tensor.kind().elt_size_in_bytes();
        let shape = tensor.size().iter().map(|&n| n as usize).collect();
        let dtype = dtype_of(tensor.kind());
        header.insert(name, json(&TensorInfo { dtype, shape, data_offsets: (start, end) }));
    }
    let mut header = json(&header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(LENGTH_BYTES), b' ');
    let mut bytes = Vec::with_capacity(LENGTH_BYTES + header.len() + end);
    bytes.extend((header.len() as u64).to_le_bytes());
    bytes.extend(header);
    for (_, tensor) in sorted {
        let tensor = tensor.detach().to_device(Device::Cpu).contiguous();
        let length = tensor.numel() * tensor.kind().elt_size_in_bytes();
        let start = bytes.len();
        bytes.resize(start + length, 0);
        if length > 0 {
            tensor.copy_data_u8(&mut bytes[start..], tensor.numel());
        }
    }
    let at = find_checksum(&bytes).expect("the header has a checksum entry");
    let hash = blake3::hash(&bytes).to_hex();
    bytes[at..at + DIGITS].copy_from_slice(hash.as_bytes());
    bytes
}

fn json(value: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(value).expect("names and numbers are plain JSON")
}

/// Reads a file that [`write()`] has made, after checking that every byte is as it was written.
///
/// # Errors
/// If the file is missing, something else, cut short or damaged.
pub fn read(path: &Path) -> Result<NamedTensors, TensorsError> {
    let bytes = load(path)?;
    let metadata = verify(path, &bytes)?;
    let file = SafeTensors::deserialize(&bytes)
        .map_err(|_| TensorsError::NotSafetensors(path.to_owned()))?;
    let mut tensors = Vec::with_capacity(file.len());
    for (name, view) in file.iter() {
        let Some(kind) = kind_of(view.dtype()) else {
            let format = format!("{:?}", view.dtype());
            return Err(TensorsError::Kind {
                path: path.to_owned(),
                name: name.to_owned(),
                format,
            });
        };
        let shape: Vec<i64> = view.shape().iter().map(|&n| n as i64).collect();
        tensors.push((name.to_owned(), Tensor::from_data_size(view.data(), &shape, kind)));
    }
    tensors.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(NamedTensors { tensors, metadata })
}

/// The metadata entries of a file that [`write()`] has made, which is checked whole.
///
/// # Errors
/// As [`read`].
pub fn read_metadata(path: &Path) -> Result<BTreeMap<String, String>, TensorsError> {
    verify(path, &load(path)?)
}

fn load(path: &Path) -> Result<Vec<u8>, TensorsError> {
    fs::read(path).map_err(|source| TensorsError::Read { path: path.to_owned(), source })
}

/// Checks the format and the checksum; the metadata without the checksum.
fn verify(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, String>, TensorsError> {
    let not_safetensors = || TensorsError::NotSafetensors(path.to_owned());
    let damaged = || TensorsError::Damaged(path.to_owned());
    let length: [u8; LENGTH_BYTES] = *bytes.first_chunk().ok_or_else(not_safetensors)?;
    let length = u64::from_le_bytes(length);
    if length > LONGEST_HEADER || bytes.get(LENGTH_BYTES).is_some_and(|&first| first != b'{') {
        return Err(not_safetensors());
    }
    let truncated = |expected| TensorsError::Truncated {
        path: path.to_owned(),
        expected,
        found: bytes.len() as u64,
    };
    let header_end = LENGTH_BYTES as u64 + length;
    if (bytes.len() as u64) < header_end {
        return Err(truncated(header_end));
    }
    let checksum = find_checksum(bytes);
    let header = match SafeTensors::read_metadata(bytes) {
        Ok((_, header)) => header,
        Err(SafeTensorError::MetadataIncompleteBuffer) => {
            let expected = header_end + data_bytes(&bytes[LENGTH_BYTES..header_end as usize]);
            let short = (bytes.len() as u64) < expected;
            return Err(if short { truncated(expected) } else { damaged() });
        }
        Err(_) if checksum.is_some() => return Err(damaged()),
        Err(_) => return Err(not_safetensors()),
    };
    let mut metadata: BTreeMap<String, String> =
        header.metadata().clone().unwrap_or_default().into_iter().collect();
    let (Some(at), Some(expected)) = (checksum, metadata.remove(CHECKSUM)) else {
        return Err(TensorsError::NoChecksum(path.to_owned()));
    };
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..at]).update(&[b'0'; DIGITS]).update(&bytes[at + DIGITS..]);
    if hasher.finalize().to_hex().as_str() != expected {
        return Err(damaged());
    }
    Ok(metadata)
}

/// Where the digits of the checksum are in the file, if its header has one.
fn find_checksum(bytes: &[u8]) -> Option<usize> {
    let length = u64::from_le_bytes(*bytes.first_chunk()?);
    let end = LENGTH_BYTES.checked_add(usize::try_from(length).ok()?)?.min(bytes.len());
    let header = &bytes[LENGTH_BYTES..end];
    let mark = header.windows(CHECKSUM_MARK.len()).position(|window| window == CHECKSUM_MARK)?;
    let at = LENGTH_BYTES + mark + CHECKSUM_MARK.len();
    (at + DIGITS <= bytes.len()).then_some(at)
}

/// The bytes of tensor data that this header promises; 0 if it cannot be read.
fn data_bytes(header: &[u8]) -> u64 {
    let Ok(serde_json::Value::Object(entries)) = serde_json::from_slice(header) else { return 0 };
    let ends = entries.values().filter_map(|entry| entry.get("data_offsets")?.get(1)?.as_u64());
    ends.max().unwrap_or(0)
}

fn dtype_of(kind: Kind) -> Dtype {
    match kind {
        Kind::Float => Dtype::F32,
        Kind::Double => Dtype::F64,
        Kind::Half => Dtype::F16,
        Kind::BFloat16 => Dtype::BF16,
        Kind::Int64 => Dtype::I64,
        Kind::Int => Dtype::I32,
        Kind::Uint8 => Dtype::U8,
        other => panic!("tensors of kind {other:?} are not stored"),
    }
}

fn kind_of(dtype: Dtype) -> Option<Kind> {
    Some(match dtype {
        Dtype::F32 => Kind::Float,
        Dtype::F64 => Kind::Double,
        Dtype::F16 => Kind::Half,
        Dtype::BF16 => Kind::BFloat16,
        Dtype::I64 => Kind::Int64,
        Dtype::I32 => Kind::Int,
        Dtype::U8 => Kind::Uint8,
        _ => return None,
    })
}
