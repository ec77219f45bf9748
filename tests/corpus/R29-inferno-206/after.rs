//! Draws a hundred boxes into a file, through a buffer.

use std::fs::{File, metadata};
use std::io::{BufWriter, Write};

fn draw(mut file: impl Write) -> std::io::Result<()> {
    for _ in 0..100 {
        file.write_all(b"<g>")?;
        file.write_all(b"<rect width=\"10\" height=\"16\"/>")?;
        file.write_all(b"</g>\n")?;
    }
    file.flush()
}

fn main() -> std::io::Result<()> {
    draw(BufWriter::new(File::create("flame.svg")?))?;
    println!("{} bytes", metadata("flame.svg")?.len());
    Ok(())
}
