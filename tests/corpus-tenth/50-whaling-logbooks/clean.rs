// Sums the catch in the logbooks of a whaling fleet; torn pages (too short) are set aside.
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

const SHORTEST: u64 = 30;

#[derive(Default)]
struct Catch {
    whales: u32,
    barrels: u32,
    south: u32,
}

fn number_after(words: &[&str], key: &str) -> u32 {
    words
        .iter()
        .position(|w| *w == key)
        .and_then(|i| words.get(i + 1))
        .and_then(|w| w.parse().ok())
        .unwrap_or(0)
}

fn read_log(path: &PathBuf) -> io::Result<Option<String>> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    if size < SHORTEST {
        return Ok(None);
    }
    let mut bytes = vec![0; size as usize];
    file.read_exact(&mut bytes)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn main() -> io::Result<()> {
    let mut catch = Catch::default();
    let (mut read, mut torn) = (0, 0);
    for day in 10..50 {
        let path = PathBuf::from(format!("logs/day{day}.log"));
        match read_log(&path)? {
            None => torn += 1,
            Some(text) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                catch.whales += number_after(&words, "whales");
                catch.barrels += number_after(&words, "barrels");
                if number_after(&words, "lat") > 40 {
                    catch.south += 1;
                }
                read += 1;
            }
        }
    }
    println!("{read} pages read, {torn} torn");
    println!("{} whales, {} barrels", catch.whales, catch.barrels);
    println!("{} days beyond latitude 40", catch.south);
    Ok(())
}
