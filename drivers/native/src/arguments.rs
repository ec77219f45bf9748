//! The command line: `describe`, or `run` and its arguments, checked as far as
//! that can be done without touching a file.

use super::failure::Refusal;
use super::methods::{self, Operation};
use super::offsets::{Pattern, Steps};
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
    pub(crate) seed: u64,
    pub(crate) marks: bool,
    pub(crate) latencies: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Random,
    Sequential,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    Aligned,
    Unaligned,
}

const USAGE: &str = "usage: describe, or run --operation OPERATION --method METHOD... --path PATH... --size BYTES \
                     [--block BYTES] [--access random|sequential] [--alignment aligned|unaligned] \
                     [--buffer reused|fresh] [--seed N] [--marks] [--latencies FILE]";

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

    /// Bytes that one operation delivers.
    pub(crate) fn delivered(&self) -> usize {
        match self.operation {
            Operation::Null | Operation::OpenClose => 0,
            Operation::OpenReadClose => self.first_block(),
            Operation::ReadWhole => self.size,
            Operation::ReadBlock => self.block,
        }
    }

    /// The rule of paths and offsets.
    pub(crate) fn steps(&self) -> Steps {
        let pattern = match (self.operation, self.access, self.alignment) {
            (Operation::ReadBlock, Access::Random, Alignment::Aligned) => Pattern::RandomAligned,
            (Operation::ReadBlock, Access::Random, Alignment::Unaligned) => Pattern::RandomUnaligned,
            (Operation::ReadBlock, Access::Sequential, Alignment::Aligned) => Pattern::SequentialAligned,
            (Operation::ReadBlock, Access::Sequential, Alignment::Unaligned) => Pattern::SequentialUnaligned,
            _ => Pattern::Start,
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
    fresh_buffer: Option<bool>,
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
        match name {
            "--operation" => self.operation = Some(Operation::parse(&text).ok_or_else(wrong)?),
            "--method" => self.methods.push(text),
            "--path" => self.paths.push(CString::new(value.into_vec()).map_err(|_| wrong())?),
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
                self.fresh_buffer =
                    Some(choose(&text, [("reused", false), ("fresh", true)]).ok_or_else(wrong)?);
            }
            "--seed" => self.seed = Some(text.parse().map_err(|_| wrong())?),
            "--latencies" => self.latencies = Some(value.into()),
            _ => return Err(usage(format!("unknown argument: {name}"))),
        }
        Ok(())
    }

    fn into_plan(self) -> Result<Plan, Refusal> {
        let operation = self.operation.ok_or_else(|| usage("--operation is missing".to_owned()))?;
        if self.size.is_none() && operation.delivers_data() {
            return Err(usage("--size is missing".to_owned()));
        }
        let plan = Plan {
            operation,
            methods: self.methods,
            paths: self.paths,
            size: self.size.unwrap_or(0),
            block: self.block.unwrap_or(65536),
            access: self.access.unwrap_or(Access::Random),
            alignment: self.alignment.unwrap_or(Alignment::Aligned),
            fresh_buffer: self.fresh_buffer.unwrap_or(false),
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
            let Some(known) = methods::find(method) else {
                return Err(usage(format!("unknown method: {method}")));
            };
            if !known.operations.contains(&self.operation) {
                return Err(usage(format!("method {method} cannot perform {word}")));
            }
        }
        if self.paths.is_empty() && self.operation != Operation::Null {
            return Err(usage("--path is missing".to_owned()));
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

fn choose<T, const N: usize>(text: &str, words: [(&str, T); N]) -> Option<T> {
    words.into_iter().find(|(word, _)| *word == text).map(|(_, value)| value)
}
