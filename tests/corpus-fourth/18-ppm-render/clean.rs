//! Renders a small picture of a field as text PPM.
use std::fs::File;
use std::io::{self, BufWriter, Write};

const W: u32 = 48;
const H: u32 = 48;

fn colour(x: u32, y: u32) -> (u32, u32, u32) {
    let d = (x as i32 - 24).pow(2) + (y as i32 - 24).pow(2);
    (d as u32 % 256, (x * y) % 256, 255 - (d as u32 / 5).min(255))
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(File::create("plot.ppm")?);
    out.write_all(format!("P3\n{W} {H}\n255\n").as_bytes())?;
    let mut light = 0u64;
    for y in 0..H {
        for x in 0..W {
            let (r, g, b) = colour(x, y);
            light += u64::from(r + g + b);
            out.write_all(format!("{r} {g} {b}\n").as_bytes())?;
        }
    }
    out.flush()?;
    println!("{W}x{H}, light {light}");
    Ok(())
}
