//! `read-whole`: open, read all of the file, close.

use super::arguments::Plan;
use super::buffer::{Buffer, copied};
use super::failure::{Failure, Refusal};
use super::ffi::{MADV_SEQUENTIAL, MAP_POPULATE, O_DIRECT, O_RDONLY};
use super::methods::{Method, not_here, per_path};
use super::open_close::{as_path, open_file};
use super::posix::{self, Mapping};
use super::read_parts;
use super::sink::Sink;
use super::stdio::Stream;
use super::support;
use std::ffi::{CStr, c_int};
use std::io::{BufReader, Read};

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    if (plan.threads > 1 || name.starts_with("io_uring"))
        && let Some(method) = read_parts::method(name, plan)?
    {
        return Ok(method);
    }
    Ok(match name {
        "read" => with_buffer(plan, read),
        "pread" => with_buffer(plan, pread),
        "preadv2" => with_buffer(plan, preadv2),
        "readv" => with_buffer(plan, readv),
        "fread" => with_buffer(plan, fread),
        "mmap" => per_path(plan, |path, sink| map(path, 0, sink)),
        "mmap+MAP_POPULATE" => per_path(plan, |path, sink| map(path, MAP_POPULATE, sink)),
        "mmap+MADV_SEQUENTIAL" => per_path(plan, map_for_sequential),
        "mmap+copy" => with_buffer(plan, map_and_copy),
        "O_DIRECT+pread" => {
            support::check_direct_reads(plan)?;
            let mut buffer = Buffer::for_direct_io(plan.block, plan.fresh_buffer);
            per_path(plan, move |path, sink| direct_pread(path, &mut buffer, sink))
        }
        "read+O_DIRECT" => {
            support::check_direct_reads(plan)?;
            let mut buffer = Buffer::for_direct_io(plan.block, plan.fresh_buffer);
            per_path(plan, move |path, sink| direct_read(path, &mut buffer, sink))
        }
        "std::fs::read" => per_path(plan, fs_read),
        "File+read_to_end" => with_vec(plan, file_read_to_end),
        "BufReader+read_to_end" => with_vec(plan, buf_reader_read_to_end),
        _ => return Err(not_here(name)),
    })
}

fn read(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    let buffer = buffer.lend(&mut own);
    loop {
        let piece = fd.read(buffer)?;
        if piece.is_empty() {
            return Ok(());
        }
        sink.take(piece);
    }
}

fn readv(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    let buffer = buffer.lend(&mut own);
    loop {
        let piece = fd.readv(buffer)?;
        if piece.is_empty() {
            return Ok(());
        }
        sink.take(piece);
    }
}

fn pread(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    let (buffer, mut offset) = (buffer.lend(&mut own), 0);
    loop {
        let piece = fd.pread(buffer, offset)?;
        if piece.is_empty() {
            return Ok(());
        }
        offset += piece.len();
        sink.take(piece);
    }
}

fn preadv2(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    let (buffer, mut offset) = (buffer.lend(&mut own), 0);
    loop {
        let piece = fd.preadv2(buffer, offset)?;
        if piece.is_empty() {
            return Ok(());
        }
        offset += piece.len();
        sink.take(piece);
    }
}

/// A short piece is the end: the offset after it would not be aligned.
fn direct_pread(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY | O_DIRECT)?;
    let (buffer, mut offset) = (buffer.lend(&mut own), 0);
    loop {
        let wanted = buffer.len();
        let piece = fd.pread(buffer, offset)?;
        offset += piece.len();
        sink.take(piece);
        if piece.len() < wanted {
            return Ok(());
        }
    }
}

/// A short piece is the end here too.
fn direct_read(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY | O_DIRECT)?;
    let buffer = buffer.lend(&mut own);
    loop {
        let wanted = buffer.len();
        let piece = fd.read(buffer)?;
        let short = piece.len() < wanted;
        sink.take(piece);
        if short {
            return Ok(());
        }
    }
}

fn fread(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let mut stream = Stream::open(path)?;
    let buffer = buffer.lend(&mut own);
    loop {
        let piece = stream.read(buffer)?;
        if piece.is_empty() {
            return Ok(());
        }
        sink.take(piece);
    }
}

/// An empty file cannot be mapped and needs not be.
fn map(path: &CStr, flags: c_int, sink: &mut Sink) -> Result<(), Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    if size > 0 {
        sink.take(Mapping::new(&fd, size, flags)?.bytes());
    }
    Ok(())
}

fn map_for_sequential(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    if size > 0 {
        let mapping = Mapping::new(&fd, size, 0)?;
        mapping.advise(MADV_SEQUENTIAL)?;
        sink.take(mapping.bytes());
    }
    Ok(())
}

/// Every byte is read: the buffer holds in the end what a read would have left there.
fn map_and_copy(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    if size > 0 {
        let mapping = Mapping::new(&fd, size, 0)?;
        let buffer = buffer.lend(&mut own);
        mapping.bytes().chunks(buffer.len()).for_each(|piece| sink.take(copied(piece, buffer)));
    }
    Ok(())
}

fn fs_read(path: &CStr, sink: &mut Sink) -> Result<(), Failure> {
    let data = std::fs::read(as_path(path)).map_err(|error| Failure::of("std::fs::read", &error))?;
    sink.take(&data);
    Ok(())
}

fn file_read_to_end(path: &CStr, data: &mut Vec<u8>) -> Result<(), Failure> {
    let mut file = open_file(path)?;
    file.read_to_end(data).map_err(|error| Failure::of("Read::read_to_end", &error))?;
    Ok(())
}

fn buf_reader_read_to_end(path: &CStr, data: &mut Vec<u8>) -> Result<(), Failure> {
    let mut reader = BufReader::new(open_file(path)?);
    reader.read_to_end(data).map_err(|error| Failure::of("Read::read_to_end", &error))?;
    Ok(())
}

fn with_buffer<'a>(
    plan: &'a Plan,
    call: impl Fn(&CStr, &mut Buffer, &mut Sink) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    let mut buffer = Buffer::new(plan.block, plan.fresh_buffer);
    per_path(plan, move |path, sink| call(path, &mut buffer, sink))
}

/// With the caller's Vec: one that keeps its memory, touched beforehand, or a new one for each.
fn with_vec<'a>(
    plan: &'a Plan,
    call: impl Fn(&CStr, &mut Vec<u8>) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    if plan.fresh_buffer {
        return per_path(plan, move |path, sink| {
            let mut data = Vec::new();
            call(path, &mut data)?;
            sink.take(&data);
            Ok(())
        });
    }
    let mut data = vec![0xFA_u8; plan.size];
    per_path(plan, move |path, sink| {
        data.clear();
        call(path, &mut data)?;
        sink.take(&data);
        Ok(())
    })
}
