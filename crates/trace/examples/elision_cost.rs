//! What leaving calls out gains by the hook, beside what a patch gains: `elision_cost ROUNDS CALL,... COMMAND...`
//! runs the command with `old` and `new` after it, alone, and `old` under the hook with known answers of the calls
//! given and not given, in orders that take turns; prints ns of CPU time
//! a call, medians and quarters. The command makes 20,000 calls more with `old` than with `new`.

#![expect(clippy::print_stdout, reason = "it prints")]
#![expect(clippy::expect_used, reason = "an example ends at the first error")]

use fathom_sys::child_usage;
use fathom_trace::{
    Elision, FileTraceOptions, Questions, Repetition, Treatment, is_answerable, repetition_cost_ns,
    trace_files,
};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// What the patch of the command takes away.
const CALLS: f64 = 20_000.0;

fn cpu_ns() -> f64 {
    let usage = child_usage::of_awaited().expect("usage");
    (usage.user_ns + usage.system_ns) as f64
}

fn command(words: &[OsString], side: &str) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).arg(side).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let [rounds, names, words @ ..] = words.as_slice() else { return };
    let rounds: usize = rounds.to_string_lossy().parse().expect("rounds");
    let names = names.to_string_lossy().into_owned();
    let names: Vec<_> = names.split(',').collect();
    let (mut asked, mut questions) = (Questions::new(), BTreeSet::new());
    let options = FileTraceOptions { hook: true, ..FileTraceOptions::default() };
    trace_files(&mut command(words, "old"), &options, &mut |event, paths| {
        let question = asked.ask(&event, paths);
        questions.extend(question.filter(|_| is_answerable(&event) && names.contains(&event.call)));
    })
    .expect("it is traced");
    let elided = |elision| Repetition::new(questions.clone(), Treatment::Elided(elision)).expect("few");
    let arms = [elided(Elision::Made), elided(Elision::Answered)];
    let hooked = |repetition: &Repetition| {
        let options =
            FileTraceOptions { hook: true, repetition: Some(repetition), ..FileTraceOptions::default() };
        let before = cpu_ns();
        let end = trace_files(&mut command(words, "old"), &options, &mut |_, _| ()).expect("it is traced");
        let cpu = cpu_ns() - before;
        let treated = end.hook.expect("the hook").treated;
        let known: u64 = treated.values().map(|treated| treated.known).sum();
        (cpu, known as f64)
    };
    let alone = |side: &str| {
        let before = cpu_ns();
        command(words, side).status().expect("it starts");
        cpu_ns() - before
    };
    let (mut biases, mut truths, mut filters) = (Vec::new(), Vec::new(), Vec::new());
    let mut calls = 0.0;
    for round in 0..rounds {
        let (mut treated, mut bare) = ([(0.0, 0.0); 2], [0.0; 2]);
        let order = [[0, 2, 1, 3], [1, 3, 0, 2], [2, 0, 3, 1], [3, 1, 2, 0]][round % 4];
        for at in order {
            match at {
                0 | 1 => treated[at] = hooked(&arms[at]),
                _ => bare[at - 2] = alone(["old", "new"][at - 2]),
            }
        }
        let filter = repetition_cost_ns(names[0]).expect("measured");
        calls = treated[1].1;
        let gain = (treated[0].0 - treated[1].0) / calls;
        let truth = (bare[0] - bare[1]) / CALLS;
        biases.push(gain - truth - filter);
        truths.push(truth);
        filters.push(filter);
    }
    let spread = |values: &mut Vec<f64>| {
        let median = median(values);
        let [low, high] = [1, 3].map(|quarter| values[values.len() * quarter / 4]);
        format!("{median:.0} [{low:.0} {high:.0}]")
    };
    println!(
        "{:12} calls {calls} truth {} bias {} filter {}",
        words.last().map(|word| word.to_string_lossy()).unwrap_or_default(),
        spread(&mut truths),
        spread(&mut biases),
        spread(&mut filters),
    );
}
