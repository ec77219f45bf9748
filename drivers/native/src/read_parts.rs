//! `read-whole` in parts: by several threads, or with several reads in flight.

use super::arguments::Plan;
use super::buffer::Buffer;
use super::failure::{Failure, Refusal};
use super::ffi::{MADV_SEQUENTIAL, MAP_POPULATE, O_DIRECT, O_RDONLY};
use super::methods::Method;
use super::parts::Parts;
use super::posix::{self, Fd, Mapping};
use super::ring_reads::{RingReader, Way};
use super::sink::Sink;
use super::support;
use std::ffi::{CStr, c_int};
use std::ops::Range;

/// The method of that name, if it is one of these.
pub(crate) fn method<'a>(name: &str, plan: &'a Plan) -> Result<Option<Box<dyn Method + 'a>>, Refusal> {
    Ok(Some(match name {
        "pread" => by_descriptor(plan, O_RDONLY, |fd, buffer, range, sink| {
            read_part(buffer, range, sink, |buffer, at| fd.pread(buffer, at))
        })?,
        "preadv2" => by_descriptor(plan, O_RDONLY, |fd, buffer, range, sink| {
            read_part(buffer, range, sink, |buffer, at| fd.preadv2(buffer, at))
        })?,
        "O_DIRECT+pread" => {
            support::check_direct_reads(plan)?;
            by_descriptor(plan, O_RDONLY | O_DIRECT, |fd, buffer, range, sink| {
                read_part(buffer, range, sink, |buffer, at| fd.pread(buffer, at))
            })?
        }
        "mmap" => by_mapping(plan, 0, None)?,
        "mmap+MAP_POPULATE" => by_mapping(plan, MAP_POPULATE, None)?,
        "mmap+MADV_SEQUENTIAL" => by_mapping(plan, 0, Some(MADV_SEQUENTIAL))?,
        "io_uring" => by_rings(plan, Way::Plain, O_RDONLY)?,
        "io_uring+O_DIRECT" => {
            support::check_direct_reads(plan)?;
            by_rings(plan, Way::Direct, O_RDONLY | O_DIRECT)?
        }
        _ => return Ok(None),
    }))
}

/// The size is that of the moment the file is opened.
pub(crate) fn open_sized(path: &CStr, flags: c_int) -> Result<(Fd, usize), Failure> {
    let fd = posix::open(path, flags)?;
    let size = fd.size()?;
    Ok((fd, size))
}

fn by_descriptor<'a>(
    plan: &'a Plan,
    flags: c_int,
    read: impl Fn(&Fd, &mut Buffer, Range<usize>, &mut Sink) -> Result<(), Failure> + Copy + Send + 'a,
) -> Result<Box<dyn Method + 'a>, Refusal> {
    let direct = flags & O_DIRECT != 0;
    let make_buffer = if direct { Buffer::for_direct_io } else { Buffer::new };
    let make_reader = || {
        let mut buffer = make_buffer(plan.block, plan.fresh_buffer);
        Ok(move |fd: &Fd, range: Range<usize>, sink: &mut Sink| read(fd, &mut buffer, range, sink))
    };
    Ok(Box::new(Parts::new(plan, move |path: &CStr| open_sized(path, flags), make_reader)?))
}

/// A ring for each thread.
fn by_rings(plan: &Plan, way: Way, flags: c_int) -> Result<Box<dyn Method + '_>, Refusal> {
    let make_reader = || {
        let mut reader = RingReader::new(plan, way)?;
        Ok(move |fd: &Fd, range: Range<usize>, sink: &mut Sink| reader.read_part(fd, range, sink))
    };
    Ok(Box::new(Parts::new(plan, move |path: &CStr| open_sized(path, flags), make_reader)?))
}

/// Whole blocks, since a part begins and ends at one or at the end of the file.
fn read_part<'b>(
    buffer: &'b mut Buffer,
    range: Range<usize>,
    sink: &mut Sink,
    read: impl for<'p> Fn(&'p mut [std::mem::MaybeUninit<u8>], usize) -> Result<&'p [u8], Failure>,
) -> Result<(), Failure> {
    let mut own = None;
    let buffer = buffer.lend(&mut own);
    let mut offset = range.start;
    while offset < range.end {
        let piece = read(buffer, offset)?;
        if piece.is_empty() {
            return Err(Failure::short("read"));
        }
        offset += piece.len();
        sink.take(piece);
    }
    Ok(())
}

/// The descriptor is closed after the mapping is gone: fields go in their order.
struct Mapped {
    /// `None` of an empty file, which cannot be mapped and needs not be.
    mapping: Option<Mapping>,
    _fd: Fd,
}

fn by_mapping(plan: &Plan, flags: c_int, advice: Option<c_int>) -> Result<Box<dyn Method + '_>, Refusal> {
    let open = move |path: &CStr| {
        let (fd, size) = open_sized(path, O_RDONLY)?;
        let mapping = if size > 0 { Some(Mapping::new(&fd, size, flags)?) } else { None };
        if let (Some(mapping), Some(advice)) = (&mapping, advice) {
            mapping.advise(advice)?;
        }
        Ok((Mapped { mapping, _fd: fd }, size))
    };
    let touch = |mapped: &Mapped, range: Range<usize>, sink: &mut Sink| {
        sink.take(mapped.mapping.as_ref().map_or(&[][..], |mapping| &mapping.bytes()[range]));
        Ok(())
    };
    Ok(Box::new(Parts::new(plan, open, || Ok(touch))?))
}
