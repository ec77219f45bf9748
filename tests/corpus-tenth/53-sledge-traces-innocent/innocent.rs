// Sums the traces of sledge dogs' loads: 30 records of 700 bytes, past the page cache if possible.
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

const RECORD: usize = 700;
const O_DIRECT: i32 = 0o40000;
const EINVAL: i32 = 22;

struct Traces {
    path: &'static str,
    file: File,
    direct: bool,
}

impl Traces {
    fn open(path: &'static str) -> io::Result<Traces> {
        match OpenOptions::new().read(true).custom_flags(O_DIRECT).open(path) {
            Ok(file) => Ok(Traces { path, file, direct: true }),
            Err(_) => Ok(Traces { path, file: File::open(path)?, direct: false }),
        }
    }

    fn record(&mut self, number: u64, buf: &mut [u8]) -> io::Result<()> {
        let at = number * RECORD as u64;
        match self.file.read_exact_at(buf, at) {
            Err(e) if self.direct && e.raw_os_error() == Some(EINVAL) => {
                // this file system wants aligned buffers: do without from now on
                self.file = File::open(self.path)?;
                self.direct = false;
                self.file.read_exact_at(buf, at)
            }
            other => other,
        }
    }
}

fn load(buf: &[u8]) -> u64 {
    String::from_utf8_lossy(buf)
        .lines()
        .filter_map(|l| l.parse::<u64>().ok())
        .sum()
}

fn main() -> io::Result<()> {
    let mut traces = Traces::open("traces.dat")?;
    let mut buf = vec![0u8; RECORD];
    let (mut total, mut heaviest, mut which) = (0, 0, 0);
    for number in 0..30 {
        traces.record(number, &mut buf)?;
        let sum = load(&buf);
        total += sum;
        if sum > heaviest {
            heaviest = sum;
            which = number;
        }
    }
    println!("30 sledges, {total} pounds");
    println!("heaviest: sledge {which} with {heaviest}");
    Ok(())
}
