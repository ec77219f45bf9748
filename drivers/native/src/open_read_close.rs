//! `open-read-close`: open, one read at offset 0, close.

use super::arguments::Plan;
use super::buffer::Buffer;
use super::failure::{Failure, Refusal};
use super::ffi::{MAP_POPULATE, O_DIRECT, O_RDONLY};
use super::methods::{Method, not_here, per_path};
use super::open_close::open_file;
use super::posix::{self, Mapping};
use super::sink::Sink;
use super::stdio::Stream;
use super::support;
use std::ffi::{CStr, c_int};
use std::io::Read;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "read" => with_buffer(plan, read),
        "pread" => with_buffer(plan, pread),
        "preadv2" => with_buffer(plan, preadv2),
        "readv" => with_buffer(plan, readv),
        "fread" => with_buffer(plan, fread),
        "File+read" => with_buffer(plan, file_read),
        "mmap" => mapped(plan, 0),
        "mmap+MAP_POPULATE" => mapped(plan, MAP_POPULATE),
        "O_DIRECT+pread" => {
            support::check_direct_reads(plan)?;
            let mut buffer = Buffer::for_direct_io(plan.block, plan.fresh_buffer);
            per_path(plan, move |path, sink| direct_pread(path, &mut buffer, sink))
        }
        _ => return Err(not_here(name)),
    })
}

fn read(path: &CStr, length: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    sink.take(fd.read(&mut buffer.lend(&mut own)[..length])?);
    Ok(())
}

fn pread(path: &CStr, length: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    sink.take(fd.pread(&mut buffer.lend(&mut own)[..length], 0)?);
    Ok(())
}

fn preadv2(path: &CStr, length: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    sink.take(fd.preadv2(&mut buffer.lend(&mut own)[..length], 0)?);
    Ok(())
}

fn readv(path: &CStr, length: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY)?;
    sink.take(fd.readv(&mut buffer.lend(&mut own)[..length])?);
    Ok(())
}

fn fread(path: &CStr, length: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let mut stream = Stream::open(path)?;
    sink.take(stream.read(&mut buffer.lend(&mut own)[..length])?);
    Ok(())
}

fn file_read(path: &CStr, length: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = Vec::new();
    let mut file = open_file(path)?;
    let buffer = &mut buffer.lend_zeroed(&mut own)[..length];
    let count = file.read(buffer).map_err(|error| Failure::of("Read::read", &error))?;
    sink.take(&buffer[..count]);
    Ok(())
}

/// Asks for the whole block: direct I/O takes aligned lengths only, and the
/// end of the file cuts it short.
fn direct_pread(path: &CStr, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    let fd = posix::open(path, O_RDONLY | O_DIRECT)?;
    sink.take(fd.pread(buffer.lend(&mut own), 0)?);
    Ok(())
}

/// The size is known, so that nothing beyond the end is touched.
fn map(path: &CStr, length: usize, flags: c_int, sink: &mut Sink) -> Result<(), Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    if length > 0 {
        sink.take(Mapping::new(&fd, length, flags)?.bytes());
    }
    Ok(())
}

fn with_buffer<'a>(
    plan: &'a Plan,
    call: impl Fn(&CStr, usize, &mut Buffer, &mut Sink) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    let (mut buffer, length) = (Buffer::new(plan.block, plan.fresh_buffer), plan.first_block());
    per_path(plan, move |path, sink| call(path, length, &mut buffer, sink))
}

fn mapped(plan: &Plan, flags: c_int) -> Box<dyn Method + '_> {
    let length = plan.first_block();
    per_path(plan, move |path, sink| map(path, length, flags, sink))
}
