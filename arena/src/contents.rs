//! [`contents_of`]: what stands in the files of a player, in a few characters.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The CRC-32C of those of `files` that can be read, as hexadecimal digits with spaces between them.
pub(crate) fn contents_of(files: impl IntoIterator<Item = PathBuf>) -> String {
    let sums = files.into_iter().filter_map(|file| sum(&file).ok());
    sums.map(|sum| format!("{sum:08x}")).collect::<Vec<_>>().join(" ")
}

fn sum(file: &Path) -> std::io::Result<u32> {
    let mut reader = BufReader::with_capacity(1 << 20, File::open(file)?);
    let mut sum = 0;
    loop {
        let bytes = reader.fill_buf()?;
        if bytes.is_empty() {
            return Ok(sum);
        }
        sum = crc32c::crc32c_append(sum, bytes);
        let read = bytes.len();
        reader.consume(read);
    }
}

/// The files that a command names: its program, where the shell would find it, and those among its
/// arguments, such as a script or a network.
pub(crate) fn files_of(command: &[String]) -> impl Iterator<Item = PathBuf> {
    let program = command.first().and_then(|program| which::which(program).ok());
    let arguments = command.iter().skip(1).map(PathBuf::from);
    program.into_iter().chain(arguments.filter(|path| path.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_content_has_another_sum() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        std::fs::write(&one, "123456789").unwrap();
        // The check value of the algorithm's published parameters.
        assert_eq!(contents_of([one.clone()]), "e3069283");
        assert_eq!(contents_of([other.clone()]), "");
        std::fs::write(&other, vec![7; 3 << 20]).unwrap();
        let before = contents_of([one.clone(), other.clone()]);
        assert_eq!(before.len(), 17);
        std::fs::write(&other, vec![8; 3 << 20]).unwrap();
        assert_ne!(contents_of([one, other]), before);
    }

    #[test]
    fn a_command_names_its_program_and_files() {
        let folder = tempfile::tempdir().unwrap();
        let net = folder.path().join("net");
        std::fs::write(&net, "weights").unwrap();
        let words = ["sh", "--net", net.to_str().unwrap(), "no such file"].map(str::to_owned);
        let files: Vec<_> = files_of(&words).collect();
        assert_eq!(files.len(), 2, "{files:?}");
        assert!(files[0].is_absolute() && files[0].ends_with("sh"));
        assert_eq!(files[1], net);
        assert_eq!(files_of(&["/no/such/engine".to_owned()]).count(), 0);
    }
}
