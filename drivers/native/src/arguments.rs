//! The command line: `describe`, or `run` and its arguments, checked as far as
//! that can be done without touching a file.

use super::failure::Refusal;
use super::methods::Operation;
use super::offsets::{Pattern, Steps};
use super::pool::POOL_BYTES;
use super::table;
use super::writing::Writing;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// What the driver is asked to do.
#[derive(Debug)]
pub(crate) enum Command {
    /// Say what methods there are.
    Describe,
    /// Perform operations.
    Run(Plan),
}

/// The arguments of `run`.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) operation: Operation,
    pub(crate) methods: Vec<String>,
    pub(crate) paths: Vec<CString>,
    /// Bytes in each file.
    pub(crate) size: usize,
    /// Bytes read at once; at least 1.
    pub(crate) block: usize,
    pub(crate) access: Access,
    pub(crate) alignment: Alignment,
    /// A new buffer for every operation.
    pub(crate) fresh_buffer: bool,
    /// An array in the frame of the operation; `open-read-close` only.
    pub(crate) stack_buffer: bool,
    /// What `search` counts; not empty.
    pub(crate) word: Vec<u8>,
    /// Threads that share the work; at least 1.
    pub(crate) threads: usize,
    pub(crate) algorithm: Algorithm,
    /// Reads in flight at once; at least 1.
    pub(crate) queue_depth: usize,
    pub(crate) writing: Writing,
    pub(crate) seed: u64,
    pub(crate) marks: bool,
    pub(crate) latencies: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Random,
    Sequential,
}

/// What `hash` computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Md5,
    Xxh64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    Aligned,
    Unaligned,
}

const USAGE: &str = "usage: describe, or run --operation OPERATION --method METHOD... --path PATH... --size BYTES \
                     [--block BYTES] [--access random|sequential] [--alignment aligned|unaligned] \
                     [--buffer reused|fresh|stack] [--word TEXT] [--threads N] [--algorithm md5|xxh64] [--queue-depth N] \
                     [--directory PATH] [--existing fresh|empty|data] [--write BYTES] [--close each|all|none] \
                     [--sync none|fsync|syncfs] [--content random|pattern] [--seed N] [--marks] [--latencies FILE]";

/// Reads the arguments that follow the program's name.
pub(crate) fn parse_command(mut arguments: impl Iterator<Item = OsString>) -> Result<Command, Refusal> {
    let command = arguments.next().ok_or_else(|| Refusal::Usage(USAGE.to_owned()))?;
    match command.to_str() {
        Some("describe") if arguments.next().is_none() => Ok(Command::Describe),
        Some("run") => parse_run(arguments).map(Command::Run),
        _ => Err(Refusal::Usage(USAGE.to_owned())),
    }
}

impl Plan {
    /// Bytes that `open-read-close` reads.
    pub(crate) fn first_block(&self) -> usize {
        self.block.min(self.size)
    }

    /// Bytes of the file that one operation delivers as they are; 0 of those with other answers.
    pub(crate) fn delivered(&self) -> usize {
        match self.operation {
            Operation::OpenReadClose => self.first_block(),
            Operation::ReadWhole | Operation::Reload => self.size,
            Operation::ReadBlock => self.block,
            _ => 0,
        }
    }

    /// The rule of paths and offsets.
    pub(crate) fn steps(&self) -> Steps {
        let pattern = match (self.access, self.alignment) {
            _ if !matches!(self.operation, Operation::ReadBlock | Operation::WriteBlock) => Pattern::Start,
            (Access::Random, Alignment::Aligned) => Pattern::RandomAligned,
            (Access::Random, Alignment::Unaligned) => Pattern::RandomUnaligned,
            (Access::Sequential, Alignment::Aligned) => Pattern::SequentialAligned,
            (Access::Sequential, Alignment::Unaligned) => Pattern::SequentialUnaligned,
        };
        Steps { pattern, paths: self.paths.len(), size: self.size, block: self.block, seed: self.seed }
    }
}

/// The arguments as far as they have been read.
#[derive(Default)]
struct Given {
    operation: Option<Operation>,
    methods: Vec<String>,
    paths: Vec<CString>,
    size: Option<usize>,
    block: Option<usize>,
    access: Option<Access>,
    alignment: Option<Alignment>,
    buffer: Option<(bool, bool)>,
    word: Option<Vec<u8>>,
    threads: Option<usize>,
    algorithm: Option<Algorithm>,
    queue_depth: Option<usize>,
    writing: Writing,
    seed: Option<u64>,
    marks: bool,
    latencies: Option<PathBuf>,
}

fn parse_run(mut arguments: impl Iterator<Item = OsString>) -> Result<Plan, Refusal> {
    let mut given = Given::default();
    while let Some(argument) = arguments.next() {
        let name = argument.to_string_lossy();
        if name == "--marks" {
            given.marks = true;
            continue;
        }
        let value = arguments.next().ok_or_else(|| usage(format!("unknown argument or no value: {name}")))?;
        given.take(&name, value)?;
    }
    given.into_plan()
}

impl Given {
    fn take(&mut self, name: &str, value: OsString) -> Result<(), Refusal> {
        let text = value.to_string_lossy().into_owned();
        let wrong = || usage(format!("wrong value of {name}: {text}"));
        if let Some(right) = self.writing.take(name, &value) {
            return if right { Ok(()) } else { Err(wrong()) };
        }
        match name {
            "--operation" => self.operation = Some(Operation::parse(&text).ok_or_else(wrong)?),
            "--method" => self.methods.push(text),
            "--path" => self.paths.push(CString::new(value.into_vec()).map_err(|_| wrong())?),
            "--path-list" => {
                let list = std::fs::read(&value).map_err(|error| usage(format!("{name} {text}: {error}")))?;
                for path in list.split_inclusive(|&byte| byte == 0) {
                    self.paths.push(CString::from_vec_with_nul(path.to_vec()).map_err(|_| wrong())?);
                }
            }
            "--size" => self.size = Some(parse_bytes(&text).ok_or_else(wrong)?),
            "--block" => self.block = Some(parse_bytes(&text).filter(|&n| n > 0).ok_or_else(wrong)?),
            "--access" => {
                let words = [("random", Access::Random), ("sequential", Access::Sequential)];
                self.access = Some(choose(&text, words).ok_or_else(wrong)?);
            }
            "--alignment" => {
                let words = [("aligned", Alignment::Aligned), ("unaligned", Alignment::Unaligned)];
                self.alignment = Some(choose(&text, words).ok_or_else(wrong)?);
            }
            "--buffer" => {
                let words = [("reused", (false, false)), ("fresh", (true, false)), ("stack", (false, true))];
                self.buffer = Some(choose(&text, words).ok_or_else(wrong)?);
            }
            "--word" => {
                let word = value.into_vec();
                self.word = Some(if word.is_empty() { return Err(wrong()) } else { word });
            }
            "--threads" => self.threads = Some(parse_threads(&text).ok_or_else(wrong)?),
            "--algorithm" => {
                let words = [("md5", Algorithm::Md5), ("xxh64", Algorithm::Xxh64)];
                self.algorithm = Some(choose(&text, words).ok_or_else(wrong)?);
            }
            "--queue-depth" => self.queue_depth = Some(parse_queue_depth(&text).ok_or_else(wrong)?),
            "--seed" => self.seed = Some(text.parse().map_err(|_| wrong())?),
            "--latencies" => self.latencies = Some(value.into()),
            _ => return Err(usage(format!("unknown argument: {name}"))),
        }
        Ok(())
    }

    fn into_plan(self) -> Result<Plan, Refusal> {
        let operation = self.operation.ok_or_else(|| usage("--operation is missing".to_owned()))?;
        if self.size.is_none() && operation.needs_size() {
            return Err(usage("--size is missing".to_owned()));
        }
        let (fresh_buffer, stack_buffer) = self.buffer.unwrap_or_default();
        let plan = Plan {
            operation,
            methods: self.methods,
            paths: self.paths,
            size: self.size.unwrap_or(0),
            block: self.block.unwrap_or(65536),
            access: self.access.unwrap_or(Access::Random),
            alignment: self.alignment.unwrap_or(Alignment::Aligned),
            fresh_buffer,
            stack_buffer,
            word: self.word.unwrap_or_else(|| b"ERROR".to_vec()),
            threads: self.threads.unwrap_or(1),
            algorithm: self.algorithm.unwrap_or(Algorithm::Md5),
            queue_depth: self.queue_depth.unwrap_or(1),
            writing: self.writing,
            seed: self.seed.unwrap_or(1),
            marks: self.marks,
            latencies: self.latencies,
        };
        plan.check()?;
        Ok(plan)
    }
}

impl Plan {
    fn check(&self) -> Result<(), Refusal> {
        let word = self.operation.word();
        if self.methods.is_empty() {
            return Err(usage("--method is missing".to_owned()));
        }
        for method in &self.methods {
            let Some(known) = table::find(method) else {
                return Err(usage(format!("unknown method: {method}")));
            };
            if !known.operations.contains(&self.operation) {
                return Err(usage(format!("method {method} cannot perform {word}")));
            }
        }
        if self.paths.is_empty() && self.operation.needs_paths() {
            return Err(usage("--path is missing".to_owned()));
        }
        if self.writing.directory.is_none() && self.operation.writes() {
            return Err(usage("--directory is missing".to_owned()));
        }
        if self.operation == Operation::WriteBlock && self.block > POOL_BYTES {
            return Err(usage(format!("{word} needs a block of at most {POOL_BYTES} bytes")));
        }
        if self.stack_buffer && !matches!(self.operation, Operation::OpenReadClose | Operation::Null) {
            return Err(Refusal::Unsupported(format!("no {word} with a buffer on the stack")));
        }
        let size_min = self.steps().size_min();
        if self.size < size_min {
            return Err(usage(format!(
                "{word} with this block and alignment needs a size of at least {size_min}"
            )));
        }
        Ok(())
    }
}

fn usage(message: String) -> Refusal {
    Refusal::Usage(message)
}

/// A number of bytes that a slice and an offset can have.
fn parse_bytes(text: &str) -> Option<usize> {
    text.parse().ok().filter(|&bytes| bytes <= (isize::MAX / 2).unsigned_abs())
}

/// A number of threads that a process can have.
fn parse_threads(text: &str) -> Option<usize> {
    text.parse().ok().filter(|threads| (1..=1024).contains(threads))
}

/// As many entries as a ring of the kernel can have.
fn parse_queue_depth(text: &str) -> Option<usize> {
    text.parse().ok().filter(|depth| (1..=32768).contains(depth))
}

fn choose<T, const N: usize>(text: &str, words: [(&str, T); N]) -> Option<T> {
    words.into_iter().find(|(word, _)| *word == text).map(|(_, value)| value)
}
