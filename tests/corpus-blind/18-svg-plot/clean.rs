// Plots a series as SVG.
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

fn series(n: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..n).map(|x| (x, (x * 7919 + 13) % 200))
}

fn draw(out: &mut impl Write, points: impl Iterator<Item = (u32, u32)>) -> io::Result<u32> {
    let mut drawn = 0;
    writeln!(out, "<svg xmlns='http://www.w3.org/2000/svg' width='600' height='200'>")?;
    for (x, y) in points {
        writeln!(out, "<circle cx='{x}' cy='{y}' r='2'/>")?;
        drawn += 1;
    }
    writeln!(out, "</svg>")?;
    Ok(drawn)
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(File::create("plot.svg")?);
    let drawn = draw(&mut out, series(300))?;
    out.flush()?;
    drop(out);
    println!("{drawn} points, {} bytes", fs::metadata("plot.svg")?.len());
    Ok(())
}
