//! Half of the copies are closed: the others are in use when the program ends.
use std::fs::File;
use std::os::unix::fs::FileExt;

fn main() {
    let file = File::open("words").unwrap();
    let (mut bytes, mut total, mut kept) = ([0; 64], 0, Vec::new());
    for pass in 0..40 {
        let copy = file.try_clone().unwrap();
        total += copy.read_at(&mut bytes, pass * 64).unwrap();
        if pass % 2 == 0 {
            kept.push(copy);
        }
    }
    println!("bytes {total}");
    std::process::exit(kept.is_empty().into());
}
