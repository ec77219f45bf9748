//! `read-block`: read one block of a file that is open, or mapped, already.

use super::arguments::Plan;
use super::buffer::{Buffer, copied};
use super::failure::{Failure, Refusal};
use super::ffi::{
    MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MAP_POPULATE, O_DIRECT, O_RDONLY, POSIX_FADV_RANDOM,
    POSIX_FADV_SEQUENTIAL,
};
use super::methods::{FailureAt, Method, not_here};
use super::offsets::Step;
use super::open_close::open_file;
use super::posix::{self, Fd, Mapping};
use super::ring_reads::{RingReader, Way};
use super::sink::Sink;
use super::spread::{OneByOne, Spread};
use super::stdio::Stream;
use super::support;
use std::ffi::{CStr, c_int};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    let mut buffer = Buffer::new(plan.block, plan.fresh_buffer);
    Ok(match name {
        "read" => held(plan, open, move |fd, at, sink| read(fd, at, &mut buffer, sink)),
        "readv" => held(plan, open, move |fd, at, sink| readv(fd, at, &mut buffer, sink)),
        "fread" => held(plan, Stream::open, move |stream, at, sink| fread(stream, at, &mut buffer, sink)),
        "File+read_exact_at" => {
            held(plan, open_file, move |file, at, sink| read_exact_at(file, at, &mut buffer, sink))
        }
        "pread" => by_threads(plan, open, || preader(plan))?,
        "pread+FADV_RANDOM" => by_threads(plan, |path| advised(path, POSIX_FADV_RANDOM), || preader(plan))?,
        "pread+FADV_SEQUENTIAL" => {
            by_threads(plan, |path| advised(path, POSIX_FADV_SEQUENTIAL), || preader(plan))?
        }
        "preadv2" => by_threads(plan, open, || {
            let mut buffer = Buffer::new(plan.block, plan.fresh_buffer);
            move |fd: &Fd, at, sink: &mut Sink| preadv2(fd, at, &mut buffer, sink)
        })?,
        "O_DIRECT+pread" => {
            support::check_direct_reads(plan)?;
            by_threads(plan, open_direct, || {
                let mut buffer = Buffer::for_direct_io(plan.block, plan.fresh_buffer);
                move |fd: &Fd, at, sink: &mut Sink| pread(fd, at, &mut buffer, sink)
            })?
        }
        "mmap" => by_threads(plan, |path| map(path, 0), || toucher(plan))?,
        "mmap+MAP_POPULATE" => by_threads(plan, |path| map(path, MAP_POPULATE), || toucher(plan))?,
        "mmap+MADV_RANDOM" => by_threads(plan, |path| map_advised(path, MADV_RANDOM), || toucher(plan))?,
        "mmap+MADV_SEQUENTIAL" => {
            by_threads(plan, |path| map_advised(path, MADV_SEQUENTIAL), || toucher(plan))?
        }
        "mmap+MADV_WILLNEED" => by_threads(plan, |path| map_advised(path, MADV_WILLNEED), || toucher(plan))?,
        "mmap+copy" => by_threads(
            plan,
            |path| map(path, 0),
            || {
                let (mut buffer, block) = (Buffer::new(plan.block, plan.fresh_buffer), plan.block);
                move |mapping: &Mapping, at, sink: &mut Sink| copy(mapping, at, block, &mut buffer, sink)
            },
        )?,
        "io_uring" => by_rings(plan, Way::Plain, open)?,
        "io_uring+registered" => by_rings(plan, Way::Registered, open)?,
        "io_uring+O_DIRECT" => {
            support::check_direct_reads(plan)?;
            by_rings(plan, Way::Direct, open_direct)?
        }
        _ => return Err(not_here(name)),
    })
}

fn open(path: &CStr) -> Result<Fd, Failure> {
    posix::open(path, O_RDONLY)
}

fn advised(path: &CStr, advice: c_int) -> Result<Fd, Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    fd.advise(advice)?;
    Ok(fd)
}

fn open_direct(path: &CStr) -> Result<Fd, Failure> {
    posix::open(path, O_RDONLY | O_DIRECT)
}

/// The mapping outlives the descriptor.
fn map(path: &CStr, flags: c_int) -> Result<Mapping, Failure> {
    let fd = posix::open(path, O_RDONLY)?;
    let size = fd.size()?;
    Mapping::new(&fd, size, flags)
}

fn map_advised(path: &CStr, advice: c_int) -> Result<Mapping, Failure> {
    let mapping = map(path, 0)?;
    mapping.advise(advice)?;
    Ok(mapping)
}

fn preader(plan: &Plan) -> impl FnMut(&Fd, usize, &mut Sink) -> Result<(), Failure> + Send + use<> {
    let mut buffer = Buffer::new(plan.block, plan.fresh_buffer);
    move |fd, at, sink| pread(fd, at, &mut buffer, sink)
}

fn toucher(plan: &Plan) -> impl FnMut(&Mapping, usize, &mut Sink) -> Result<(), Failure> + Send + use<> {
    let block = plan.block;
    move |mapping, at, sink| touch(mapping, at, block, sink)
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

fn copy(
    mapping: &Mapping,
    offset: usize,
    block: usize,
    buffer: &mut Buffer,
    sink: &mut Sink,
) -> Result<(), Failure> {
    let mut own = None;
    let bytes = mapping.bytes().get(offset..offset + block).ok_or_else(|| Failure::short("mmap"))?;
    sink.take(copied(bytes, buffer.lend(&mut own)));
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

/// A method whose reads do not disturb each other: one after the other, or by
/// the threads of the plan, each with its own reader.
fn by_threads<'a, H: Sync + 'a, R>(
    plan: &'a Plan,
    open: impl Fn(&CStr) -> Result<H, Failure> + 'a,
    make_reader: impl Fn() -> R,
) -> Result<Box<dyn Method + 'a>, Refusal>
where
    R: FnMut(&H, usize, &mut Sink) -> Result<(), Failure> + Send + 'a,
{
    if plan.threads > 1 {
        return Ok(Box::new(Spread::new(plan, open, || Ok(OneByOne(make_reader())))?));
    }
    let mut read = make_reader();
    Ok(held(plan, open, move |held, at, sink| read(held, at, sink)))
}

/// A method with a ring for each thread.
fn by_rings<'a>(
    plan: &'a Plan,
    way: Way,
    open: impl Fn(&CStr) -> Result<Fd, Failure> + 'a,
) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(Box::new(Spread::new(plan, open, || RingReader::new(plan, way))?))
}
