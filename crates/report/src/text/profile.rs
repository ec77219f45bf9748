//! Where each method was found running: shares of kernel and program, and the
//! functions most often on top.

use crate::page::{Ink, Page};
use crate::quantity::{grouped, number, percent};
use crate::standing::by_time;
use crate::visible::visible;
use crate::wrap::elide;
use fathom_model::{Comparison, Profile, Reading};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Functions shown of each method.
pub(crate) const TOP: usize = 8;
/// In brief text, functions with a smaller share are left out: little more than chance.
pub(crate) const SHARE_MIN: f64 = 0.005;
/// How a frame of the kernel ends in a folded stack, and one of code made at run time.
pub(crate) const KERNEL_MARK: &str = "_[k]";
pub(crate) const RUN_TIME_MARK: &str = "_[j]";
/// Where the kernel begins to serve an interrupt, which is nobody's own doing.
const INTERRUPTS: [&str; 5] =
    ["asm_sysvec_", "asm_common_interrupt", "el0t_64_irq", "el1h_64_irq", "call_on_irq_stack"];

/// A block per method that was sampled.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String]) {
    let readings = by_time(comparison).into_iter().filter_map(|index| {
        let profile = comparison.explanations.get(index)?.profile.as_ref()?;
        Some((labels[index].as_str(), profile))
    });
    let readings: Vec<_> = readings.collect();
    let frequencies: BTreeSet<u64> =
        readings.iter().filter_map(|(_, reading)| Some(reading.value()?.frequency_hz)).collect();
    if readings.is_empty() {
        return;
    }
    page.blank();
    if !frequencies.is_empty() {
        let per_second: Vec<_> = frequencies.iter().copied().map(grouped).collect();
        let text = format!(
            "where it was found running: {} samples per second of CPU time, in a run of its own; \
             functions by how often they were on top, ± at 95 %",
            per_second.join(" or ")
        );
        page.paragraph(2, Ink::Plain, &text);
    }
    for (label, reading) in readings {
        match reading {
            Reading::Value(profile) => block(page, label, profile),
            Reading::Unavailable(reason) => {
                page.hanging("  ", 4, Ink::Plain, &format!("no stacks of {label}: {reason}"));
            }
        }
    }
}

fn block(page: &mut Page, label: &str, profile: &Profile) {
    let tally = Tally::of(profile);
    page.hanging("  ", 4, Ink::Plain, &format!("{label}: {}", tally.in_words(profile)));
    let least = if page.is_full() { 0.0 } else { SHARE_MIN };
    let shown = tally.functions.iter().take(TOP);
    for function in shown.filter(|function| tally.share(function.own) >= least) {
        row(page, &tally, function);
    }
    for note in &profile.notes {
        page.hanging("    ", 6, Ink::Faint, note);
    }
}

fn row(page: &mut Page, tally: &Tally<'_>, function: &Function<'_>) {
    let own = format!("{} {:>5}", padded(tally.share(function.own)), tally.half_width(function.own));
    let total = if page.is_full() {
        format!("  {} in all", padded(tally.share(function.total)))
    } else {
        String::new()
    };
    let start = format!("    {own}{total}  ");
    let room = page.width().saturating_sub(start.chars().count());
    page.row(&format!("{start}{}", elide(&visible(&readable(function.name)), room)), "", Ink::Plain);
}

/// ` 92.1 %`: shares stand below each other.
fn padded(share: f64) -> String {
    format!("{:>5} %", number(100.0 * share, 1))
}

/// The marks of folded stacks in words.
pub(crate) fn readable(name: &str) -> String {
    if let Some(name) = name.strip_suffix(KERNEL_MARK) {
        format!("{name} (kernel)")
    } else if let Some(name) = name.strip_suffix(RUN_TIME_MARK) {
        format!("{name} (compiled at run time)")
    } else {
        name.to_owned()
    }
}

/// The samples of a profile by function.
pub(crate) struct Tally<'a> {
    pub(crate) samples: u64,
    kernel: u64,
    /// Of them, those in interrupts.
    interrupts: u64,
    run_time: u64,
    /// The most often on top first.
    pub(crate) functions: Vec<Function<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    /// Samples with it on top.
    pub(crate) own: u64,
    /// Samples with it anywhere in the stack.
    pub(crate) total: u64,
}

impl<'a> Tally<'a> {
    pub(crate) fn of(profile: &'a Profile) -> Self {
        let mut functions: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        let (mut kernel, mut interrupts, mut run_time, mut samples) = (0, 0, 0, 0);
        for stack in &profile.stacks {
            samples += stack.samples;
            // A function that calls itself is in the stack once.
            let frames: BTreeSet<&str> = stack.frames.split(';').collect();
            let interrupted =
                frames.iter().any(|frame| INTERRUPTS.iter().any(|name| frame.starts_with(name)));
            interrupts += if interrupted { stack.samples } else { 0 };
            for frame in frames {
                functions.entry(frame).or_default().1 += stack.samples;
            }
            let top = stack.frames.rsplit(';').next().unwrap_or_default();
            functions.entry(top).or_default().0 += stack.samples;
            kernel += if top.ends_with(KERNEL_MARK) { stack.samples } else { 0 };
            run_time += if top.ends_with(RUN_TIME_MARK) { stack.samples } else { 0 };
        }
        let mut functions: Vec<_> =
            functions.into_iter().map(|(name, (own, total))| Function { name, own, total }).collect();
        functions.sort_by_key(|function| Reverse((function.own, function.total)));
        functions.retain(|function| function.own > 0);
        Self { samples, kernel, interrupts, run_time, functions }
    }

    pub(crate) fn in_words(&self, profile: &Profile) -> String {
        let mut parts = vec![format!("{} samples", grouped(self.samples))];
        if profile.lost > 0 {
            parts.push(format!("{} more lost", grouped(profile.lost)));
        }
        let program = self.samples - self.kernel - self.run_time;
        let part = |samples: u64, name: &str| {
            format!("{} {} {name}", percent(self.share(samples)), self.half_width(samples))
        };
        // None in the kernel may mean that it was not to be seen, which a note says.
        let shares = [(self.kernel, "kernel"), (program, "program"), (self.run_time, "compiled at run time")];
        let shares: Vec<_> = shares
            .into_iter()
            .filter(|(samples, _)| *samples > 0)
            .map(|(samples, name)| part(samples, name))
            .collect();
        if !shares.is_empty() {
            parts.push(shares.join(", "));
        }
        if self.share(self.interrupts) >= SHARE_MIN {
            let share = percent(self.share(self.interrupts));
            parts.push(format!("of the kernel's, {share} are interrupts, more on a busy machine"));
        }
        parts.join("; ")
    }

    pub(crate) fn share(&self, samples: u64) -> f64 {
        samples as f64 / self.samples.max(1) as f64
    }

    /// Half of Wilson's interval at 95 %, in points: right also for shares near 0 and 1.
    pub(crate) fn half_width(&self, samples: u64) -> String {
        const Z: f64 = 1.96;
        let n = self.samples.max(1) as f64;
        let share = self.share(samples);
        let spread = (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        format!("±{:.1}", 100.0 * Z * spread / (1.0 + Z * Z / n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Details, TextOptions};
    use fathom_model::{Explanation, FoldedStack};

    fn profile(stacks: &[(&str, u64)]) -> Profile {
        let stacks: Vec<_> = stacks
            .iter()
            .map(|&(frames, samples)| FoldedStack { frames: frames.to_owned(), samples })
            .collect();
        let samples = stacks.iter().map(|stack| stack.samples).sum();
        Profile { frequency_hz: 1999, samples, lost: 0, stacks, notes: vec!["a note".to_owned()] }
    }

    fn shown(found: Vec<Option<Reading<Profile>>>, details: Details) -> String {
        let mut comparison = fathom_testkit::complete().experiments[0].comparisons[0].clone();
        let labels: Vec<_> = comparison.variants.iter().map(|variant| variant.method.to_string()).collect();
        comparison.explanations =
            found.into_iter().map(|profile| Explanation { profile, ..Explanation::default() }).collect();
        let mut page = Page::new(&TextOptions { details, ..TextOptions::default() });
        render(&mut page, &comparison, &labels);
        page.finish().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    const STACKS: &[(&str, u64)] = &[
        ("main;main.hash;crypto/md5.block", 920),
        ("main;main.hash;read;vfs_read_[k]", 60),
        ("main;Foo.bar()_[j]", 17),
        ("main;main.hash", 3),
    ];

    #[test]
    fn functions_stand_by_their_own_share() {
        let text = shown(vec![Some(Reading::Value(profile(STACKS)))], Details::Brief);
        assert!(text.contains("1,000 samples; 6.0 % ±1.5 kernel, 92.3 % ±1.7 program, 1.7 %"), "{text}");
        assert!(text.contains("92.0 % ±1.7 crypto/md5.block 6.0 % ±1.5 vfs_read (kernel)"), "{text}");
        assert!(text.contains("Foo.bar() (compiled at run time)") && text.contains("a note"), "{text}");
        // Rare, and never on top.
        assert!(!text.contains("main.hash") && !text.contains("in all"), "{text}");
    }

    #[test]
    fn in_full_what_a_function_calls_is_told_too() {
        let text = shown(vec![Some(Reading::Value(profile(STACKS)))], Details::Full);
        assert!(text.contains("0.3 % ±0.4 98.3 % in all main.hash"), "{text}");
    }

    #[test]
    fn interrupts_are_told_apart() {
        let found = profile(&[("f", 95), ("f;asm_sysvec_apic_timer_interrupt_[k];schedule_[k]", 5)]);
        let text = shown(vec![Some(Reading::Value(found))], Details::Brief);
        assert!(text.contains("5.0 % ±4.5 kernel") && text.contains("5.0 % are interrupts"), "{text}");
    }

    #[test]
    fn recursion_is_counted_once() {
        let found = profile(&[("f;f;f", 10), ("f;g", 10)]);
        let tally = Tally::of(&found);
        let of = |name| tally.functions.iter().find(|function| function.name == name).unwrap();
        assert_eq!((of("f").own, of("f").total), (10, 20));
    }

    #[test]
    fn reasons_losses_and_nothing() {
        assert_eq!(shown(vec![None, None], Details::Brief), "");
        let mut lossy = profile(STACKS);
        lossy.lost = 7;
        let found = vec![Some(Reading::unavailable("refused")), Some(Reading::Value(lossy))];
        let text = shown(found, Details::Brief);
        assert!(text.contains(": refused") && text.contains("7 more lost"), "{text}");
        let text = shown(vec![Some(Reading::Value(profile(&[])))], Details::Full);
        assert!(!text.contains("NaN"), "{text}");
    }
}
