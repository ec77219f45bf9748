// Merges the plant lists of all fields into one that is sorted by sheet number.
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};

const RUNS: [&str; 2] = ["run.a", "run.b"];

fn sheet(line: &str) -> u32 {
    line.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn sorted_field(number: usize) -> io::Result<Vec<String>> {
    let file = File::open(format!("fields/f{}.txt", number))?;
    let mut lines: Vec<String> = BufReader::new(file).lines().collect::<io::Result<_>>()?;
    lines.sort_by_key(|l| sheet(l));
    Ok(lines)
}

/// Writes the lines of `old` and of one field to `new`, in order; returns their number.
fn merge(old: Option<&str>, field: Vec<String>, new: &str) -> io::Result<usize> {
    let mut out = BufWriter::new(File::create(new)?);
    let mut fresh = field.iter().peekable();
    let mut count = 0;
    if let Some(path) = old {
        for line in BufReader::new(File::open(path)?).lines() {
            let line = line?;
            while let Some(f) = fresh.next_if(|f| sheet(f) < sheet(&line)) {
                writeln!(out, "{}", f)?;
                count += 1;
            }
            writeln!(out, "{}", line)?;
            count += 1;
        }
    }
    for f in fresh {
        writeln!(out, "{}", f)?;
        count += 1;
    }
    out.flush()?;
    Ok(count)
}

fn main() -> io::Result<()> {
    let mut old = None;
    for number in 1..12 {
        let new = RUNS[number % 2];
        let plants = merge(old, sorted_field(number)?, new)?;
        if number % 4 == 0 {
            println!("{} fields, {} plants", number, plants);
        }
        old = Some(new);
    }
    let plants = merge(old, sorted_field(12)?, "meadow.txt")?;
    for run in RUNS {
        fs::remove_file(run)?;
    }
    println!("meadow: {} plants", plants);
    Ok(())
}
