//! Embeds the drivers' sources, so that a Fathom without its checkout can build them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// Driver, folder of its sources below `drivers/`, endings and names that belong to it.
const DRIVERS: [(&str, &str, &[&str]); 8] = [
    ("NATIVE", "native/src", &[".rs", ".template"]),
    ("CPP", "cpp", &[".cpp", ".hpp"]),
    ("GO", "go", &[".go", "go.mod", "go.sum", ".template"]),
    ("JAVA", "java", &[".java"]),
    ("ZIG", "zig", &[".zig", ".template"]),
    ("PYTHON", "python", &[".py"]),
    ("NODE", "node", &[".mjs"]),
    ("MPI", "mpi", &[".c", ".h"]),
];

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../drivers");
    let mut text = String::new();
    for (name, folder, endings) in DRIVERS {
        let folder = root.join(folder).canonicalize()?;
        println!("cargo:rerun-if-changed={}", folder.display());
        let mut files: Vec<_> = fs::read_dir(&folder)?
            .filter_map(Result::ok)
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|file| endings.iter().any(|ending| file.ends_with(ending)) && !file.contains("_test."))
            .collect();
        files.sort();
        writeln!(text, "pub(crate) static {name}: &[(&str, &str)] = &[").expect("a String grows");
        for file in files {
            let path = folder.join(&file);
            println!("cargo:rerun-if-changed={}", path.display());
            writeln!(text, "    ({file:?}, include_str!({:?})),", path.display().to_string())
                .expect("a String grows");
        }
        text.push_str("];\n");
    }
    fs::write(Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("driver_sources.rs"), text)
}
