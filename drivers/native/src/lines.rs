//! `lines`: every line of the file, whatever bytes it holds: `BufRead::lines`
//! and `read_line`, which take UTF-8 alone, have no place here.

use super::arguments::Plan;
use super::failure::{Failure, Refusal};
use super::ffi::O_RDONLY;
use super::find::find_byte;
use super::methods::{Method, not_here, per_path};
use super::open_close::{as_path, open_file};
use super::posix::{self, Mapping};
use super::sink::Sink;
use super::stdio::{LineBuffer, Stream};
use std::ffi::CStr;
use std::io::{BufRead, BufReader};

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "BufReader+split" => per_path(plan, split),
        "BufReader+read_until" => with_line(plan, Vec::new, read_until),
        "getline" => with_line(plan, LineBuffer::new, getline),
        "std::fs::read+split" => per_path(plan, fs_read_split),
        "mmap+memchr" => per_path(plan, map_memchr),
        _ => return Err(not_here(name)),
    })
}

fn split(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let reader = BufReader::new(open_file(path)?);
    for line in reader.split(b'\n') {
        sink.take_line(&line.map_err(|error| Failure::of("BufRead::split", &error))?);
    }
    Ok(())
}

fn read_until(path: &CStr, line: &mut Vec<u8>, sink: &mut Sink) -> Result<(), Failure> {
    let mut reader = BufReader::new(open_file(path)?);
    loop {
        line.clear();
        let count = reader.read_until(b'\n', line);
        if count.map_err(|error| Failure::of("BufRead::read_until", &error))? == 0 {
            return Ok(());
        }
        sink.take_line(without_newline(line));
    }
}

fn getline(path: &CStr, line: &mut LineBuffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut stream = Stream::open(path)?;
    while let Some(line) = stream.read_line(line)? {
        sink.take_line(without_newline(line));
    }
    Ok(())
}

fn fs_read_split(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let data = std::fs::read(as_path(path)).map_err(|error| Failure::of("std::fs::read", &error))?;
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        sink.take_line(without_newline(line));
    }
    Ok(())
}

/// An empty file cannot be mapped and has no lines.
fn map_memchr(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    if size == 0 {
        return Ok(());
    }
    let mapping = Mapping::new(&fd, size, 0)?;
    let mut rest = mapping.bytes();
    while !rest.is_empty() {
        let length = find_byte(rest, b'\n').unwrap_or(rest.len());
        sink.take_line(&rest[..length]);
        rest = rest.get(length + 1..).unwrap_or_default();
    }
    Ok(())
}

#[inline]
fn without_newline(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// With the caller's buffer for a line: one that keeps its memory, or a new one for each file.
fn with_line<'a, L: 'a>(
    plan: &'a Plan,
    make: impl Fn() -> L + 'a,
    call: impl Fn(&CStr, &mut L, &mut Sink) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    if plan.fresh_buffer {
        return per_path(plan, move |path, sink| call(path, &mut make(), sink));
    }
    let mut line = make();
    per_path(plan, move |path, sink| call(path, &mut line, sink))
}
