use std::fs::File;
use std::io;
use std::os::fd::{FromRawFd, IntoRawFd, RawFd};
use std::mem::ManuallyDrop;
use std::os::unix::fs::FileExt;

const STRIP: usize = 64;

/// One strip of the reef picture, with a handle of its own to read with.
struct Strip {
    fd: RawFd,
    start: u64,
}

impl Strip {
    fn new(reef: &File, number: u64) -> io::Result<Strip> {
        let fd = reef.try_clone()?.into_raw_fd();
        Ok(Strip { fd, start: number * STRIP as u64 })
    }

    fn coral(self) -> io::Result<u32> {
        let mut buf = [0u8; STRIP];
        let file = ManuallyDrop::new(unsafe { File::from_raw_fd(self.fd) });
        file.read_exact_at(&mut buf, self.start)?;
        Ok(buf.iter().filter(|b| **b > b'4').count() as u32)
    }
}

fn main() -> io::Result<()> {
    let reef = File::open("reef.bin")?;
    let strips = reef.metadata()?.len() / STRIP as u64;
    let mut total = 0;
    let mut best = (0, 0);
    for n in 0..strips {
        let found = Strip::new(&reef, n)?.coral()?;
        total += found;
        if found > best.1 {
            best = (n, found);
        }
    }
    println!("{} strips, {} points of coral", strips, total);
    println!("richest strip {} with {}", best.0, best.1);
    Ok(())
}
