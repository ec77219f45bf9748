use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

struct Mark {
    bay: u32,
    course: u32,
    mason: String,
    year: u32,
}

fn parse(line: &str) -> Option<Mark> {
    let mut words = line.split_whitespace();
    Some(Mark {
        bay: words.next()?.parse().ok()?,
        course: words.next()?.parse().ok()?,
        mason: words.next()?.to_string(),
        year: words.next()?.parse().ok()?,
    })
}

fn height(mark: &Mark) -> f64 {
    0.35 * f64::from(mark.course) + 0.2
}

fn save(path: &str, marks: &[Mark]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "bay,course,height,mason,year")?;
    for mark in marks {
        writeln!(out, "{},{},{:.2},{},{}", mark.bay, mark.course, height(mark), mark.mason, mark.year)?;
    }
    out.flush()
}

fn main() -> io::Result<()> {
    let text = fs::read_to_string("survey.txt")?;
    let mut marks: Vec<Mark> = text.lines().filter_map(parse).collect();
    marks.sort_by_key(|m| (m.bay, m.course));
    save("marks.csv", &marks)?;

    let mut by_mason: BTreeMap<&str, (u32, u32, u32)> = BTreeMap::new();
    for mark in &marks {
        let e = by_mason.entry(&mark.mason).or_insert((0, u32::MAX, 0));
        e.0 += 1;
        e.1 = e.1.min(mark.year);
        e.2 = e.2.max(mark.year);
    }
    println!("{} marks by {} masons", marks.len(), by_mason.len());
    for (mason, (count, from, to)) in &by_mason {
        println!("{mason}: {count} marks, {from} to {to}");
    }
    Ok(())
}
