//! Writes what is known of runtimes in a form that is read faster than TOML.

#![expect(clippy::disallowed_methods, reason = "a program that builds the pure crate")]

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/knowledge.toml");
    let knowledge: toml::Value = toml::from_str(&std::fs::read_to_string("src/knowledge.toml")?)?;
    let directory = std::env::var_os("OUT_DIR").ok_or("cargo names the directory")?;
    std::fs::write(Path::new(&directory).join("knowledge.json"), serde_json::to_string(&knowledge)?)?;
    Ok(())
}
