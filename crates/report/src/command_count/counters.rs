//! What the kernel counted of a command: what is not 0, and what could not be had.

use crate::page::{Ink, Page};
use crate::quantity::{grouped, rounded_bytes, short_time};
use fathom_model::{CommandCount, CounterUnit, KernelCounter, Reading, Scope};

/// A line per counter, in the order of scopes.
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
    let mut shown = 0;
    for scope in [Scope::Task, Scope::Device] {
        for counter in count.counters.iter().filter(|counter| counter.scope == scope) {
            if let Some(value) = value(counter).filter(|value| *value != 0) {
                let whose = if scope == Scope::Device { "device: " } else { "" };
                let name = counter.name.trim_start_matches("device-");
                page.row(&format!("  {:>12}  {whose}{name}", written(counter.unit, value)), "", Ink::Plain);
                shown += 1;
            }
        }
    }
    if shown == 0 {
        page.paragraph(2, Ink::Plain, "nothing: no counter that could be had moved");
    }
    let mut reasons: Vec<(&String, usize)> = Vec::new();
    for counter in &count.counters {
        if let Reading::Unavailable(reason) = &counter.differences {
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, times)) => *times += 1,
                None => reasons.push((reason, 1)),
            }
        }
    }
    for (reason, times) in reasons {
        let counters = if times == 1 { "counter" } else { "counters" };
        page.hanging("  ", 4, Ink::Plain, &format!("{times} {counters} could not be had: {reason}"));
    }
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
