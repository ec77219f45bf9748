// Interprets a punched tape of short instructions, each with a two digit length.
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};

fn next_word<R: Read>(tape: &mut R) -> io::Result<Option<String>> {
    let mut digits = [0u8; 2];
    match tape.read_exact(&mut digits) {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(e) => return Err(e),
    }
    let len = usize::from(digits[0] - b'0') * 10 + usize::from(digits[1] - b'0');
    let mut word = vec![0u8; len];
    tape.read_exact(&mut word)?;
    Ok(Some(String::from_utf8_lossy(&word).into_owned()))
}

fn split(word: &str) -> (&str, i64) {
    let at = word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len());
    (&word[..at], word[at..].parse().unwrap_or(0))
}

fn main() -> io::Result<()> {
    let mut tape = File::open("tape.bin")?;
    let mut sum = 0i64;
    let mut cells: BTreeMap<i64, i64> = BTreeMap::new();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    while let Some(word) = next_word(&mut tape)? {
        let (op, arg) = split(&word);
        match op {
            "add" => sum += arg,
            "sub" => sum -= arg,
            "move" => sum = arg,
            "store" => {
                cells.insert(arg % 16, sum);
            }
            _ => {}
        }
        *counts.entry(op.to_string()).or_default() += 1;
    }
    for (op, n) in &counts {
        println!("{op}: {n}");
    }
    println!("sum {sum}, cells {:?}", cells.values().collect::<Vec<_>>());
    Ok(())
}
