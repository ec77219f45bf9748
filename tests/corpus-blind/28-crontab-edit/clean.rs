// Adds jobs to a crontab and removes others.
use std::fs::{self, File};
use std::io::{self, Write};

fn save(text: &str) -> io::Result<()> {
    let mut file = File::create("crontab.new")?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename("crontab.new", "crontab")?;
    File::open(".")?.sync_all()
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
    let size = fs::metadata("crontab")?.len();
    println!("{left} jobs, {size} bytes");
    Ok(())
}
