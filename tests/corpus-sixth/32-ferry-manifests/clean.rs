// Sums the loads of the day's ferry trips; a second thread writes the harbour log.
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc::{channel, Sender};
use std::thread;

struct Trip {
    name: String,
    capacity: u32,
    kilos: u32,
    cars: usize,
}

/// Length of an open file.
fn length_of(file: &File) -> std::io::Result<u64> {
    Ok(file.metadata()?.len())
}

fn load(path: &str, log: &Sender<String>) -> std::io::Result<Trip> {
    let file = File::open(path)?;
    let mut text = BufReader::new(&file);
    let mut head = String::new();
    text.read_line(&mut head)?;
    let mut words = head.split_whitespace();
    let name = words.next().unwrap_or("?").to_string();
    let capacity = words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
    let mut trip = Trip { name, capacity, kilos: 0, cars: 0 };
    for line in text.lines() {
        let line = line?;
        trip.kilos += line.rsplit(' ').next().and_then(|w| w.parse::<u32>().ok()).unwrap_or(0);
        trip.cars += 1;
    }
    let size = length_of(&file)?;
    log.send(format!("{} {} bytes", trip.name, size)).expect("the log thread has gone");
    Ok(trip)
}

fn main() -> std::io::Result<()> {
    let (to_log, entries) = channel::<String>();
    let mut log = File::create("harbour.log")?;
    let writer = thread::spawn(move || {
        let all: Vec<String> = entries.iter().collect();
        log.write_all((all.join("\n") + "\n").as_bytes())
    });
    let mut trips = Vec::new();
    for n in 1..=8 {
        trips.push(load(&format!("manifests/trip{n}.txt"), &to_log)?);
    }
    drop(to_log);
    writer.join().expect("log thread")?;
    for t in &trips {
        println!("{}: {} cars of {}, {} kg", t.name, t.cars, t.capacity, t.kilos);
    }
    println!("log {} bytes", fs::metadata("harbour.log")?.len());
    Ok(())
}
