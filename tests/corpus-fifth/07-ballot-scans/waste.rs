// Checks the scans of a ballot box against a size limit and counts the dark pixels.
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

const HEADER: usize = 8;
const MIN_LEN: u64 = 600;

fn scan_len(f: &mut File) -> io::Result<u64> {
    let len = f.seek(SeekFrom::End(0))?;
    f.seek(SeekFrom::Start(0))?;
    Ok(len)
}

fn dark(body: &[u8]) -> u32 {
    body.iter().map(|b| b.count_ones()).sum()
}

fn main() -> io::Result<()> {
    let mut accepted = 0;
    let mut short = Vec::new();
    let mut total = 0u32;
    let mut darkest = (0, 0);
    for i in 1..=44 {
        let name = format!("scans/b{i:03}.pbm");
        let mut f = File::open(&name)?;
        let len = scan_len(&mut f)?;
        if len < MIN_LEN {
            short.push(i);
            continue;
        }
        let mut data = vec![0u8; len as usize];
        f.read_exact(&mut data)?;
        let d = dark(&data[HEADER..]);
        total += d;
        if d > darkest.1 {
            darkest = (i, d);
        }
        accepted += 1;
    }
    println!("{accepted} scans accepted, {total} dark pixels");
    println!("darkest: b{:03} with {}", darkest.0, darkest.1);
    println!("too short: {short:?}");
    Ok(())
}
