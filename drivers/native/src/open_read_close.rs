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
use std::mem::MaybeUninit;

/// The method of that name.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    if plan.stack_buffer {
        return on_stack(name, plan);
    }
    Ok(match name {
        "read" => with_buffer(plan, read),
        "pread" => with_buffer(plan, pread),
        "preadv2" => with_buffer(plan, preadv2),
        "readv" => with_buffer(plan, readv),
        "fread" => with_buffer(plan, fread),
        "File+read" => with_zeroed_buffer(plan),
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

/// The same into an array of the frame, whose size the compiler has to know.
fn on_stack<'a>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    match plan.block {
        512 => into_array::<512>(name, plan),
        1024 => into_array::<1024>(name, plan),
        4096 => into_array::<4096>(name, plan),
        8096 => into_array::<8096>(name, plan),
        other => Err(Refusal::Unsupported(format!(
            "a buffer on the stack has a size known to the compiler: 512, 1024, 4096 and 8096 bytes, not {other}"
        ))),
    }
}

fn into_array<'a, const SIZE: usize>(name: &str, plan: &'a Plan) -> Result<Box<dyn Method + 'a>, Refusal> {
    Ok(match name {
        "read" => with_array::<SIZE>(plan, read),
        "pread" => with_array::<SIZE>(plan, pread),
        "preadv2" => with_array::<SIZE>(plan, preadv2),
        "readv" => with_array::<SIZE>(plan, readv),
        "fread" => with_array::<SIZE>(plan, fread),
        "File+read" => {
            let length = plan.first_block();
            per_path(plan, move |path, sink| file_read(path, &mut [0; SIZE][..length], sink))
        }
        _ => return Err(Refusal::Unsupported(format!("{name}: no form with a buffer on the stack"))),
    })
}

fn read(path: &CStr, buffer: &mut [MaybeUninit<u8>], sink: &mut Sink) -> Result<(), Failure> {
    sink.take(posix::open(path, O_RDONLY)?.read(buffer)?);
    Ok(())
}

fn pread(path: &CStr, buffer: &mut [MaybeUninit<u8>], sink: &mut Sink) -> Result<(), Failure> {
    sink.take(posix::open(path, O_RDONLY)?.pread(buffer, 0)?);
    Ok(())
}

fn preadv2(path: &CStr, buffer: &mut [MaybeUninit<u8>], sink: &mut Sink) -> Result<(), Failure> {
    sink.take(posix::open(path, O_RDONLY)?.preadv2(buffer, 0)?);
    Ok(())
}

fn readv(path: &CStr, buffer: &mut [MaybeUninit<u8>], sink: &mut Sink) -> Result<(), Failure> {
    sink.take(posix::open(path, O_RDONLY)?.readv(buffer)?);
    Ok(())
}

fn fread(path: &CStr, buffer: &mut [MaybeUninit<u8>], sink: &mut Sink) -> Result<(), Failure> {
    sink.take(Stream::open(path)?.read(buffer)?);
    Ok(())
}

fn file_read(path: &CStr, buffer: &mut [u8], sink: &mut Sink) -> Result<(), Failure> {
    let mut file = open_file(path)?;
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
    call: impl Fn(&CStr, &mut [MaybeUninit<u8>], &mut Sink) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    let (mut buffer, length) = (Buffer::new(plan.block, plan.fresh_buffer), plan.first_block());
    per_path(plan, move |path, sink| {
        let mut own = None;
        call(path, &mut buffer.lend(&mut own)[..length], sink)
    })
}

fn with_zeroed_buffer(plan: &Plan) -> Box<dyn Method + '_> {
    let (mut buffer, length) = (Buffer::new(plan.block, plan.fresh_buffer), plan.first_block());
    per_path(plan, move |path, sink| {
        let mut own = Vec::new();
        file_read(path, &mut buffer.lend_zeroed(&mut own)[..length], sink)
    })
}

fn with_array<'a, const SIZE: usize>(
    plan: &'a Plan,
    call: impl Fn(&CStr, &mut [MaybeUninit<u8>], &mut Sink) -> Result<(), Failure> + 'a,
) -> Box<dyn Method + 'a> {
    let length = plan.first_block();
    per_path(plan, move |path, sink| {
        let mut array = [MaybeUninit::uninit(); SIZE];
        call(path, &mut array[..length], sink)
    })
}

fn mapped(plan: &Plan, flags: c_int) -> Box<dyn Method + '_> {
    let length = plan.first_block();
    per_path(plan, move |path, sink| map(path, length, flags, sink))
}
