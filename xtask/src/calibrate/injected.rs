//! Injected effects: a driver of our own does one known thing more in its
//! operation. Is it told apart, is it sized right, and do the intervals cover?

use super::figures::{Middle, index_of, summary_of};
use super::finding::{Finding, Outcome};
use super::programs;
use super::session::{Bench, Session};
use super::share::Share;
use anyhow::Context;
use fathom_model::{Comparison, CountPass};
use fathom_stats::{Interval, block_ln_ratios, median};
use std::collections::BTreeMap;
use std::path::Path;

/// Tolerated beside `BIAS_SHARE` of the effect: a share of the whole operation.
const BIAS_FLOOR: f64 = 0.001;
const BIAS_SHARE: f64 = 0.05;
/// The share of intervals that may miss.
const ALPHA: f64 = 0.05;
/// Smaller effects than this need not be told apart in every session.
const PLAIN: f64 = 0.02;

/// Effects that are timed in one comparison.
#[derive(Debug, Clone, Copy)]
pub(super) struct Family {
    name: &'static str,
    /// The operation without any effect.
    baseline: &'static str,
    /// What that does beside open and close, in a loop of its own; without it,
    /// the driver's loop.
    alone: Option<&'static str>,
    pub(super) effects: &'static [Effect],
}

/// What is injected, and the method that does nothing else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effect {
    pub(super) with: &'static str,
    alone: &'static str,
    /// The call that it adds; a spin adds none.
    call: Option<&'static str>,
}

/// Everything that is injected.
pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "injected-calls",
        baseline: "open",
        alone: None,
        effects: &[
            Effect { with: "open+fstat", alone: "fstat-only", call: Some("fstat") },
            Effect { with: "open+getppid", alone: "getppid-only", call: Some("getppid") },
        ],
    },
    Family {
        name: "injected-spins",
        baseline: "open+spin-16",
        alone: Some("spin-16-only"),
        effects: &[
            Effect { with: "open+spin-20", alone: "spin-20-only", call: None },
            Effect { with: "open+spin-48", alone: "spin-48-only", call: None },
            Effect { with: "open+spin-272", alone: "spin-272-only", call: None },
        ],
    },
];

/// What the sessions showed of one effect.
#[derive(Debug, Clone, Default)]
struct Shown {
    /// For each session: the ends of the ratio's interval, where it has one.
    intervals: Vec<Option<(f64, f64)>>,
    /// For each session: what it adds inside the operation, and by itself, in ns.
    added_ns: Vec<(f64, f64)>,
    whole_ns: Vec<f64>,
    /// Log ratio of every fork of every session.
    forks: Vec<f64>,
    /// For each session with a count pass: whether the counts differ by the effect's call alone.
    counted: Vec<bool>,
}

/// Sessions with injected calls, and with injected spins, in turn.
pub(super) fn check(session: &mut Session, sittings: u32, seconds: f64) -> anyhow::Result<Vec<Finding>> {
    let driver = session.compile(programs::INJECTED, "injected")?;
    let mut shown: BTreeMap<&str, Shown> = BTreeMap::new();
    for _ in 0..sittings {
        for family in &FAMILIES {
            let comparison = sitting(session, &driver, family, seconds)?;
            for effect in family.effects {
                let shown = shown.entry(effect.with).or_default();
                shown
                    .add(&comparison, family, effect)
                    .with_context(|| format!("no times of {}", effect.with))?;
            }
        }
    }
    let effects = FAMILIES.iter().flat_map(|family| family.effects);
    let effects: Vec<(&Effect, &Shown)> =
        effects.filter_map(|effect| Some((effect, shown.get(effect.with)?))).collect();
    let mut findings = vec![told_apart(&effects), counts(&effects)];
    findings.extend(effects.iter().filter_map(|(effect, shown)| sized(effect, shown)));
    findings.push(coverage(&effects));
    Ok(findings)
}

/// One session with a family's effects.
pub(super) fn sitting(
    session: &mut Session,
    driver: &Path,
    family: &Family,
    seconds: f64,
) -> anyhow::Result<Comparison> {
    let names = family.effects.iter().flat_map(|effect| [effect.with, effect.alone]);
    let names = std::iter::once(family.baseline).chain(family.alone).chain(names);
    let methods = names.map(|name| format!("injected:{name}")).collect::<Vec<_>>().join(",");
    let baseline = format!("injected:{}", family.baseline);
    let words = ["--driver", &driver.to_string_lossy(), "--baseline", &baseline];
    let bench = Bench {
        name: family.name,
        operation: "open-close",
        methods: &methods,
        seconds,
        words: &words,
        cpu: None,
    };
    session.bench(bench)?.map_err(|reason| anyhow::anyhow!("the injected driver was not measured: {reason}"))
}

impl Shown {
    fn add(&mut self, comparison: &Comparison, family: &Family, effect: &Effect) -> Option<()> {
        let with = summary_of(comparison, effect.with)?;
        let alone = summary_of(comparison, effect.alone)?;
        let rest = match family.alone {
            Some(rest) => &summary_of(comparison, rest)?.time_ns,
            None => alone.loop_ns.as_ref()?,
        };
        let own_ns = alone.time_ns.value - rest.value;
        self.added_ns.push((with.delta_ns.as_ref()?.value, own_ns));
        self.intervals.push(with.ratio.as_ref()?.interval());
        self.whole_ns.push(summary_of(comparison, family.baseline)?.time_ns.value);
        let (arm, reference) = (index_of(comparison, effect.with)?, index_of(comparison, family.baseline)?);
        self.forks.extend(
            comparison.forks.iter().filter_map(|fork| median(&block_ln_ratios(fork, arm, reference))),
        );
        let count = |index: usize| comparison.counts.get(index).and_then(|count| count.value());
        if let (Some(with), Some(without)) = (count(arm), count(reference)) {
            self.counted.push(differ_by(with, without, effect.call));
        }
        Some(())
    }
}

/// True when the calls per operation are the same but for one more `call`.
fn differ_by(with: &CountPass, without: &CountPass, call: Option<&str>) -> bool {
    let counts = |pass: &CountPass| -> BTreeMap<String, f64> {
        pass.inside.iter().map(|count| (count.call.clone(), count.per_operation())).collect()
    };
    let mut expected = counts(without);
    if let Some(call) = call {
        *expected.entry(call.to_owned()).or_default() += 1.0;
    }
    with.is_exact() && without.is_exact() && counts(with) == expected
}

fn told_apart(effects: &[(&Effect, &Shown)]) -> Finding {
    let found = |shown: &Shown| {
        let above = |interval: &&Option<(f64, f64)>| interval.is_some_and(|(low, _)| low > 1.0);
        (shown.intervals.iter().filter(above).count(), shown.intervals.len())
    };
    let texts = effects.iter().map(|(effect, shown)| {
        let (hits, of) = found(shown);
        let percent = median(&shown.forks).map_or(0.0, |ln| 100.0 * ln.exp_m1());
        format!("{} (+{percent:.1} %) {hits} of {of}", effect.with)
    });
    let result = texts.collect::<Vec<_>>().join(", ");
    let plain = |shown: &Shown| median(&shown.forks).is_some_and(|ln| ln.exp_m1() >= PLAIN);
    let all = effects.iter().all(|(_, shown)| !plain(shown) || found(shown).0 == found(shown).1);
    let n = effects.iter().map(|(_, shown)| shown.intervals.len()).sum();
    let done =
        "a driver with one more call or a spin between open and close; sessions whose interval lies above 1";
    Finding::reported("Injected: told apart", done, n, result)
        .judged("all, of effects of 2 % or more", if all { Outcome::Passed } else { Outcome::Failed })
}

fn counts(effects: &[(&Effect, &Shown)]) -> Finding {
    let all: Vec<bool> = effects.iter().flat_map(|(_, shown)| shown.counted.iter().copied()).collect();
    let right = all.iter().filter(|&&right| right).count();
    let done = "calls per operation against those of the bare open, by the count pass";
    let finding = Finding::reported(
        "Injected: counted",
        done,
        all.len(),
        format!("{right} of {} differ by the injected call and nothing else", all.len()),
    );
    match all.len() {
        0 => Finding { result: "no count pass could be had".to_owned(), ..finding },
        n => finding.judged("all", if right == n { Outcome::Passed } else { Outcome::Failed }),
    }
}

/// The added time inside the operation against that of its own loop.
fn sized(effect: &Effect, shown: &Shown) -> Option<Finding> {
    let biases: Vec<f64> = shown.added_ns.iter().map(|(added, own)| added - own).collect();
    let bias = Middle::of(&biases)?;
    let own_ns = median(&shown.added_ns.iter().map(|&(_, own)| own).collect::<Vec<_>>())?;
    let added_ns = median(&shown.added_ns.iter().map(|&(added, _)| added).collect::<Vec<_>>())?;
    let allowed_ns = BIAS_FLOOR * median(&shown.whole_ns)? + BIAS_SHARE * own_ns;
    let rest = if effect.call.is_some() { "the loop" } else { "a spin of 16 steps" };
    let result = format!("adds {added_ns:.1} ns, {own_ns:.1} ns in its own loop: bias {} ns", bias.text(1));
    let finding = Finding::reported(
        format!("Injected: size of {}", effect.with),
        format!("delta_ns against {} less {}, in the same blocks", effect.alone, rest),
        bias.n,
        result,
    );
    if effect.call.is_some() {
        // A call amid others costs more than in a loop of its own: what is predicted and cached
        // differs. The bare loop is the judge of those.
        return Some(finding);
    }
    let region = Interval::new(-allowed_ns, allowed_ns);
    let accept = format!("0.1 % of the operation and 5 % of the effect: ±{allowed_ns:.1} ns");
    Some(finding.judged(accept, Outcome::of_interval(bias.interval, region, bias.n)))
}

/// How many intervals miss the long-run value: the median over all forks of all sessions.
fn coverage(effects: &[(&Effect, &Shown)]) -> Finding {
    let (mut missed, mut all) = (0, 0);
    for (_, shown) in effects {
        let Some(truth) = median(&shown.forks).map(f64::exp) else { continue };
        let intervals: Vec<_> = shown.intervals.iter().flatten().collect();
        missed += intervals.iter().filter(|(low, high)| truth < *low || truth > *high).count();
        all += intervals.len();
    }
    let share = Share::new(missed, all);
    let done = "95 % intervals of the ratio that miss the median over all forks of all sessions";
    Finding::reported("Injected: coverage", done, all, share.to_string())
        .judged("not shown to be above 5 %", Outcome::of_share(share, ALPHA))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(added_ns: f64, low: f64, high: f64) -> Shown {
        let jitter = |i: i32| added_ns + 0.01 * f64::from(i);
        Shown {
            intervals: vec![Some((low, high)); 12],
            added_ns: (0..12).map(|i| (jitter(i), 100.0)).collect(),
            whole_ns: vec![1000.0; 12],
            forks: vec![1.1_f64.ln(); 50],
            counted: vec![true; 12],
        }
    }

    #[test]
    fn a_spin_that_is_sized_wrong_fails_and_a_call_is_reported() {
        // Allowed: 0.1 % of 1000 ns and 5 % of 100 ns.
        let outcome = |added, effect: &Effect| sized(effect, &shown(added, 1.09, 1.11)).unwrap().outcome;
        assert_eq!(outcome(104.0, &FAMILIES[1].effects[0]), Outcome::Passed);
        assert_eq!(outcome(107.0, &FAMILIES[1].effects[0]), Outcome::Failed);
        assert_eq!(outcome(107.0, &FAMILIES[0].effects[0]), Outcome::Reported);
    }

    #[test]
    fn intervals_that_miss_or_do_not_see_it_fail() {
        let judge = |low, high| {
            let shown = shown(100.0, low, high);
            let effects = [(&FAMILIES[1].effects[0], &shown)];
            (told_apart(&effects).outcome, coverage(&effects).outcome)
        };
        assert_eq!(judge(1.09, 1.11), (Outcome::Passed, Outcome::Passed));
        assert_eq!(judge(0.99, 1.11), (Outcome::Failed, Outcome::Passed));
        assert_eq!(judge(1.11, 1.12), (Outcome::Passed, Outcome::Failed));
    }

    #[test]
    fn counts_must_differ_by_the_call_alone() {
        let pass = |calls: &[(&str, i64)]| {
            let mut pass =
                fathom_testkit::complete().experiments[0].comparisons[0].counts[0].value().unwrap().clone();
            pass.inside = calls
                .iter()
                .map(|&(call, times)| fathom_model::CallCount {
                    call: call.to_owned(),
                    errno: None,
                    differences: vec![96 * times; 3],
                    operations: 96,
                })
                .collect();
            pass
        };
        let open = pass(&[("openat", 1), ("close", 1)]);
        let fstat = pass(&[("openat", 1), ("fstat", 1), ("close", 1)]);
        assert!(differ_by(&fstat, &open, Some("fstat")) && differ_by(&open, &open, None));
        assert!(!differ_by(&fstat, &open, None) && !differ_by(&open, &open, Some("fstat")));
        assert!(!differ_by(&pass(&[("openat", 1), ("fstat", 2), ("close", 1)]), &open, Some("fstat")));
    }
}
