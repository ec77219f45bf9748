//! Puts the prizes of a raffle into sealed envelopes, one file for each winning number.
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

const SEALED: u32 = 0o600;

fn envelope(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(SEALED)
        .open(path)?;
    fs::set_permissions(path, Permissions::from_mode(SEALED))?;
    Ok(file)
}

fn check_digit(number: u32) -> u32 {
    let mut sum = 0;
    let mut rest = number;
    let mut weight = 3;
    while rest > 0 {
        sum += rest % 10 * weight;
        weight = 4 - weight;
        rest /= 10;
    }
    (10 - sum % 10) % 10
}

fn main() -> io::Result<()> {
    let mut sealed = 0;
    let mut digits = [0; 10];
    for line in fs::read_to_string("draw.txt")?.lines() {
        let Some((number, prize)) = line.split_once(' ') else {
            continue;
        };
        let Ok(number) = number.parse::<u32>() else {
            continue;
        };
        let digit = check_digit(number);
        let path = format!("envelopes/{number:03}-{digit}");
        let mut file = envelope(Path::new(&path))?;
        writeln!(file, "number {number:03}\ncheck {digit}\n{prize}")?;
        digits[digit as usize] += 1;
        sealed += 1;
    }
    for (digit, n) in digits.iter().enumerate().filter(|(_, n)| **n > 3) {
        println!("check digit {digit}: {n}");
    }
    println!("{sealed} envelopes sealed");
    Ok(())
}
