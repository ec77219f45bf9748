use std::fs::{self, File};
use std::io::{Read, Write};

#[inline(never)]
fn copy(name: &str) {
    let mut buffer = [0; 64];
    let _ = File::open(name).unwrap().read(&mut buffer);
}

#[inline(never)]
fn look(name: &str) {
    // before
    let _ = fs::metadata(name);
    copy(name);
    // each file
}

#[inline(never)]
fn keep() {
    let mut out = File::create("out").unwrap();
    out.write_all(b"x").unwrap();
    // out
}

fn main() {
    for number in 1..=4 {
        look(&format!("data/{number}.txt"));
    }
    keep();
    copy("moved.dat");
}
