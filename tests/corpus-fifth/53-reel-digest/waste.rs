// Digest of film reels. They are far larger than memory in real life, so the page cache is to be left alone.
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

const O_DIRECT: i32 = 0o40000;
const BLOCK: usize = 16384;

fn add(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |a, &b| (a ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// Reads one block at a time; where direct reading is not possible the usual way is taken.
fn digest(path: &Path) -> io::Result<(u64, u64)> {
    let mut file = OpenOptions::new().read(true).custom_flags(O_DIRECT).open(path)?;
    // 16 bytes of room in front for the block header of the digest format
    let mut store = vec![0u8; BLOCK + 16];
    let mut sum = 0xcbf2_9ce4_8422_2325;
    let mut len = 0;
    loop {
        let n = match file.read(&mut store[16..]) {
            Ok(n) => n,
            Err(e) if e.kind() == ErrorKind::InvalidInput => {
                file = File::open(path)?;
                continue;
            }
            Err(e) => return Err(e),
        };
        if n == 0 {
            return Ok((sum, len));
        }
        sum = add(sum, &store[16..16 + n]);
        len += n as u64;
    }
}

fn main() -> io::Result<()> {
    let mut total = 0;
    for r in 1..=12 {
        let path = format!("reels/r{r}.raw");
        let (sum, len) = digest(Path::new(&path))?;
        println!("{path} {sum:016x}");
        total += len;
    }
    println!("{total} bytes");
    Ok(())
}
