//! The first sentences of a tree's page: how many calls, whose and for what, and how much of the time they are.

use super::timeline::program_name;
use crate::document::{Prose, Span};
use crate::quantity::{grouped, percent, short_time, things};
use fathom_audit::{Audit, CallTree, CallTreeGroup, CallTreeProgram};

/// Of the time that passes outside of calls something is said where it is at least this part of a run.
const LARGE_PART: f64 = 0.5;
/// Other tools see more from here on.
const NEARLY_ALL: f64 = 0.9;
/// Waiting stands in the first sentence from this part of the run on.
const LONG_WAIT: f64 = 0.2;
/// A wait is named from this part of the time in calls on.
const NAMED_WAIT: f64 = 0.05;

/// How many calls in which time, by whom, and what most are for.
pub(in crate::document::audit) fn counts(tree: &CallTree) -> Prose {
    let share = |calls: u64| percent(calls as f64 / tree.sums.calls.max(1) as f64);
    let time = Time::of(tree);
    let mut first = vec![things(tree.sums.calls, "call")];
    if let Some(length) = length_ns(tree) {
        first.push(format!(" in {}", short_time(length)));
    }
    if tree.sums.failed > 0 {
        first.push(format!(", {} ({}) failed", grouped(tree.sums.failed), share(tree.sums.failed)));
    }
    if let Some(time) = time.as_ref().filter(|time| time.waited_ns >= LONG_WAIT * time.length_ns) {
        first.push(format!("; threads waited {} in them", short_time(time.waited_ns)));
    }
    if let Some(outside) = time.as_ref().map(Time::outside).filter(|part| *part >= LARGE_PART) {
        first.push(format!("; at least {} of the time passes outside of them", percent(outside)));
        if outside >= NEARLY_ALL {
            first.push(", where a profiler of the program's own work sees more".to_owned());
        }
    }
    let mut spans = vec![Span::Strong(format!("{}.", first.concat())), Span::Plain(" ".to_owned())];
    if let [most, next, ..] = tree.programs.as_slice() {
        for (program, after) in [(most, ", "), (next, ". ")] {
            spans.push(Span::Code(program_name(program).to_owned()));
            let made = if after == ", " { " made" } else { "" };
            let processes = processes(program);
            let calls = grouped(program.calls);
            spans.push(Span::Plain(format!("{made} {calls} ({}){processes}{after}", share(program.calls))));
        }
    }
    let groups = tree.groups();
    let mut add = |before: &str, group: &CallTreeGroup<'_>| {
        let (calls, part) = (grouped(group.sums.calls), share(group.sums.calls));
        spans.push(Span::Plain(format!("{before}: {}, {calls} ({part})", group.name)));
        let Some(item) = group.items.first() else { return };
        let is_all = group.items.len() == 1;
        spans.push(Span::Plain(if is_all { ", all for " } else { ", of these for " }.to_owned()));
        spans.push(Span::Code(item.name.to_owned()));
        if !is_all {
            spans.push(Span::Plain(format!(" {}", grouped(item.sums.calls))));
        }
    };
    if let Some(first) = groups.first() {
        add("Most by kind", first);
        let own = groups.iter().find(|group| !group.is_of_every_program);
        if let Some(own) = own.filter(|_| first.is_of_every_program) {
            add("; most by packages and directories", own);
        }
    }
    spans.push(Span::Plain(".".to_owned()));
    Prose(spans)
}

/// How long its calls took and threads waited; or why that is not known.
pub(in crate::document::audit) fn time(audit: &Audit, tree: &CallTree) -> Option<Prose> {
    let length = length_ns(tree)?;
    let mut spans = Vec::new();
    if let Some(time) = Time::of(tree) {
        let (took, length) = (short_time(time.took_ns), short_time(length));
        spans.push(Span::Plain(format!("Calls took {took} of the {length}, all threads together")));
        if time.waited_ns > 0.0 {
            spans.push(Span::Plain(format!(", {} of it waiting", short_time(time.waited_ns))));
        }
        let longest = tree.waits.iter().max_by_key(|one| one.waited_ns);
        if let Some((one, ns)) = longest.and_then(|one| Some((one, one.waited_ns?)))
            && ns as f64 >= time.took_ns * NAMED_WAIT
        {
            let kind = match one.kind.as_str() {
                "other" => "other calls",
                kind => kind,
            };
            spans.push(Span::Plain(format!(" ({} of that: {kind} on ", short_time(ns as f64))));
            spans.push(Span::Code(one.directory.clone()));
            spans.push(Span::Plain(")".to_owned()));
        }
        let untold = tree.sums.calls.saturating_sub(time.calls);
        if untold > 0 {
            spans.push(Span::Plain(format!("; how long {} took is not known", things(untold, "call"))));
        }
        spans.push(Span::Plain(".".to_owned()));
    } else {
        let words =
            "How long calls took untraced, and how long threads waited in them, is not known by this capture";
        spans.push(Span::Plain(format!("{words}.")));
    }
    if let Some(cost) = tree.sums.unit_cost_ns {
        let without = match tree.sums.calls_without_unit_cost {
            0 => String::new(),
            some => format!(", without {} that have none", grouped(some)),
        };
        let cost = short_time(cost);
        spans.push(Span::Plain(format!(
            " Untraced and without waiting they take {cost} by unit costs{without}."
        )));
    }
    let of_memory = tree.sums.calls.saturating_sub(audit.file_calls());
    if of_memory > 0 {
        spans.push(Span::Plain(format!(" {} of them are on memory, without a file.", grouped(of_memory))));
    }
    Some(Prose(spans))
}

/// How long calls took, all threads together, where the source of events tells it truly: the time of a tracer between
/// two calls would be taken for the program's.
struct Time {
    took_ns: f64,
    waited_ns: f64,
    length_ns: f64,
    /// Calls that tell.
    calls: u64,
}

impl Time {
    fn of(tree: &CallTree) -> Option<Self> {
        let length_ns = length_ns(tree)?;
        let told = || tree.waits.iter().filter_map(|one| Some((one, one.waited_ns?)));
        told().next()?;
        Some(Self {
            took_ns: told().map(|(one, _)| one.took_ns).sum::<u64>() as f64,
            waited_ns: told().map(|(_, waited)| waited).sum::<u64>() as f64,
            length_ns,
            calls: told().map(|(one, _)| one.calls).sum(),
        })
    }

    /// The part of the run in which no thread is in one of these calls is at least this.
    fn outside(&self) -> f64 {
        1.0 - self.took_ns / self.length_ns
    }
}

fn length_ns(tree: &CallTree) -> Option<f64> {
    tree.timeline.last().map(|slice| slice.to_ns as f64).filter(|length| *length > 0.0)
}

fn processes(program: &CallTreeProgram) -> String {
    match program.processes {
        1 => String::new(),
        many => format!(" in {} processes", grouped(many)),
    }
}
