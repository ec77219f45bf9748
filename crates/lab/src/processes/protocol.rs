//! The words of the driver protocol (drivers/PROTOCOL.md): lines sent, answers
//! parsed. Pure; processes live in `process`.

use crate::processes::launch::Launch;
use fathom_model::{Access, Alignment, AnswerKind, BufferUse, Content, Operation, Parameters, RankFacts};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// One batch as a driver reports it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Done {
    /// Timed operations.
    pub(crate) operations: u64,
    /// Time between the two readings of the clock, in ns.
    pub(crate) ns: u64,
    /// Bytes delivered.
    pub(crate) bytes: u64,
    /// The digest of the data delivered.
    pub(crate) digest: u64,
    /// Further figures.
    pub(crate) figures: BTreeMap<String, u64>,
}

/// The full check of one operation's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verified {
    /// Bytes delivered.
    pub(crate) bytes: u64,
    /// CRC-32 of them.
    pub(crate) crc32: u32,
}

/// What a driver answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Prepared.
    Ready,
    /// A batch was performed.
    Done(Done),
    /// A schedule is through.
    End,
    /// The answer to `verify`.
    Verified(Verified),
    /// The answer to `release`.
    Released,
    /// A line of the answer to `ranks`.
    Rank(RankFacts),
    /// An operation failed.
    Error(OperationError),
}

/// An operation that failed inside a driver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{operation} failed with {errno} on {path}")]
pub(crate) struct OperationError {
    /// The call or API that failed.
    pub(crate) operation: String,
    /// The errno's name.
    pub(crate) errno: String,
    /// The path, or more words.
    pub(crate) path: String,
}

/// A line that is not an answer of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an answer of the protocol: `{0}`")]
pub(crate) struct AnswerError(pub String);

/// One item of a `blocks` schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Which of the process's methods.
    pub(crate) slot: usize,
    /// Timed operations.
    pub(crate) operations: u32,
    /// Untimed operations before them.
    pub(crate) preroll: u32,
}

/// What a driver process is started for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunArguments {
    /// The operation.
    pub(crate) operation: Operation,
    /// Method names; their position is the slot.
    pub(crate) methods: Vec<String>,
    /// The files.
    pub(crate) paths: Vec<PathBuf>,
    /// A file of them, where they would not fit on a command line.
    pub(crate) path_list: Option<PathBuf>,
    /// The size of the smallest of the files; of files that Fathom made all have it.
    pub(crate) size_bytes: u64,
    /// Block size, order and buffer.
    pub(crate) parameters: Parameters,
    /// Seed of the random offsets.
    pub(crate) seed: u64,
    /// Mark the clock's region for a tracer.
    pub(crate) marks: bool,
    /// Where the operation writes, when it does.
    pub(crate) directory: Option<PathBuf>,
    /// Append each timed operation's own time to this file.
    pub(crate) latencies: Option<PathBuf>,
    /// Ranks take their files out of their hosts' caches before each batch, and say what stayed.
    pub(crate) evicts: bool,
    /// Where, as whom and with which variables the driver runs.
    pub(crate) launch: Launch,
}

impl RunArguments {
    /// The arguments after the program's name.
    pub(crate) fn to_words(&self) -> Vec<String> {
        let mut words = vec!["run".to_owned(), "--operation".to_owned(), self.operation.word().to_owned()];
        let mut pair = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        for method in &self.methods {
            pair("method", method.clone());
        }
        match &self.path_list {
            Some(list) => pair("path-list", list.to_string_lossy().into_owned()),
            None => self.paths.iter().for_each(|path| pair("path", path.to_string_lossy().into_owned())),
        }
        pair("size", self.size_bytes.to_string());
        pair("block", self.parameters.block_bytes.to_string());
        pair("access", access_word(self.parameters.access).to_owned());
        pair("alignment", alignment_word(self.parameters.alignment).to_owned());
        pair("buffer", buffer_word(self.parameters.buffer).to_owned());
        pair("seed", self.seed.to_string());
        for (setting, value) in self.parameters.settings.iter() {
            if let Some(name) = setting.argument() {
                pair(name, value.to_string());
            }
        }
        if let Some(directory) = &self.directory {
            pair("directory", directory.to_string_lossy().into_owned());
        }
        if let Some(file) = &self.latencies {
            pair("latencies", file.to_string_lossy().into_owned());
        }
        // Only where it is not as usual: a driver may not know the argument.
        match (self.operation.facts().answer, self.parameters.data.content) {
            (AnswerKind::Written, Content::Pattern) if self.operation.takes_offsets() => {
                pair("content", "pattern".to_owned());
            }
            (AnswerKind::Values, Content::ConfigYaml) => pair("format", "yaml".to_owned()),
            (AnswerKind::Values, Content::ConfigToml) => pair("format", "toml".to_owned()),
            _ => {}
        }
        if self.marks {
            words.push("--marks".to_owned());
        }
        if self.evicts {
            words.push("--evict".to_owned());
        }
        words
    }
}

fn access_word(access: Access) -> &'static str {
    match access {
        Access::Random => "random",
        Access::Sequential => "sequential",
    }
}

fn alignment_word(alignment: Alignment) -> &'static str {
    match alignment {
        Alignment::Aligned => "aligned",
        Alignment::Unaligned => "unaligned",
    }
}

fn buffer_word(buffer: BufferUse) -> &'static str {
    match buffer {
        BufferUse::Reused => "reused",
        BufferUse::Fresh => "fresh",
        BufferUse::Stack => "stack",
    }
}

/// The line that asks for one batch.
pub(crate) fn batch_line(batch: Batch) -> String {
    format!("batch {} method={} preroll={}\n", batch.operations, batch.slot, batch.preroll)
}

/// The line that asks for a schedule of batches.
pub(crate) fn blocks_line(batches: &[Batch]) -> String {
    let mut line = String::with_capacity(7 + batches.len() * 10);
    line.push_str("blocks");
    for batch in batches {
        write!(line, " {}:{}:{}", batch.slot, batch.operations, batch.preroll).expect("a String grows");
    }
    line.push('\n');
    line
}

/// True of a line that is an answer of the protocol.
pub fn is_answer(line: &str) -> bool {
    parse_answer(line).is_ok()
}

/// Parses one line of a driver's output.
pub(crate) fn parse_answer(line: &str) -> Result<Answer, AnswerError> {
    let bad = || AnswerError(line.to_owned());
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "ready" => Ok(Answer::Ready),
        "end" => Ok(Answer::End),
        "released" => Ok(Answer::Released),
        "done" => parse_done(rest).ok_or_else(bad).map(Answer::Done),
        "verified" => parse_verified(rest).ok_or_else(bad).map(Answer::Verified),
        "rank" => parse_rank(rest).ok_or_else(bad).map(Answer::Rank),
        "error" => parse_error(rest).ok_or_else(bad).map(Answer::Error),
        _ => Err(bad()),
    }
}

fn parse_done(text: &str) -> Option<Done> {
    let mut figures = BTreeMap::new();
    for word in text.split_ascii_whitespace() {
        let (key, value) = word.split_once('=')?;
        if figures.insert(key.to_owned(), value.parse().ok()?).is_some() {
            return None;
        }
    }
    Some(Done {
        operations: figures.remove("ops")?,
        ns: figures.remove("ns")?,
        bytes: figures.remove("bytes")?,
        digest: figures.remove("digest")?,
        figures,
    })
}

fn parse_verified(text: &str) -> Option<Verified> {
    let (bytes, crc) = text.split_once(' ')?;
    Some(Verified {
        bytes: bytes.strip_prefix("bytes=")?.parse().ok()?,
        crc32: u32::from_str_radix(crc.strip_prefix("crc32=")?, 16).ok()?,
    })
}

fn parse_rank(text: &str) -> Option<RankFacts> {
    let words: BTreeMap<&str, &str> =
        text.split_ascii_whitespace().map(|word| word.split_once('=')).collect::<Option<_>>()?;
    let word = |key| words.get(key).copied();
    Some(RankFacts {
        rank: word("number")?.parse().ok()?,
        host: word("host")?.to_owned(),
        boot: word("boot")?.to_owned(),
        pid: word("pid")?.parse().ok()?,
        clock_offset_ns: word("offset_ns")?.parse().ok()?,
        clock_error_ns: word("error_ns")?.parse().ok()?,
    })
}

fn parse_error(text: &str) -> Option<OperationError> {
    let (operation, rest) = text.strip_prefix("op=")?.split_once(" errno=")?;
    let (errno, path) = rest.split_once(" path=").unwrap_or((rest, ""));
    // A language without names for error numbers says the number.
    let errno = errno.parse().map_or_else(|_| errno.to_owned(), fathom_trace::name_of_errno);
    Some(OperationError { operation: operation.to_owned(), errno, path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_done_line_keeps_its_further_figures() {
        let Ok(Answer::Done(done)) =
            parse_answer("done ops=3 ns=4500 bytes=12 digest=18446744073709551615 allocs=6 nivcsw=0")
        else {
            panic!("not parsed")
        };
        assert_eq!((done.operations, done.ns, done.bytes, done.digest), (3, 4500, 12, u64::MAX));
        assert_eq!(done.figures, BTreeMap::from([("allocs".to_owned(), 6), ("nivcsw".to_owned(), 0)]));
    }

    #[test]
    fn an_error_line_keeps_a_path_with_spaces() {
        let Ok(Answer::Error(error)) = parse_answer("error op=open errno=ENOENT path=/tmp/a b c") else {
            panic!("not parsed")
        };
        assert_eq!(error.to_string(), "open failed with ENOENT on /tmp/a b c");
    }

    #[test]
    fn an_error_number_is_named() {
        for (said, named) in [("61", "ENODATA"), ("EIO", "EIO"), ("4000", "errno 4000")] {
            let Ok(Answer::Error(error)) = parse_answer(&format!("error op=read errno={said} path=/a"))
            else {
                panic!("not parsed")
            };
            assert_eq!(error.errno, named);
        }
    }

    #[test]
    fn nonsense_is_not_an_answer() {
        for line in ["", "hello", "done", "done ops=1 ns=2 bytes=3", "done ops=1 ops=1 ns=1 bytes=1 digest=1"]
        {
            assert!(parse_answer(line).is_err(), "{line:?}");
        }
        assert!(parse_answer("verified bytes=5 crc32=xyz").is_err());
        assert_eq!(
            parse_answer("verified bytes=5 crc32=0000ffff"),
            Ok(Answer::Verified(Verified { bytes: 5, crc32: 0xffff }))
        );
    }

    #[test]
    fn a_rank_says_where_it_runs_and_how_its_clock_differs() {
        let Ok(Answer::Rank(rank)) =
            parse_answer("rank number=3 host=node7 boot=ab-c pid=12 offset_ns=-250 error_ns=40")
        else {
            panic!("not parsed")
        };
        assert_eq!((rank.rank, rank.host.as_str(), rank.clock_offset_ns), (3, "node7", -250));
        assert!(parse_answer("rank number=3 host=node7").is_err());
    }

    #[test]
    fn a_schedule_is_one_line() {
        let batch = |slot, operations| Batch { slot, operations, preroll: 2 };
        assert_eq!(blocks_line(&[batch(0, 40), batch(1, 40)]), "blocks 0:40:2 1:40:2\n");
        assert_eq!(batch_line(batch(1, 8)), "batch 8 method=1 preroll=2\n");
    }
}
