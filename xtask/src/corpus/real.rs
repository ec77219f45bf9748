//! `cargo xtask corpus --calls CAPTURE --real`: the installed programs of tests/corpus/real, several times by
//! ptrace and by another way, and whether both saw the same calls, with their paths.

use crate::calibrate::{note, programs};
use anyhow::Context;
use fathom_corpus::{Bench, Kinds, KindsCompared, RealCommand, real_commands};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// What came of a program: calls in a run, and the comparison; or why it could not be run.
type Compared = Result<(u64, KindsCompared), String>;

/// Runs them and tells; exit code 1 where a kind of call was seen otherwise, or a program could not be run.
pub(super) fn run(arguments: &crate::Corpus, capture: &str, turns: u32) -> anyhow::Result<ExitCode> {
    let mut commands = real_commands(&Path::new(super::TOP).join("tests/corpus/real"))?;
    let is_asked = |name: &str| {
        arguments.cases.is_empty() || arguments.cases.iter().any(|begin| name.starts_with(begin.as_str()))
    };
    commands.retain(|command| is_asked(&command.name));
    anyhow::ensure!(!commands.is_empty(), "there is no such program");
    let fathom = match &arguments.fathom {
        Some(fathom) => std::path::absolute(fathom)?,
        None => programs::build_fathom()?,
    };
    let home = std::env::var_os("HOME").context("HOME is not set")?;
    let scratch = tempfile::Builder::new().prefix("corpus-").tempdir_in(home)?;
    let bench = |capture: &str| Bench {
        fathom: fathom.clone(),
        capture: capture.to_owned(),
        scratch: scratch.path().to_owned(),
    };
    let benches = [bench("ptrace"), bench(capture)];
    let all = super::in_turn(&commands, arguments.workers, |command| {
        let compared = compare(&benches, command, turns);
        note(&format!("{}: {}", command.name, said(&compared)));
        compared
    });
    let mut text = String::from(
        "program,runs of each,calls,all runs alike,steady kinds,steady calls,varying kinds,kinds looser,kinds apart\n",
    );
    for (command, compared) in commands.iter().zip(&all) {
        let _infallible = writeln!(text, "{}", row(&command.name, turns, compared));
    }
    writeln!(std::io::stdout(), "{text}{}", sums(&all))?;
    if let Some(record) = &arguments.record {
        std::fs::write(record, text).with_context(|| format!("failed to write {}", record.display()))?;
    }
    Ok(if is_clean(&all) { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// True where all were run, and both ways saw every kind of call.
fn is_clean(all: &[Compared]) -> bool {
    all.iter().all(|compared| compared.as_ref().is_ok_and(|(_, compared)| compared.apart.is_empty()))
}

/// Both ways in turns, at one place.
fn compare(benches: &[Bench; 2], command: &RealCommand, turns: u32) -> Compared {
    let mut runs: [Vec<Kinds>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..turns {
        for (bench, runs) in benches.iter().zip(&mut runs) {
            runs.push(bench.real_calls(command).map_err(|error| error.to_string())?);
        }
    }
    let calls = runs[0].first().map_or(0, Kinds::calls);
    Ok((calls, Kinds::compare(&runs[0], &runs[1])))
}

fn said(compared: &Compared) -> String {
    let (calls, compared) = match compared {
        Ok(compared) => compared,
        Err(reason) => return format!("not run: {reason}"),
    };
    if compared.is_same {
        return format!("the same {calls} calls in all runs");
    }
    let KindsCompared { steady, steady_calls, varying, looser, apart, .. } = compared;
    format!(
        "{steady_calls} calls of {steady} kinds the same in all runs, {varying} kinds vary by ptrace, {} not by it [{}], {} apart [{}]",
        looser.len(),
        looser.join("; "),
        apart.len(),
        apart.join("; ")
    )
}

fn row(name: &str, turns: u32, compared: &Compared) -> String {
    match compared {
        Ok((calls, KindsCompared { is_same, steady, steady_calls, varying, looser, apart })) => {
            let [looser, apart] = [looser, apart].map(|kinds| kinds.join("; ").replace('"', "\"\""));
            format!(
                "{name},{turns},{calls},{is_same},{steady},{steady_calls},{varying},\"{looser}\",\"{apart}\""
            )
        }
        Err(reason) => format!("{name},0,,,,,,,\"not run: {}\"", reason.replace('"', "\"\"")),
    }
}

fn sums(all: &[Compared]) -> String {
    let same = all.iter().flatten().filter(|(_, compared)| compared.is_same).count();
    let apart = all.iter().flatten().filter(|(_, compared)| !compared.apart.is_empty()).count();
    let missing = all.iter().filter(|compared| compared.is_err()).count();
    format!(
        "{} programs: {same} the same in all runs, {apart} with calls that the other way alone explains, {} that vary by themselves and agree in the rest, {missing} not run",
        all.len(),
        all.len() - same - apart - missing
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_in_its_row_and_in_the_sums() {
        let apart =
            KindsCompared { apart: vec!["node read a \"b\": 1 against 2".to_owned()], ..Default::default() };
        let same = KindsCompared { is_same: true, steady: 2, steady_calls: 9, ..Default::default() };
        let all = [Ok((3, apart)), Ok((9, same)), Ok((4, KindsCompared::default())), Err("no go".to_owned())];
        assert_eq!(
            row("node", 5, &all[0]),
            "node,5,3,false,0,0,0,\"\",\"node read a \"\"b\"\": 1 against 2\""
        );
        let is_clean_of = |which: usize| is_clean(&all[which..=which]);
        assert_eq!([0, 1, 2, 3].map(is_clean_of), [false, true, true, false]);
        assert_eq!(row("ls", 5, &all[1]), "ls,5,9,true,2,9,0,\"\",\"\"");
        assert_eq!(
            sums(&all),
            "4 programs: 1 the same in all runs, 1 with calls that the other way alone explains, 1 that vary by themselves and agree in the rest, 1 not run"
        );
    }
}
