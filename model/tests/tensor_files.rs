use std::collections::BTreeMap;
use std::path::PathBuf;

use model::{TensorsError, tensors};
use tch::{Kind, Tensor};

fn sample() -> (Vec<(String, Tensor)>, BTreeMap<String, String>) {
    let tensors = vec![
        ("weights".to_owned(), Tensor::from_slice(&[1.5_f32, -2.0, 3.25, 0.0]).view([2, 2])),
        ("steps".to_owned(), Tensor::from_slice(&[7_i64])),
        ("half".to_owned(), Tensor::from_slice(&[1.0_f32, 2.0, 3.0]).to_kind(Kind::BFloat16)),
        ("none".to_owned(), Tensor::from_slice(&[0.0_f32; 0])),
        ("turned".to_owned(), Tensor::from_slice(&[1_i32, 2, 3, 4, 5, 6]).view([2, 3]).tr()),
    ];
    let metadata = BTreeMap::from([
        ("kind".to_owned(), r#"tricky "blake3":"00" text"#.to_owned()),
        ("zero".to_owned(), String::new()),
    ]);
    (tensors, metadata)
}

struct File {
    _folder: tempfile::TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
}

fn written() -> File {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.safetensors");
    let (tensors, metadata) = sample();
    tensors::write(&path, &tensors, &metadata).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    File { _folder: folder, path, bytes }
}

#[test]
fn tensors_of_all_kinds_come_back() {
    let file = written();
    let (mut tensors, metadata) = sample();
    tensors.sort_by(|a, b| a.0.cmp(&b.0));
    let read = tensors::read(&file.path).unwrap();
    assert_eq!(read.metadata, metadata);
    assert_eq!(tensors::read_metadata(&file.path).unwrap(), metadata);
    assert_eq!(read.tensors.len(), tensors.len());
    for ((name, tensor), (expected_name, expected)) in read.tensors.iter().zip(&tensors) {
        assert_eq!(name, expected_name);
        assert_eq!(tensor.kind(), expected.kind());
        assert_eq!(tensor, expected);
    }
}

#[test]
fn other_programs_can_read_it() {
    let file = written();
    let foreign = safetensors::SafeTensors::deserialize(&file.bytes).unwrap();
    assert_eq!(foreign.tensor("weights").unwrap().shape(), [2, 2]);
}

#[test]
fn every_flipped_byte_is_noticed() {
    let file = written();
    for at in 0..file.bytes.len() {
        for mask in [1, 0x20, 0x80] {
            let mut bytes = file.bytes.clone();
            bytes[at] ^= mask;
            std::fs::write(&file.path, &bytes).unwrap();
            assert!(tensors::read(&file.path).is_err(), "byte {at} ^ {mask} goes unnoticed");
            assert!(tensors::read_metadata(&file.path).is_err(), "byte {at} ^ {mask}");
        }
    }
    let mut bytes = file.bytes.clone();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&file.path, &bytes).unwrap();
    let error = tensors::read(&file.path).unwrap_err();
    assert!(matches!(error, TensorsError::Damaged(_)), "{error}");
    let message =
        format!("{} is damaged: its contents do not match its checksum", file.path.display());
    assert_eq!(error.to_string(), message);
}

#[test]
fn every_missing_or_added_byte_is_noticed() {
    let file = written();
    for length in 0..file.bytes.len() {
        std::fs::write(&file.path, &file.bytes[..length]).unwrap();
        match tensors::read(&file.path).unwrap_err() {
            TensorsError::Truncated { found, .. } if length >= 8 => {
                assert_eq!(found, length as u64);
            }
            TensorsError::NotSafetensors(_) if length < 8 => {}
            error => panic!("{length} bytes: {error}"),
        }
    }
    let mut bytes = file.bytes.clone();
    bytes.push(0);
    std::fs::write(&file.path, &bytes).unwrap();
    assert!(matches!(tensors::read(&file.path), Err(TensorsError::Damaged(_))));
}

#[test]
fn something_else_is_not_a_safetensors_file() {
    let file = written();
    for bytes in [&b"PK\x03\x04 some other archive altogether"[..], b"{}", b"", &[0xff; 100]] {
        std::fs::write(&file.path, bytes).unwrap();
        let error = tensors::read(&file.path).unwrap_err().to_string();
        assert!(error.ends_with("is not a safetensors file"), "{error}");
    }
}

#[test]
fn a_foreign_safetensors_file_has_no_checksum() {
    let file = written();
    let data = [0_u8; 4];
    let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![1], &data);
    let bytes = safetensors::serialize([("a", view.unwrap())], None).unwrap();
    std::fs::write(&file.path, bytes).unwrap();
    let error = tensors::read(&file.path).unwrap_err();
    assert!(matches!(error, TensorsError::NoChecksum(_)), "{error}");
}
