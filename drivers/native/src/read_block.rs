//! `read-block`: read one block of a file that is open, or mapped, already.

use super::arguments::Plan;
use super::buffer::Buffer;
use super::failure::{Failure, Refusal};
use super::ffi::{O_DIRECT, O_RDONLY};
use super::methods::{FailureAt, Method, not_here};
use super::offsets::Step;
use super::open_close::open_file;
use super::posix::{self, Fd, Mapping};
use super::sink::Sink;
use super::stdio::Stream;
use super::support;
use std::ffi::CStr;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    let mut buffer = Buffer::new(plan.block, plan.fresh_buffer);
    let block = plan.block;
    Ok(match name {
        "read" => held(plan, open, move |fd, at, sink| read(fd, at, &mut buffer, sink)),
        "readv" => held(plan, open, move |fd, at, sink| readv(fd, at, &mut buffer, sink)),
        "pread" => held(plan, open, move |fd, at, sink| pread(fd, at, &mut buffer, sink)),
        "preadv2" => held(plan, open, move |fd, at, sink| preadv2(fd, at, &mut buffer, sink)),
        "pread+FADV_RANDOM" => {
            held(plan, open_for_random, move |fd, at, sink| pread(fd, at, &mut buffer, sink))
        }
        "O_DIRECT+pread" => {
            support::check_direct_reads(plan)?;
            let mut buffer = Buffer::for_direct_io(plan.block, plan.fresh_buffer);
            held(plan, open_direct, move |fd, at, sink| pread(fd, at, &mut buffer, sink))
        }
        "mmap" => held(plan, map, move |mapping, at, sink| touch(mapping, at, block, sink)),
        "mmap+MADV_RANDOM" => {
            held(plan, map_for_random, move |mapping, at, sink| touch(mapping, at, block, sink))
        }
        "fread" => held(plan, Stream::open, move |stream, at, sink| fread(stream, at, &mut buffer, sink)),
        "File+read_exact_at" => {
            held(plan, open_file, move |file, at, sink| read_exact_at(file, at, &mut buffer, sink))
        }
        _ => return Err(not_here(name)),
    })
}

fn open(path: &CStr) -> Result<Fd, Failure> {
    posix::open(path, O_RDONLY)
}

fn open_for_random(path: &CStr) -> Result<Fd, Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    fd.advise_random()?;
    Ok(fd)
}

fn open_direct(path: &CStr) -> Result<Fd, Failure> {
    posix::open(path, O_RDONLY | O_DIRECT)
}

/// The mapping outlives the descriptor.
fn map(path: &CStr) -> Result<Mapping, Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    Mapping::new(&fd, size, 0)
}

fn map_for_random(path: &CStr) -> Result<Mapping, Failure> {
    let mapping = map(path)?;
    mapping.advise_random()?;
    Ok(mapping)
}

fn read(fd: &Fd, offset: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    fd.seek(offset)?;
    sink.take(fd.read(buffer.lend(&mut own))?);
    Ok(())
}

fn readv(fd: &Fd, offset: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    fd.seek(offset)?;
    sink.take(fd.readv(buffer.lend(&mut own))?);
    Ok(())
}

fn pread(fd: &Fd, offset: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    sink.take(fd.pread(buffer.lend(&mut own), offset)?);
    Ok(())
}

fn preadv2(fd: &Fd, offset: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    sink.take(fd.preadv2(buffer.lend(&mut own), offset)?);
    Ok(())
}

fn fread(stream: &mut Stream, offset: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = None;
    stream.seek(offset)?;
    sink.take(stream.read(buffer.lend(&mut own))?);
    Ok(())
}

fn read_exact_at(file: &File, offset: usize, buffer: &mut Buffer, sink: &mut Sink) -> Result<(), Failure> {
    let mut own = Vec::new();
    let buffer = buffer.lend_zeroed(&mut own);
    file.read_exact_at(buffer, offset as u64)
        .map_err(|error| Failure::of("FileExt::read_exact_at", &error))?;
    sink.take(buffer);
    Ok(())
}

fn touch(mapping: &Mapping, offset: usize, block: usize, sink: &mut Sink) -> Result<(), Failure> {
    let bytes = mapping.bytes().get(offset..offset + block).ok_or_else(|| Failure::short("mmap"))?;
    sink.take(bytes);
    Ok(())
}

/// A method that holds something for every path between operations.
struct Held<'a, H, O, R> {
    plan: &'a Plan,
    open: O,
    read: R,
    items: Vec<H>,
}

impl<H, O, R> Method for Held<'_, H, O, R>
where
    O: Fn(&CStr) -> Result<H, Failure>,
    R: FnMut(&mut H, usize, &mut Sink) -> Result<(), Failure>,
{
    fn take_up(&mut self) -> Result<(), FailureAt> {
        while let Some(path) = self.plan.paths.get(self.items.len()) {
            let opened = (self.open)(path);
            self.items.push(opened.map_err(|failure| FailureAt { failure, path: self.items.len() })?);
        }
        Ok(())
    }

    fn release(&mut self) {
        self.items.clear();
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        (self.read)(&mut self.items[step.path], step.offset, sink)
    }
}

fn held<'a, H: 'a>(
    plan: &'a Plan,
    open: impl Fn(&CStr) -> Result<H, Failure> + 'a,
    read: impl FnMut(&mut H, usize, &mut Sink) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    Box::new(Held { plan, open, read, items: Vec::new() })
}
