//! Each step finds the scratch directory of the step before, removes it and makes its own.

use std::fs;
use std::io::ErrorKind;

fn main() -> std::io::Result<()> {
    let mut replaced = 0;
    for step in 0..10 {
        if let Err(error) = fs::create_dir("scratch") {
            assert_eq!(error.kind(), ErrorKind::AlreadyExists);
            fs::remove_file(format!("scratch/{}", step - 1))?;
            fs::remove_dir("scratch")?;
            fs::create_dir("scratch")?;
            replaced += 1;
        }
        fs::write(format!("scratch/{step}"), "x")?;
    }
    println!("{replaced} replaced");
    Ok(())
}
