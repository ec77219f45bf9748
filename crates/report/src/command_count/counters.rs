//! What the kernel counted of a command: what is not 0, what is, and what could not be had.

use crate::page::{Ink, Page};
use crate::quantity::{grouped, rounded_bytes, short_time};
use crate::request_steps::is_request_step;
use fathom_model::{CommandCount, CounterUnit, KernelCounter, Reading, Scope};

/// Counters that are named of those that share a reason.
const NAMED: usize = 3;

/// A line per counter that moved, in the order of scopes.
pub(super) fn render(page: &mut Page, count: &CommandCount) {
    if count.counters.is_empty() {
        return;
    }
    page.blank();
    page.paragraph(
        0,
        Ink::Plain,
        "counted by the kernel from exec to end, children too; device: whoever did it meanwhile",
    );
    let told = || count.counters.iter().filter(|counter| !is_request_step(&counter.name));
    let mut zero = Vec::new();
    let mut shown = 0;
    for scope in [Scope::Task, Scope::Device] {
        for counter in told().filter(|counter| counter.scope == scope) {
            match value(counter) {
                Some(0) => zero.push(counter),
                Some(value) => {
                    let figure = written(counter.unit, value);
                    page.row(&format!("  {figure:>12}  {}", name(counter)), "", Ink::Plain);
                    shown += 1;
                }
                None => {}
            }
        }
    }
    if shown == 0 {
        page.paragraph(2, Ink::Plain, "nothing: no counter that could be had moved");
    }
    let follows = |counter: &KernelCounter| zero.iter().any(|other| implies_zero(other, counter));
    let named = zero.iter().filter(|counter| !follows(counter) && !is_rare(counter));
    let named: Vec<_> = named.map(|zero| name(zero)).collect();
    if !named.is_empty() {
        page.tokens("  0: ", 5, &named, ", ");
    }
    for (reason, names) in refused(told()) {
        let (first, more) = names.split_at(names.len().min(NAMED));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        page.hanging("  ", 4, Ink::Plain, &format!("not counted: {}{more}: {reason}", first.join(", ")));
    }
}

/// True of steps in the block layer that most machines never take: that they were not
/// taken is no news.
fn is_rare(counter: &KernelCounter) -> bool {
    const RARE: [&str; 8] =
        ["blk", "disk_zone", "remap", "requeue", "error", "split", "frontmerge", "rq_merge"];
    RARE.iter().any(|part| counter.name.contains(part))
}

/// True where the one counts what the other does and more: of everybody, of every kind.
fn implies_zero(one: &KernelCounter, other: &KernelCounter) -> bool {
    let whole = other.name.split(':').next().unwrap_or_default();
    (one.scope == other.scope && other.name != whole && one.name == whole)
        || (one.scope == Scope::Device && other.scope == Scope::Task && one.name == other.name)
}

/// Each reason with the counters that it holds for.
fn refused<'a>(counters: impl Iterator<Item = &'a KernelCounter>) -> Vec<(&'a String, Vec<String>)> {
    let mut reasons: Vec<(&String, Vec<String>)> = Vec::new();
    for counter in counters {
        if let Reading::Unavailable(reason) = &counter.differences {
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(name(counter)),
                None => reasons.push((reason, vec![name(counter)])),
            }
        }
    }
    reasons
}

/// The counter's name, whose doings it counts, and whether not all of them.
fn name(counter: &KernelCounter) -> String {
    let whose = if counter.scope == Scope::Device { "device: " } else { "" };
    let is_partial = counter.differences.value().is_some() && counter.source.contains("user mode only");
    let part = if is_partial { " (user mode only)" } else { "" };
    format!("{whose}{}{part}", counter.name.trim_start_matches("device-"))
}

fn value(counter: &KernelCounter) -> Option<i64> {
    counter.differences.value()?.first().copied()
}

fn written(unit: CounterUnit, value: i64) -> String {
    let size = value.unsigned_abs();
    let text = match unit {
        CounterUnit::Bytes => rounded_bytes(size as f64),
        CounterUnit::Ns => short_time(size as f64),
        CounterUnit::Events | CounterUnit::Pages => grouped(size),
    };
    if value < 0 { format!("-{text}") } else { text }
}
