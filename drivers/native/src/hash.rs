//! `hash`: MD5 or XXH64 of all of the file.

use super::arguments::{Algorithm, Plan};
use super::buffer::Buffer;
use super::failure::{Failure, Refusal};
use super::ffi::O_RDONLY;
use super::md5::Md5;
use super::methods::{Method, not_here, per_path};
use super::open_close::as_path;
use super::posix::{self, Mapping};
use super::sink::Sink;
use super::xxh64::Xxh64;
use std::ffi::CStr;

/// A hash that takes the data piece by piece.
trait Hash {
    /// What it comes to: at least 8 bytes.
    type Value: AsRef<[u8]>;

    /// The hash of no bytes yet.
    fn new() -> Self;

    /// Takes the next bytes.
    fn update(&mut self, bytes: &[u8]);

    /// The hash of all bytes taken.
    fn value(self) -> Self::Value;
}

impl Hash for Md5 {
    type Value = [u8; 16];

    fn new() -> Self {
        Self::new()
    }

    fn update(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }

    fn value(self) -> [u8; 16] {
        self.value()
    }
}

impl Hash for Xxh64 {
    type Value = [u8; 8];

    fn new() -> Self {
        Self::new()
    }

    fn update(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }

    fn value(self) -> [u8; 8] {
        self.value().to_be_bytes()
    }
}

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    match plan.algorithm {
        Algorithm::Md5 => hashing::<Md5>(name, plan),
        Algorithm::Xxh64 => hashing::<Xxh64>(name, plan),
    }
}

fn hashing<'a, H: Hash + 'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "read" => {
            let mut buffer = Buffer::new(plan.block, plan.fresh_buffer);
            per_path(plan, move |path, sink| read::<H>(path, &mut buffer, sink))
        }
        "std::fs::read" => per_path(plan, fs_read::<H>),
        "mmap" => per_path(plan, map::<H>),
        _ => return Err(not_here(name)),
    })
}

fn read<H: Hash>(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    let buffer = buffer.lend(&mut own);
    let (mut hash, mut size) = (H::new(), 0);
    loop {
        let piece = fd.read(buffer)?;
        if piece.is_empty() {
            break;
        }
        hash.update(piece);
        size += piece.len();
    }
    conclude(hash, size, sink);
    Ok(())
}

fn fs_read<H: Hash>(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let data = std::fs::read(as_path(path)).map_err(|error| Failure::of("std::fs::read", &error))?;
    let mut hash = H::new();
    hash.update(&data);
    conclude(hash, data.len(), sink);
    Ok(())
}

/// An empty file cannot be mapped; its hash is that of no bytes.
fn map<H: Hash>(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    let mut hash = H::new();
    if size > 0 {
        hash.update(Mapping::new(&fd, size, 0)?.bytes());
    }
    conclude(hash, size, sink);
    Ok(())
}

fn conclude<H: Hash>(hash: H, size: usize, sink: &mut Sink) {
    let value = hash.value();
    let first = value.as_ref().first_chunk().expect("a hash has at least 8 bytes");
    sink.conclude(size as u64, u64::from_be_bytes(*first), || value);
}
