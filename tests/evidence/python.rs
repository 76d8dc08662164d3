//! Packages of Python, for programs to compare with.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python that has `module`, in an environment of its own which is made once; `release` is what
/// pip installs for it.
pub(crate) fn python_with(module: &str, release: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(module);
    let python = folder.join("bin/python");
    let works = || {
        let asked = Command::new(&python).args(["-c", &format!("import {module}")]).output();
        asked.is_ok_and(|output| output.status.success())
    };
    if !works() {
        println!("installing {release}");
        Command::new("python3").args(["-m", "venv"]).arg(&folder).output().ok()?;
        let pip = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet", release];
        Command::new(&python).args(pip).output().ok()?;
    }
    works().then_some(python)
}
