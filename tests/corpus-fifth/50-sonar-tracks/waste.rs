// Joins sonar tracks to one chart: a head with number, size and flag for each, then the depths.
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;

struct Track {
    number: u32,
    path: PathBuf,
    file: File,
}

impl Track {
    fn open(number: u32) -> io::Result<Track> {
        let path = PathBuf::from(format!("tracks/t{number}.trk"));
        let file = File::open(&path)?;
        Ok(Track { number, path, file })
    }

    fn len(&self) -> io::Result<u64> {
        Ok(fs::metadata(&self.path)?.len())
    }

    fn append_to(&mut self, out: &mut impl Write) -> io::Result<u64> {
        let len = self.len()?;
        writeln!(out, "TRACK {} {} {}", self.number, len, if len > 400 { "long" } else { "short" })?;
        let mut raw = vec![0; len as usize];
        self.file.read_exact(&mut raw)?;
        let text = String::from_utf8_lossy(&raw);
        let mut sum = 0;
        for depth in text.lines() {
            let d: u64 = depth.parse().map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
            sum += d;
            write!(out, "{d:x} ")?;
        }
        writeln!(out)?;
        Ok(sum)
    }
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(File::create("chart.txt")?);
    let mut depths = 0;
    let mut tracks = 0;
    for n in 1..=60 {
        let mut t = Track::open(n)?;
        depths += t.append_to(&mut out)?;
        tracks += 1;
    }
    out.into_inner()?;
    let chart = fs::read_to_string("chart.txt")?;
    let long = chart.lines().filter(|l| l.ends_with(" long")).count();
    println!("{tracks} tracks, {long} of them long, sum of depths {depths}, {} lines", chart.lines().count());
    Ok(())
}
