// backup-pack: packs a directory tree into one archive file and renames it into place.
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

struct Member {
    path: PathBuf,
    size: u64,
}

fn collect(dir: &Path, into: &mut Vec<Member>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), into)?;
        } else if kind.is_file() {
            let size = entry.metadata()?.len();
            into.push(Member { path: entry.path(), size });
        }
    }
    Ok(())
}

fn checksum(data: &[u8]) -> u32 {
    let mut h: u32 = 0x811c9dc5;
    for b in data {
        h = (h ^ u32::from(*b)).wrapping_mul(0x0100_0193);
    }
    h
}

struct Archive {
    file: File,
    members: usize,
    bytes: u64,
}

impl Archive {
    fn create(path: &Path) -> io::Result<Archive> {
        Ok(Archive { file: File::create(path)?, members: 0, bytes: 0 })
    }

    fn append(&mut self, member: &Member) -> io::Result<()> {
        let data = fs::read(&member.path)?;
        let mut record = Vec::with_capacity(data.len() + 256);
        let name = member.path.to_string_lossy();
        record.extend_from_slice(format!("@{} {} {:08x}\n", name, member.size, checksum(&data)).as_bytes());
        record.extend_from_slice(&data);
        self.file.write_all(&record)?;
        self.file.sync_all()?;
        self.members += 1;
        self.bytes += record.len() as u64;
        Ok(())
    }

    fn finish(mut self) -> io::Result<(usize, u64)> {
        self.file.write_all(format!("@end {}\n", self.members).as_bytes())?;
        self.file.sync_all()?;
        Ok((self.members, self.bytes))
    }
}

fn main() -> io::Result<()> {
    let mut members = Vec::new();
    collect(Path::new("home"), &mut members)?;
    members.sort_by(|a, b| a.path.cmp(&b.path));
    fs::create_dir_all("out")?;
    let part = Path::new("out/home.pak.part");
    let mut archive = Archive::create(part)?;
    for m in &members {
        archive.append(m)?;
    }
    let (n, bytes) = archive.finish()?;
    fs::rename(part, "out/home.pak")?;
    println!("packed {} files, {} bytes", n, bytes);
    Ok(())
}
