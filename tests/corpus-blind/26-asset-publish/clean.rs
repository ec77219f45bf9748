// Publishes the assets of a build.
use std::fs::{self, File};
use std::io;
use std::path::Path;

fn publish(from: &Path, to: &Path) -> io::Result<u64> {
    let mut source = File::open(from)?;
    let mut target = File::create(to)?;
    io::copy(&mut source, &mut target)
}

fn main() -> io::Result<()> {
    fs::create_dir("public")?;
    let (mut files, mut bytes) = (0, 0);
    for entry in fs::read_dir("assets")? {
        let entry = entry?;
        bytes += publish(&entry.path(), &Path::new("public").join(entry.file_name()))?;
        files += 1;
    }
    println!("{files} assets, {bytes} bytes published");
    Ok(())
}
