//! The words of `fathom what-if`.

use super::{Redaction, Source};
use clap::{Args, ValueEnum};
use fathom_audit::FileSystemModel;
use std::path::PathBuf;

pub(crate) const WHAT_IF_EXAMPLES: &str = "\
Examples:
  fathom what-if --as nfs:1ms -- ls -l
  fathom what-if --as rtt=200us --over /etc --format csv -- cat /etc/hostname
  fathom what-if --as nfs:1ms --measure -- ls -l
  fathom trace -o ls.events -- ls -l && fathom what-if --as s3-fuse:20ms --from ls.events
  fathom what-if --without R15 -- ls -l
  fathom what-if --without 'newfstatat(*.json) repeated' -- ls -l
  fathom what-if --twice openat --time 20 -- ls -l
  fathom what-if --slower fsync=5ms -- ls -l

File systems: nfs, efs, lustre, overlay, virtiofs, s3-fuse, each with the time of a round trip (nfs:1ms), and
rtt=TIME for round trips without any cache. What a client of each remembers is data; docs/what-if-limits.md has it,
and what makes the answer wrong. Times: ns, us, ms, s.

With --as, the answer is arithmetic: the command runs once, where it is, and its calls are put through the model. No server is
asked. With --measure it is tried, too: the directories are mounted through FUSE where only the command sees it (it
takes /dev/fuse and a namespace, no root), and each request that gets past the kernel's caches is held.

With --without, --twice and --slower, the answer is measured: the command runs some 50 times, in random order, with
the calls made again (or delayed) inside it, and what it takes grows by what they cost. Where so many runs do not fit
into --time, it runs once or a few times, and what is done changes inside it (--toggle). Only calls that ask are made
again; what removing gains is taken to be what one more costs. It gets no input and has to bear the runs. x86_64.

Exit code: 0 done; 2 fathom failed; 3 part of the run was not seen, or what was to be measured has no answer; 4 no call on a file
below the directories was seen; 130 interrupted. The command's own exit is not fathom's. See docs/how-to/what-if.md.";

/// Arguments of `fathom what-if`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("question").required(true))]
pub(crate) struct WhatIf {
    /// The file system, and what a round trip to its server takes: `nfs:1ms`, `rtt=500us`
    #[arg(long = "as", value_name = "FILE_SYSTEM:TIME", value_parser = file_system, group = "question")]
    pub(crate) file_system: Option<AsFileSystem>,

    /// How much faster the command were without these calls: those of a rule's findings (`R15`), or of a
    /// pattern as in budgets (`newfstatat(*.json)`; with `repeated` behind it, all but the first that are
    /// alike). Answered by making them again
    #[arg(long, value_name = "CALLS", group = "question", conflicts_with_all = ["from", "over", "measure"])]
    pub(crate) without: Option<String>,

    /// Of `--without`: leave them out instead, where the answer is known from a call before and nothing was changed
    /// since. The program sees the same; the gain is measured, not inferred
    #[arg(long, requires = "without")]
    pub(crate) elide: bool,

    /// How much slower it is when each of these calls is made once more
    #[arg(long, value_name = "CALLS", group = "question", conflicts_with_all = ["from", "over", "measure"])]
    pub(crate) twice: Option<String>,

    /// How much of a delay of these calls the command waits for: `fsync=5ms`. It sleeps so long behind each,
    /// twice and four times as long
    #[arg(long, value_name = "CALLS=TIME", value_parser = slower, group = "question", conflicts_with_all = ["from", "over", "measure"])]
    pub(crate) slower: Option<Slower>,

    /// Of calls: make blocks of runs for so long at most, but 8 of them
    #[arg(long, value_name = "SECONDS", default_value_t = 60, conflicts_with = "file_system", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) time: u32,

    /// Of calls: stop when the interval reaches no further than so many percent of the answer to each side
    #[arg(long, value_name = "PERCENT", default_value_t = 15, conflicts_with = "file_system", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) within: u32,

    /// Of `--without` and `--twice`: where what is done to the calls changes. `windows`: inside one long run, from one
    /// number of consecutive calls to the next, in random order; `runs`: from run to run
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = Toggle::Auto, conflicts_with_all = ["file_system", "slower"])]
    pub(crate) toggle: Toggle,

    /// The files below this directory are on it; may be repeated. Without it, those below the directory in
    /// which the command starts
    #[arg(long, value_name = "DIR")]
    pub(crate) over: Vec<PathBuf>,

    /// Take the calls that `fathom trace` kept in a file, instead of a command's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "strace", "stacks", "capture", "pid", "container", "cgroup", "seconds"])]
    pub(crate) from: Option<PathBuf>,

    /// Also measure: run the command over a FUSE mount that holds each answer for the time of a round trip, and
    /// over one that does not, in so many pairs, in random order; 6 without a number. It runs twice that often
    /// more, with no input, and has to bear it
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, require_equals = true, default_missing_value = "6", value_parser = clap::value_parser!(u32).range(6..=1000), conflicts_with_all = ["from", "strace", "pid"])]
    pub(crate) measure: Option<u32>,

    /// Seed of the order of these runs; drawn and recorded when not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,

    /// End one of these runs after so many seconds, and measure nothing
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,

    /// The form to write
    #[arg(long, value_enum, default_value_t = WhatIfForm::Text)]
    pub(crate) format: WhatIfForm,

    /// In text, more paths, and what is not known in sentences
    #[arg(long)]
    pub(crate) full: bool,

    /// Write it here instead of to standard output (a command's own output goes there, too)
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    #[command(flatten)]
    pub(crate) source: Source,
}

/// Where what is done to calls changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Toggle {
    /// In windows where fewer than 8 blocks of runs fit into `--time`, and one thread at a time makes the calls
    Auto,
    /// Inside a run
    Windows,
    /// From run to run
    Runs,
}

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhatIfForm {
    /// For people
    Text,
    /// Everything, as docs/what-if.schema.json describes it; of calls, docs/call-cost.schema.json
    Json,
    /// A row for each class of round trips, directory and path; of calls, for each run
    Csv,
    /// For a comment
    #[value(alias = "md")]
    Markdown,
    /// A page that needs nothing else; of calls, with a picture of what was added by how much
    Html,
}

/// A file system with the time of a round trip.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AsFileSystem {
    pub(crate) model: FileSystemModel,
    pub(crate) round_trip_ns: u64,
}

/// Calls, and by how much they are to take longer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slower {
    pub(crate) calls: String,
    pub(crate) delay_ns: u64,
}

/// Less than this is not slept, in ns: the kernel adds some 50 µs to each sleep.
const SHORTEST_DELAY_NS: u64 = 100_000;

fn slower(text: &str) -> Result<Slower, String> {
    let (calls, time) =
        text.rsplit_once('=').ok_or_else(|| format!("`{text}` has no time, as in fsync=5ms"))?;
    let delay_ns = time_ns(time)?;
    if delay_ns < SHORTEST_DELAY_NS {
        return Err("the shortest delay is 100us: a sleep is longer by some 50us".to_owned());
    }
    Ok(Slower { calls: calls.to_owned(), delay_ns })
}

/// The longest round trip, in ns: nobody waits longer for one.
const LONGEST_NS: f64 = 60e9;

fn file_system(text: &str) -> Result<AsFileSystem, String> {
    let known = || {
        let names = FileSystemModel::all().into_iter().map(|model| model.name);
        let names: Vec<_> = names.filter(|name| name != "rtt").map(|name| format!("{name}:1ms")).collect();
        format!("known are {}, rtt=1ms", names.join(", "))
    };
    let (name, time) = match text.split_once('=') {
        Some(("rtt", time)) => ("rtt", time),
        _ => {
            text.split_once(':').ok_or_else(|| format!("the time of a round trip is missing: {}", known()))?
        }
    };
    let model = FileSystemModel::named(name)
        .ok_or_else(|| format!("there is no file system `{name}`: {}", known()))?;
    Ok(AsFileSystem { model, round_trip_ns: time_ns(time)? })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is within the limits")]
fn time_ns(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, f64); 5] = [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
    let number = text.trim_end_matches(char::is_alphabetic);
    let unit = UNITS.iter().find(|(unit, _)| *unit == &text[number.len()..]);
    let ns = unit.and_then(|(_, ns)| Some(number.parse::<f64>().ok()? * ns));
    ns.filter(|ns| (1.0..=LONGEST_NS).contains(ns))
        .map(|ns| ns.round() as u64)
        .ok_or_else(|| format!("`{text}` is no time from 1ns to 60s, as in 200us, 1.5ms"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_have_their_time_behind_them() {
        let parsed = |text: &str| {
            let parsed = file_system(text).unwrap();
            (parsed.model.name, parsed.round_trip_ns)
        };
        assert_eq!(parsed("nfs:1ms"), ("nfs".to_owned(), 1_000_000));
        assert_eq!(parsed("s3-fuse:0.02s"), ("s3-fuse".to_owned(), 20_000_000));
        assert_eq!(parsed("rtt=200us"), ("rtt".to_owned(), 200_000));
        assert_eq!(parsed("rtt:5µs"), ("rtt".to_owned(), 5_000));
    }

    #[test]
    fn delays_have_their_calls_before_them() {
        let parsed = slower("fsync(*=x)=5ms").unwrap();
        assert_eq!((parsed.calls.as_str(), parsed.delay_ns), ("fsync(*=x)", 5_000_000));
        assert!(slower("fsync").unwrap_err().contains("fsync=5ms"));
        assert!(slower("fsync=10us").unwrap_err().contains("100us"));
    }

    #[test]
    fn what_is_no_time_or_no_file_system_is_refused_with_what_is() {
        let refused = |text: &str| file_system(text).unwrap_err();
        assert!(refused("nfs").contains("missing") && refused("nfs").contains("nfs:1ms"));
        assert!(refused("afs:1ms").contains("no file system `afs`"));
        for text in
            ["nfs:", "nfs:1", "nfs:ms", "nfs:0ms", "nfs:-1ms", "nfs:61s", "nfs:1h", "nfs:nans", "nfs:infs"]
        {
            assert!(refused(text).contains("no time"), "{text}");
        }
    }
}
