//! What is read by `io_uring`: blocks of files that are open, and parts of one.

use super::batch::Sums;
use super::clock;
use super::failure::Failure;
use super::methods::FailureAt;
use super::offsets::Step;
use super::posix::Fd;
use super::ring_reads::{Piece, RingReader};
use super::sink::Sink;
use super::spread::Reader;
use std::collections::BTreeMap;
use std::ops::Range;

impl Reader<Fd> for RingReader {
    fn take_up(&mut self, held: &[Fd]) -> Result<(), Failure> {
        self.register_files(held)
    }

    fn release(&mut self) {
        self.unregister_files();
    }

    fn read_all(
        &mut self,
        held: &[Fd],
        steps: &[Step],
        mut latencies_ns: Option<&mut [u64]>,
    ) -> Result<Sums, FailureAt> {
        let (way, block) = (self.way, self.block);
        let piece = |number: usize| {
            let Step { path, offset } = steps[number];
            Piece { file: way.file(held, path), offset, due: block }
        };
        let mut sums = Sums::default();
        let timed = latencies_ns.is_some();
        let read = self.read_pieces(steps.len(), timed, piece, |number, bytes, began_ns| {
            let mut sink = Sink::counting();
            sink.take(bytes);
            sums.add(&sink);
            if let Some(latencies_ns) = &mut latencies_ns {
                latencies_ns[number] = clock::monotonic_ns() - began_ns;
            }
        });
        match read {
            Ok(()) => Ok(sums),
            Err((number, failure)) => Err(FailureAt { failure, path: steps[number].path }),
        }
    }

    fn read_one(&mut self, held: &[Fd], step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let piece = Piece { file: self.way.file(held, step.path), offset: step.offset, due: self.block };
        let read = self.read_pieces(1, false, |_| piece, |_, bytes, _| sink.take(bytes));
        read.map_err(|(_, failure)| failure)
    }
}

impl RingReader {
    /// A part of a file, in pieces of a block, the digest's bytes counted from the file's first.
    pub(crate) fn read_part(&mut self, fd: &Fd, range: Range<usize>, sink: &mut Sink) -> Result<(), Failure> {
        let (block, file) = (self.block, fd.number());
        let count = range.len().div_ceil(block);
        let piece = |number| {
            let offset = range.start + number * block;
            Piece { file, offset, due: block.min(range.end - offset) }
        };
        if sink.verifies() {
            let mut order = InOrder { sink, next: 0, early: BTreeMap::new() };
            let read = self.read_pieces(count, false, piece, |number, bytes, _| order.take(number, bytes));
            return read.map_err(|(_, failure)| failure);
        }
        let mut digest = 0;
        let read = self.read_pieces(count, false, piece, |number, bytes, _| {
            let mut sink = Sink::starting_at(range.start + number * block);
            sink.take(bytes);
            digest += sink.digest;
        });
        read.map_err(|(_, failure)| failure)?;
        sink.bytes += range.len() as u64;
        sink.digest += digest;
        Ok(())
    }
}

/// Gives a sink the pieces in their order, whatever the order they come in.
struct InOrder<'s> {
    sink: &'s mut Sink,
    next: usize,
    early: BTreeMap<usize, Vec<u8>>,
}

impl InOrder<'_> {
    fn take(&mut self, number: usize, bytes: &[u8]) {
        if number != self.next {
            self.early.insert(number, bytes.to_vec());
            return;
        }
        self.sink.take(bytes);
        self.next += 1;
        while let Some(bytes) = self.early.remove(&self.next) {
            self.sink.take(&bytes);
            self.next += 1;
        }
    }
}
