// Applies the gardener's changes to the setpoints of a greenhouse and saves them.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

type Setpoints = BTreeMap<String, BTreeMap<String, i32>>;

const CONF: &str = "setpoints.conf";
const TEMP: &str = "setpoints.tmp";

fn load() -> io::Result<Setpoints> {
    let mut beds = Setpoints::new();
    for line in fs::read_to_string(CONF)?.lines() {
        let mut words = line.split(' ');
        let bed = words.next().unwrap_or_default().to_string();
        let points = words
            .filter_map(|w| w.split_once('='))
            .filter_map(|(k, v)| Some((k.to_string(), v.parse().ok()?)))
            .collect();
        beds.insert(bed, points);
    }
    Ok(beds)
}

fn save(beds: &Setpoints) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(TEMP)?);
    for (bed, points) in beds {
        write!(out, "{bed}")?;
        for (key, value) in points {
            write!(out, " {key}={value}")?;
        }
        writeln!(out)?;
    }
    out.into_inner().map_err(|e| e.into_error())?.sync_all()?;
    fs::rename(TEMP, CONF)?;
    File::open(".")?.sync_all()
}

fn main() -> io::Result<()> {
    let changes = [("bed3", "temp", 24), ("bed7", "humidity", 81), ("bed12", "light", 2)];
    let mut beds = load()?;
    for (bed, key, value) in changes {
        let old = beds.entry(bed.into()).or_default().insert(key.into(), value);
        save(&beds)?;
        println!("{bed}: {key} {} -> {value}", old.map_or("-".into(), |o| o.to_string()));
    }
    let warm = beds.values().filter(|p| p.get("temp").is_some_and(|t| *t > 20)).count();
    println!("{} beds, {} warm", beds.len(), warm);
    Ok(())
}
