// Takes wills into a notary's register. A receipt is printed only once the will is safe.
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

struct Will<'a> {
    testator: &'a str,
    worth: u64,
    heir: &'a str,
}

impl<'a> Will<'a> {
    fn parse(line: &'a str) -> Option<Will<'a>> {
        let mut f = line.split(';');
        Some(Will { testator: f.next()?, worth: f.next()?.parse().ok()?, heir: f.next()? })
    }

    fn text(&self) -> String {
        format!("I, {}, leave {} crowns to {}.\n", self.testator, self.worth, self.heir)
    }

    fn seal(&self) -> u32 {
        self.text().bytes().fold(7, |a, b| (a * 31 + u32::from(b)) % 1_000_003)
    }
}

fn deposit(dir: &Path, will: &Will) -> io::Result<()> {
    let tmp = dir.join(format!(".{}.part", will.testator));
    let fin = dir.join(format!("{}.will", will.testator));
    let mut f = File::create(&tmp)?;
    f.write_all(will.text().as_bytes())?;
    f.sync_all()?;
    drop(f);
    fs::rename(&tmp, &fin)
}

fn main() -> io::Result<()> {
    let dir = Path::new("register");
    let incoming = fs::read_to_string("incoming.txt")?;
    let mut count = 0;
    for will in incoming.lines().filter_map(Will::parse) {
        deposit(dir, &will)?;
        println!("receipt: will of {} deposited, seal {:06}", will.testator, will.seal());
        count += 1;
    }
    println!("{count} wills deposited");
    Ok(())
}
