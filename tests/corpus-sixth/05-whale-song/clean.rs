// Indexes the calls in a hydrophone recording: where each one starts, and its pitch.
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};

struct Call {
    start: u64,
    pitch: u16,
    len: u16,
}

fn index(path: &str) -> io::Result<Vec<Call>> {
    let mut rec = BufReader::new(File::open(path)?);
    let mut calls = Vec::new();
    let mut head = [0u8; 4];
    let mut body = vec![0u8; u16::MAX as usize];
    let mut start = 0u64;
    loop {
        match rec.read_exact(&mut head) {
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => break,
            other => other?,
        }
        let pitch = u16::from_be_bytes([head[0], head[1]]);
        let len = u16::from_be_bytes([head[2], head[3]]);
        rec.read_exact(&mut body[..len as usize])?;
        calls.push(Call { start, pitch, len });
        start += head.len() as u64 + len as u64;
    }
    Ok(calls)
}

fn main() -> io::Result<()> {
    let calls = index("song.rec")?;
    let highest = calls.iter().max_by_key(|c| c.pitch).unwrap();
    let longest = calls.iter().max_by_key(|c| c.len).unwrap();
    println!("{} calls", calls.len());
    println!("highest {} Hz at {}", highest.pitch, highest.start);
    println!("longest {} bytes at {}", longest.len, longest.start);
    println!("last starts at {}", calls.last().unwrap().start);
    Ok(())
}
