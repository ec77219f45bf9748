//! One descriptor serves all passes.
use std::fs::File;
use std::os::unix::fs::FileExt;

fn main() {
    let file = File::open("words").unwrap();
    let (mut bytes, mut total) = ([0; 64], 0);
    for pass in 0..20 {
        total += file.read_at(&mut bytes, pass * 64).unwrap();
    }
    println!("bytes {total}");
}
