//! Measures the frames of a sprite sheet: a head of 128 bytes, then 120 frames of 2048 bytes.
use std::fs::File;
use std::io::{self, Read};

const HEAD: usize = 128;
const FRAME: usize = 2048;
const FRAMES: usize = 120;

struct Sheet {
    file: File,
}

impl Sheet {
    fn open(path: &str) -> io::Result<Sheet> {
        let mut file = File::open(path)?;
        let mut head = [0u8; HEAD];
        file.read_exact(&mut head)?;
        Ok(Sheet { file })
    }

    /// The next frame.
    fn frame(&mut self, pixels: &mut [u8]) -> io::Result<()> {
        self.file.read_exact(pixels)
    }
}

fn main() -> io::Result<()> {
    let mut sheet = Sheet::open("hero.sheet")?;
    let mut pixels = vec![0u8; FRAME];
    let mut brightest = (0, 0u64);
    for i in 0..FRAMES {
        sheet.frame(&mut pixels)?;
        let light: u64 = pixels.iter().map(|&p| u64::from(p)).sum();
        if light > brightest.1 {
            brightest = (i, light);
        }
    }
    println!("brightest frame {} with {}", brightest.0, brightest.1);
    Ok(())
}
