//! Each pass gives a copy of the descriptor away, and it is never closed.
use std::fs::File;
use std::os::fd::IntoRawFd;
use std::os::unix::fs::FileExt;

fn main() {
    let file = File::open("words").unwrap();
    let (mut bytes, mut total) = ([0; 64], 0);
    for pass in 0..20 {
        let copy = file.try_clone().unwrap();
        total += copy.read_at(&mut bytes, pass * 64).unwrap();
        let _ = copy.into_raw_fd();
    }
    println!("bytes {total}");
}
