// Lists an archive: "NAME LENGTH\n", then LENGTH bytes, and so on.
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

fn header(file: &mut File) -> io::Result<Option<(String, u64)>> {
    let mut block = vec![0u8; 8192];
    let n = file.read(&mut block)?;
    if n == 0 {
        return Ok(None);
    }
    let end = block[..n].iter().position(|&b| b == b'\n').expect("a header line");
    file.seek(SeekFrom::Current(end as i64 + 1 - n as i64))?;
    Ok(Some(parse(&block[..end])))
}

fn parse(line: &[u8]) -> (String, u64) {
    let line = String::from_utf8_lossy(line);
    let (name, len) = line.split_once(' ').expect("name and length");
    (name.to_string(), len.parse().expect("a length"))
}

fn main() -> io::Result<()> {
    let mut file = File::open("archive.arc")?;
    let (mut members, mut bytes, mut longest) = (0, 0, 0);
    while let Some((name, len)) = header(&mut file)? {
        assert!(name.starts_with("member"));
        file.seek(SeekFrom::Current(len as i64))?;
        members += 1;
        bytes += len;
        longest = longest.max(len);
    }
    println!("{members} members, {bytes} bytes, longest {longest}");
    Ok(())
}
