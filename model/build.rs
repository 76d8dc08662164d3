//! Links libtorch into the programs and tests of a package, and tells the code its version: the build
//! script of every package that depends on tch. Link arguments of torch-sys do not travel to its
//! dependents, so each of them names torch-sys as a direct dependency and passes its own.

use std::path::Path;

fn main() {
    let lib = std::env::var("DEP_TCH_LIBTORCH_LIB")
        .expect("torch-sys, a direct dependency, names the folder of libtorch");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{lib}");
    // Nothing calls into libtorch.so itself; it is what loads the CUDA half where there is one.
    println!("cargo::rustc-link-arg=-Wl,--no-as-needed");
    println!("cargo::rustc-link-arg=-ltorch");
    println!("cargo::rustc-link-arg=-Wl,--as-needed");

    let header = Path::new(&lib).join("../include/torch/headeronly/version.h");
    println!("cargo::rerun-if-changed={}", header.display());
    println!("cargo::rustc-env=TORCH_VERSION={}", torch_version(&header));
}

/// The version of libtorch that torch-sys was compiled against.
fn torch_version(header: &Path) -> String {
    let text = std::fs::read_to_string(header)
        .unwrap_or_else(|error| panic!("{}: {error}", header.display()));
    text.split_once("#define TORCH_VERSION ")
        .and_then(|(_, rest)| rest.split('"').nth(1))
        .unwrap_or_else(|| panic!("{}: no text defined as TORCH_VERSION", header.display()))
        .to_owned()
}
