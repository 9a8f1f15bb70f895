//! Writes the table that the module is compiled with.

use std::path::Path;
use std::{env, fs, io};

use stepfold_exact::Pattern;

fn main() -> io::Result<()> {
    // Cargo looks at the dependencies by itself.
    println!("cargo::rerun-if-changed=build.rs");
    let pattern = if env::var_os("CARGO_FEATURE_CL100K").is_some() { Pattern::Cl100k } else { Pattern::O200k };
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&folder).join("table"), stepfold_exact::write_table(pattern))
}
