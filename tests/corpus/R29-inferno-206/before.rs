//! Draws a hundred boxes straight into a file.

use std::fs::{File, metadata};
use std::io::Write;

fn draw(mut file: impl Write) -> std::io::Result<()> {
    for _ in 0..100 {
        file.write_all(b"<g>")?;
        file.write_all(b"<rect width=\"10\" height=\"16\"/>")?;
        file.write_all(b"</g>\n")?;
    }
    file.flush()
}

fn main() -> std::io::Result<()> {
    draw(File::create("flame.svg")?)?;
    println!("{} bytes", metadata("flame.svg")?.len());
    Ok(())
}
