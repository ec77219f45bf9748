use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};

#[derive(Default)]
struct Totals {
    flights: u32,
    skipped: u32,
    fuel: u64,
    crew: u64,
    pallets: BTreeMap<String, u64>,
}

fn load(path: &str) -> io::Result<Option<String>> {
    let mut file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() || meta.len() == 0 {
        return Ok(None);
    }
    let mut buf = vec![0u8; meta.len() as usize];
    file.read_exact(&mut buf)?;
    Ok(Some(String::from_utf8_lossy(&buf).into_owned()))
}

fn add(totals: &mut Totals, text: &str) {
    totals.flights += 1;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["crew", n] => totals.crew += n.parse::<u64>().unwrap_or(0),
            ["fuel", n] => totals.fuel += n.parse::<u64>().unwrap_or(0),
            ["pallet", which, kg] => {
                *totals.pallets.entry(which.to_string()).or_default() += kg.parse::<u64>().unwrap_or(0)
            }
            _ => {}
        }
    }
}

fn main() -> io::Result<()> {
    let duty = fs::read_to_string("duty.txt")?;
    let mut totals = Totals::default();
    for flight in duty.lines() {
        let path = format!("manifests/{flight}.txt");
        match load(&path)? {
            Some(text) => add(&mut totals, &text),
            None => totals.skipped += 1,
        }
    }
    println!("{} flights, {} without a manifest", totals.flights, totals.skipped);
    println!("crew {}, fuel {} kg", totals.crew, totals.fuel);
    for (which, kg) in &totals.pallets {
        println!("pallet {which}: {kg} kg");
    }
    Ok(())
}
