//! Tells the driver which compiler builds it; a build by plain rustc gets the
//! same from the environment.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let Ok(output) = Command::new(compiler).arg("--version").output() else { return };
    let version = String::from_utf8_lossy(&output.stdout);
    println!("cargo::rustc-env=FATHOM_RUSTC_VERSION={}", version.trim());
}
