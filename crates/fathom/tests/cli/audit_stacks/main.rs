use std::fs::File;

#[inline(never)]
fn load(path: &str) -> u64 {
    let file = File::open(path).unwrap();
    let one = file.metadata().unwrap().len();
    let two = file.metadata().unwrap().len(); // first
    one + two
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let sum: u64 = (0..11).map(|_| load(&path)).sum();
    assert!(sum > 0);
}
