// Finds the steepest fall of the barograph in one week's drum.
use std::fs::File;
use std::io::{self, BufReader, Read};

struct Drum<R> {
    input: R,
    samples: u32,
}

impl<R: Read> Drum<R> {
    fn open(mut input: R) -> io::Result<Self> {
        let mut head = [0u8; 12];
        input.read_exact(&mut head)?;
        if !head.starts_with(b"BAROGRAPH 1") {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a drum"));
        }
        Ok(Drum { input, samples: 0 })
    }

    /// Hour and tenths of hectopascals of the next sample.
    fn next(&mut self) -> io::Result<Option<(u32, i32)>> {
        let mut record = [0u8; 6];
        match self.input.read_exact(&mut record) {
            Ok(()) => {}
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(e) => return Err(e),
        }
        self.samples += 1;
        let text = std::str::from_utf8(&record).expect("digits");
        Ok(Some((text[..2].parse().unwrap(), text[2..].parse().unwrap())))
    }
}

fn main() -> io::Result<()> {
    let file = File::open("drum.bin")?;
    let mut drum = Drum::open(BufReader::new(file))?;
    let mut previous: Option<i32> = None;
    let mut steepest = (0, 0, 0);
    let mut sum = 0i64;
    while let Some((hour, pressure)) = drum.next()? {
        sum += pressure as i64;
        if let Some(p) = previous {
            if p - pressure > steepest.0 {
                steepest = (p - pressure, hour, drum.samples);
            }
        }
        previous = Some(pressure);
    }
    println!("{} samples, mean {}", drum.samples, sum / drum.samples as i64);
    println!("steepest fall {} at hour {}, sample {}", steepest.0, steepest.1, steepest.2);
    Ok(())
}
