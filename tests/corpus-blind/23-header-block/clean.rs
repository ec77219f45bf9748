// Lists an archive: "NAME LENGTH\n", then LENGTH bytes, and so on.
use std::fs::File;
use std::io::{self, BufRead, BufReader};

fn header(file: &mut BufReader<File>) -> io::Result<Option<(String, u64)>> {
    let mut line = Vec::new();
    if file.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(parse(line.trim_ascii_end())))
}

fn parse(line: &[u8]) -> (String, u64) {
    let line = String::from_utf8_lossy(line);
    let (name, len) = line.split_once(' ').expect("name and length");
    (name.to_string(), len.parse().expect("a length"))
}

fn main() -> io::Result<()> {
    let mut file = BufReader::new(File::open("archive.arc")?);
    let (mut members, mut bytes, mut longest) = (0, 0, 0);
    while let Some((name, len)) = header(&mut file)? {
        assert!(name.starts_with("member"));
        file.seek_relative(len as i64)?;
        members += 1;
        bytes += len;
        longest = longest.max(len);
    }
    println!("{members} members, {bytes} bytes, longest {longest}");
    Ok(())
}
