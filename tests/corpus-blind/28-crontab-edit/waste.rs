// Adds jobs to a crontab and removes others.
use std::fs::{self, File};
use std::io;

fn save(text: &str) -> io::Result<()> {
    fs::write("crontab", text)
}

fn edit(change: impl Fn(&mut Vec<String>)) -> io::Result<usize> {
    let mut lines: Vec<String> =
        fs::read_to_string("crontab")?.lines().map(str::to_string).collect();
    change(&mut lines);
    save(&(lines.join("\n") + "\n"))?;
    Ok(lines.len())
}

fn main() -> io::Result<()> {
    edit(|jobs| jobs.push("0 4 * * 0 weekly".into()))?;
    let left = edit(|jobs| jobs.retain(|job| !job.ends_with('7')))?;
    let size = File::open("crontab")?.metadata()?.len();
    println!("{left} jobs, {size} bytes");
    Ok(())
}
