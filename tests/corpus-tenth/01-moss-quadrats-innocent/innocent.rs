// Brings the index of moss counts up to date from the field sheets.
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;

struct Row {
    name: String,
    size: u64,
    mtime: i64,
    cushions: u32,
}

fn parse_index(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let f: Vec<&str> = line.split(' ').collect();
        rows.push(Row {
            name: f[0].to_string(),
            size: f[1].parse().unwrap(),
            mtime: f[2].parse().unwrap(),
            cushions: f[3].parse().unwrap(),
        });
    }
    rows
}

fn count(path: &str) -> io::Result<u32> {
    let text = fs::read_to_string(path)?;
    Ok(text
        .lines()
        .skip(1)
        .filter_map(|l| l.split_once(' '))
        .filter_map(|(_, n)| n.parse::<u32>().ok())
        .sum())
}

fn main() -> io::Result<()> {
    let mut rows = parse_index(&fs::read_to_string("index.tsv")?);
    let mut renewed = 0;
    for row in rows.iter_mut() {
        let path = format!("quad/{}", row.name);
        let meta = fs::metadata(&path)?;
        if meta.size() == row.size && meta.mtime() == row.mtime {
            continue;
        }
        row.cushions = count(&path)?;
        row.size = meta.size();
        row.mtime = meta.mtime();
        renewed += 1;
    }
    let total: u32 = rows.iter().map(|r| r.cushions).sum();
    let mut out = Vec::new();
    for r in &rows {
        writeln!(out, "{} {} {} {}", r.name, r.size, r.mtime, r.cushions)?;
    }
    fs::write("index.new", &out)?;
    println!("{} sheets, {} renewed, {} cushions", rows.len(), renewed, total);
    Ok(())
}
