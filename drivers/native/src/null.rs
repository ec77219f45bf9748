//! `null`: everything but the I/O, which prices the loop. It delivers the same
//! bytes as any other method, out of memory that it fills before the clock.

use super::arguments::Plan;
use super::batch::Sums;
use super::failure::{Failure, Refusal};
use super::methods::{FailureAt, Method, Operation};
use super::null_crew::NullCrew;
use super::offsets::Step;
use super::open_close::as_path;
use super::parts::part_of;
use super::sink::{STRIDE_BYTES, Sink};
use super::spread::start_crew;
use super::stage::Stage;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Up to this many bytes the files are held whole; of larger ones only what
/// the digest needs is read.
const HELD_BYTES_MAX: usize = 256 << 20;

/// The method `null` for the plan's operation.
pub(crate) fn method(plan: &Plan) -> Result<Box<dyn Method + '_>, Refusal> {
    let mut null = Null::with_limit(plan, HELD_BYTES_MAX);
    if matches!(plan.operation, Operation::ReadWhole | Operation::ReadBlock) {
        null.crew = start_crew(plan)?.map(|crew| NullCrew::new(crew, plan.threads));
    }
    Ok(Box::new(null))
}

struct Null<'a> {
    plan: &'a Plan,
    /// What one operation delivers of each path.
    lengths: Vec<usize>,
    source: Source,
    /// One for each path, once taken up.
    held: Vec<Vec<u8>>,
    /// The digest's bytes of the batch to come, one operation after the other.
    gathered: Vec<u8>,
    /// Where the next operation's begin.
    next: usize,
    /// `None` where this thread does it all.
    crew: Option<NullCrew>,
}

/// Where the timed operations have their bytes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// From nowhere: the operation delivers no data.
    Nothing,
    /// `held` has all bytes that an operation delivers.
    Whole,
    /// `held` has the digest's bytes of what an operation delivers.
    Sampled,
    /// `gathered`, which is filled before each batch: out of `held`, which has
    /// the files, or else out of the files themselves. A block somewhere in a
    /// large memory would cost the misses that a read into a buffer does not have.
    Gathered { held: bool },
}

/// What one operation delivers of each path: of whole files all of it, which is `--size` at least.
fn lengths_of(plan: &Plan) -> Vec<usize> {
    let whole = matches!(plan.operation, Operation::ReadWhole | Operation::Reload);
    let of = |path: &CString| {
        let found = if whole { std::fs::metadata(as_path(path)).ok() } else { None };
        let found = found.and_then(|found| usize::try_from(found.len()).ok());
        found.unwrap_or(0).max(plan.delivered())
    };
    plan.paths.iter().map(of).collect()
}

impl<'a> Null<'a> {
    fn with_limit(plan: &'a Plan, limit_bytes: usize) -> Self {
        let block_wise = plan.operation == Operation::ReadBlock;
        let lengths = lengths_of(plan);
        let held = if block_wise { plan.size.saturating_mul(plan.paths.len()) } else { lengths.iter().sum() };
        let fits = held <= limit_bytes;
        let source = match plan.operation {
            Operation::ReadBlock => Source::Gathered { held: fits },
            Operation::OpenReadClose | Operation::ReadWhole | Operation::Reload if fits => Source::Whole,
            Operation::OpenReadClose | Operation::ReadWhole | Operation::Reload => Source::Sampled,
            _ => Source::Nothing,
        };
        Self { plan, lengths, source, held: Vec::new(), gathered: Vec::new(), next: 0, crew: None }
    }

    fn load(&self, path: usize) -> Result<Vec<u8>, FailureAt> {
        let block_wise = self.plan.operation == Operation::ReadBlock;
        let length = if block_wise { self.plan.size } else { self.lengths[path] };
        let mut kept = Vec::new();
        self.read_pieces(Step { path, offset: 0 }, length, |piece, bytes| {
            debug_assert!(piece.is_multiple_of(STRIDE_BYTES), "pieces are whole strides");
            match self.source {
                Source::Sampled => kept.extend(bytes.iter().step_by(STRIDE_BYTES)),
                _ => kept.extend_from_slice(bytes),
            }
        })
        .map_err(|failure| FailureAt { failure, path })?;
        Ok(kept)
    }

    fn gather_held(&self, step: Step, gathered: &mut Vec<u8>) -> Result<(), Failure> {
        let block = self.held[step.path].get(step.offset..step.offset + self.lengths[step.path]);
        gathered.extend(block.ok_or_else(|| Failure::short("null"))?.iter().step_by(STRIDE_BYTES));
        Ok(())
    }

    fn gather(&self, step: Step, gathered: &mut Vec<u8>) -> Result<(), Failure> {
        self.read_pieces(step, self.lengths[step.path], |_, bytes| {
            gathered.extend(bytes.iter().step_by(STRIDE_BYTES));
        })
    }

    /// A part for each thread, as methods that read have it.
    fn perform_in_parts(&self, step: Step, sink: &mut Sink) {
        let Some(crew) = &self.crew else { return };
        let (held, whole) = (&self.held[step.path], self.source == Source::Whole);
        let sums = crew.share(|number, sink| {
            let range = part_of(self.lengths[step.path], self.plan.block, number, self.plan.threads);
            let length = range.len();
            if whole {
                *sink = Sink::starting_at(range.start);
                sink.take(&held[range]);
                sink.bytes = length as u64;
            } else {
                let samples = range.start.div_ceil(STRIDE_BYTES)..range.end.div_ceil(STRIDE_BYTES);
                sink.take_sampled(&held[samples], length);
            }
        });
        sink.bytes += sums.bytes;
        sink.digest += sums.digest;
    }

    /// Hands on the bytes at a step in pieces of whole strides, each with its position.
    fn read_pieces(
        &self,
        step: Step,
        length: usize,
        mut hand_on: impl FnMut(usize, &[u8]),
    ) -> Result<(), Failure> {
        const PIECE_BYTES: usize = 256 * STRIDE_BYTES;
        let fail = |error: io::Error| Failure::of("null", &error);
        let file = File::open(as_path(&self.plan.paths[step.path])).map_err(fail)?;
        let mut piece = vec![0; PIECE_BYTES.min(length)];
        for position in (0..length).step_by(PIECE_BYTES) {
            let piece = &mut piece[..PIECE_BYTES.min(length - position)];
            file.read_exact_at(piece, (step.offset + position) as u64).map_err(fail)?;
            hand_on(position, piece);
        }
        Ok(())
    }
}

impl Method for Null<'_> {
    /// What is held is memory of its own, which hinders no eviction: it is
    /// loaded once and kept.
    fn take_up(&mut self) -> Result<(), FailureAt> {
        if matches!(self.source, Source::Whole | Source::Sampled | Source::Gathered { held: true }) {
            while self.held.len() < self.plan.paths.len() {
                self.held.push(self.load(self.held.len())?);
            }
        }
        Ok(())
    }

    fn foresee(&mut self, steps: &[Step]) -> Result<(), FailureAt> {
        let Source::Gathered { held } = self.source else { return Ok(()) };
        let mut gathered = std::mem::take(&mut self.gathered);
        gathered.clear();
        for &step in steps {
            let gather =
                if held { self.gather_held(step, &mut gathered) } else { self.gather(step, &mut gathered) };
            gather.map_err(|failure| FailureAt { failure, path: step.path })?;
        }
        self.gathered = gathered;
        self.next = 0;
        Ok(())
    }

    fn prepare(&mut self, steps: &[Step], _: u64, _: &mut Stage) -> Result<(), FailureAt> {
        if let (Some(crew), Some(_)) = (&self.crew, &self.plan.latencies) {
            crew.reserve_latencies(steps.len());
        }
        Ok(())
    }

    fn perform_together(
        &mut self,
        steps: &[Step],
        latencies_ns: Option<&mut [u64]>,
    ) -> Option<Result<Sums, FailureAt>> {
        let (Some(crew), Source::Gathered { .. }) = (&self.crew, self.source) else { return None };
        // Blocks, which are of one length.
        let length = self.plan.delivered();
        let samples = length.div_ceil(STRIDE_BYTES);
        let gathered = &self.gathered[self.next..];
        self.next += steps.len() * samples;
        Some(Ok(crew.spread(steps.len(), latencies_ns, |number, sink| {
            sink.take_sampled(&gathered[number * samples..][..samples], length);
        })))
    }

    fn perform(&mut self, step: Step, sink: &mut Sink) -> Result<(), Failure> {
        let length = self.lengths.get(step.path).copied().unwrap_or(0);
        let samples = length.div_ceil(STRIDE_BYTES);
        match self.source {
            Source::Whole | Source::Sampled if self.crew.is_some() && !sink.verifies() => {
                self.perform_in_parts(step, sink);
            }
            Source::Nothing => {}
            Source::Whole => {
                let bytes = self.held[step.path].get(step.offset..step.offset + length);
                sink.take(bytes.ok_or_else(|| Failure::short("null"))?);
            }
            _ if sink.verifies() => return self.read_pieces(step, length, |_, bytes| sink.take(bytes)),
            Source::Sampled => sink.take_sampled(&self.held[step.path], length),
            Source::Gathered { .. } => {
                sink.take_sampled(&self.gathered[self.next..self.next + samples], length);
                self.next += samples;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::arguments::{Access, Algorithm, Alignment};
    use super::super::writing::Writing;
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    const SIZE: usize = 3 * 256 * STRIDE_BYTES + 1234;

    fn plan(operation: Operation, path: &std::path::Path) -> Plan {
        Plan {
            operation,
            methods: vec!["null".into()],
            paths: vec![CString::new(path.as_os_str().as_bytes()).unwrap()],
            size: SIZE,
            block: 10_000,
            access: Access::Random,
            alignment: Alignment::Unaligned,
            fresh_buffer: false,
            stack_buffer: false,
            word: b"ERROR".to_vec(),
            threads: 1,
            algorithm: Algorithm::Md5,
            queue_depth: 1,
            writing: Writing::default(),
            seed: 5,
            marks: false,
            latencies: None,
        }
    }

    /// Bytes, digest and CRC of operation `k`.
    fn outcome(plan: &Plan, limit_bytes: usize, k: u64) -> (u64, u64, u32) {
        let mut null = Null::with_limit(plan, limit_bytes);
        null.take_up().map_err(|at| at.failure).unwrap();
        let steps: Vec<Step> = (0..=k).map(|k| plan.steps().step(k)).collect();
        null.foresee(&steps).map_err(|at| at.failure).unwrap();
        let mut timed = Sink::counting();
        for &step in &steps {
            timed = Sink::counting();
            null.perform(step, &mut timed).unwrap();
        }
        let mut verifying = Sink::verifying();
        null.perform(*steps.last().unwrap(), &mut verifying).unwrap();
        assert_eq!((timed.bytes, timed.digest), (verifying.bytes, verifying.digest));
        (timed.bytes, timed.digest, verifying.crc32())
    }

    #[test]
    fn files_too_large_to_hold_give_what_held_ones_give() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("data");
        let data: Vec<u8> = (0..SIZE).map(|i| u8::try_from((i * 31 + i / 4096) % 251).unwrap()).collect();
        std::fs::write(&path, &data).unwrap();
        for operation in [Operation::ReadWhole, Operation::OpenReadClose, Operation::ReadBlock] {
            let plan = plan(operation, &path);
            let offset = plan.steps().step(3).offset;
            let delivered = &data[offset..offset + plan.delivered()];
            let digest = delivered.iter().step_by(4096).map(|&byte| u64::from(byte)).sum();
            let held = outcome(&plan, usize::MAX, 3);
            assert_eq!((held.0, held.1), (delivered.len() as u64, digest), "{operation:?}");
            assert_eq!(held, outcome(&plan, 100, 3), "{operation:?}");
        }
    }

    #[test]
    fn a_file_shorter_than_said_is_a_failure() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("data");
        std::fs::write(&path, b"short").unwrap();
        let plan = plan(Operation::ReadWhole, &path);
        let failure = Null::with_limit(&plan, usize::MAX).take_up().unwrap_err().failure;
        assert_eq!(failure, Failure { call: "null", errno: 61 });
    }
}
