//! Standard output that nobody reads, or that cannot be written.

use std::path::Path;

use crate::program::{Ran, begun, ended, program};

/// Runs the program with nobody to read what it prints.
fn unread(args: &[&str]) -> Ran {
    let mut child = begun(Path::new("."), args);
    drop(child.stdout.take());
    ended(child)
}

#[test]
fn a_closed_pipe_ends_the_program_silently() {
    for args in [&["moves", "chess"][..], &["games", "--json"], &["show", "mgc"]] {
        let ran = unread(args);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_the_fault_of_the_machine() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = program(&["moves", "chess"]).stdout(full).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "raja: cannot write the results: No space left on device (os error 28)\n"
    );
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_condition_that_is_not_met_is_told_to_a_closed_pipe_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wrong.jsonl");
    std::fs::write(&file, "25\n").unwrap();
    let ran = unread(&["check-vectors", "chess", file.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
}
