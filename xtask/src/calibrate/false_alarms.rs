//! `cargo xtask false-alarms`: how often a method that is compared with itself
//! is called different, when one looks after every fork; and, beside it, how
//! often a known effect is found by the same looks. This file owns the sessions;
//! `look` reads them, `tally` counts and prints.

mod look;
mod tally;

use super::injected::{FAMILIES, sitting as injected_sitting};
use super::session::{Bench, Session};
use super::{document, exit_code_of, note, out_directory, programs};
use crate::FalseAlarms;
use anyhow::Context;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;
use tally::Tally;

/// The section of docs/METHODOLOGY.md.
const SECTION: &str = "false-alarms";
/// As many as the document promises.
const FULL: u32 = 200;
/// One pair of sessions with known effects for so many without.
const PER_INJECTED: u32 = 14;
const SITTING_S: f64 = 1.5;

/// What is compared with itself, in turn.
const KINDS: [Kind; 9] = [
    Kind { name: "native-open", words: &OPEN, method: "native:open" },
    Kind { name: "go-open", words: &OPEN, method: "go:os.Open" },
    Kind { name: "python-open", words: &OPEN, method: "python:os.open" },
    Kind { name: "native-whole", words: &WHOLE, method: "native:pread" },
    Kind { name: "go-whole", words: &WHOLE, method: "go:os.ReadFile" },
    Kind { name: "python-whole", words: &WHOLE, method: "python:open+rb+read" },
    Kind { name: "native-block", words: &BLOCK, method: "native:pread" },
    Kind { name: "go-block", words: &BLOCK, method: "go:os.File.ReadAt" },
    Kind { name: "python-block", words: &BLOCK, method: "python:os.pread" },
];
const OPEN: [&str; 3] = ["open-close", "--size", "4KiB"];
const WHOLE: [&str; 3] = ["read-whole", "--size", "4KiB"];
const BLOCK: [&str; 5] = ["read-block", "--size", "1MiB", "--block", "4KiB"];

#[derive(Debug, Clone, Copy)]
struct Kind {
    name: &'static str,
    /// The operation and its words.
    words: &'static [&'static str],
    method: &'static str,
}

/// Takes the sessions, prints the tables and keeps what they rest on.
pub(crate) fn run(arguments: &FalseAlarms) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(!cfg!(debug_assertions), "this is a debug build: run `cargo xtask false-alarms`");
    let out = out_directory(arguments.out.as_deref(), SECTION)?;
    let mut session = Session::begin(&out, &arguments.dir)?;
    let begun = Instant::now();
    let tally = take(&mut session, arguments.sittings)?;
    let kind = if arguments.sittings < FULL { "A short run, for orientation only" } else { "A full run" };
    let heading = document::heading(kind, session.records(), begun.elapsed());
    let text = format!("{heading}\n\n{tally}");
    session.keep("looks.tsv", &tally.raw())?;
    session.keep("false-alarms.md", &text)?;
    writeln!(std::io::stdout(), "{text}")?;
    note(&format!("raw records: {}", out.display()));
    if arguments.write {
        document::write(SECTION, &text)?;
    }
    Ok(exit_code_of(&[tally.outcome()]))
}

/// Sessions with one method named twice, and some with known effects spread among them.
fn take(session: &mut Session, sittings: u32) -> anyhow::Result<Tally> {
    let driver = session.compile(programs::INJECTED, "injected")?;
    let mut tally = Tally::default();
    for sitting in 0..sittings {
        let kind = KINDS[sitting as usize % KINDS.len()];
        let methods = format!("{0},{0}", kind.method);
        // All of the time is used: the more forks, the more looks that could be wrong.
        let words = [&kind.words[1..], &["--cache", "warm", "--precision", "0.001"]].concat();
        let bench = Bench {
            name: kind.name,
            operation: kind.words[0],
            methods: &methods,
            seconds: SITTING_S,
            words: &words,
            cpu: None,
        };
        match session.bench(bench)? {
            Ok(comparison) => tally.add_same(&comparison),
            Err(reason) => tally.add_unmeasured(kind.name, &reason),
        }
        if sitting % PER_INJECTED == 0 {
            for family in &FAMILIES {
                let comparison = injected_sitting(session, &driver, family, SITTING_S)?;
                for effect in family.effects {
                    tally
                        .add_injected(&comparison, effect.with)
                        .with_context(|| format!("no times of {}", effect.with))?;
                }
            }
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn three_runtimes_open_read_whole_and_read_blocks() {
        let pairs: BTreeSet<_> =
            KINDS.iter().map(|kind| (kind.method.split(':').next().unwrap(), kind.words[0])).collect();
        assert_eq!(pairs.len(), 9);
        for (driver, operation) in pairs {
            assert!(["native", "go", "python"].contains(&driver), "{driver}");
            assert!(["open-close", "read-whole", "read-block"].contains(&operation), "{operation}");
        }
    }
}
