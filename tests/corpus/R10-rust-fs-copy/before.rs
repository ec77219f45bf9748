//! std::fs::copy opens the copy with the original's mode, and sets it again with fchmod.
use std::io::Result;

fn main() -> Result<()> {
    std::fs::create_dir("copies")?;
    let mut total = 0;
    for number in 1..=20 {
        total += std::fs::copy(format!("data/{number}"), format!("copies/{number}"))?;
    }
    println!("bytes {total}");
    Ok(())
}
