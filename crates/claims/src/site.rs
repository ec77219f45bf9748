//! Sites: where in the records a check can be made, before anything is computed.

use fathom_model::{
    Check, Comparison, Conditions, ExperimentRecord, Metric, Outcome, PlaceFacts, PlaceKind, Record, Subject,
    Variant,
};

/// A level for questions that it does not bear on.
const ANY_ALPHA: f64 = 0.5;
/// Where a check can be made, before anything is computed.
#[derive(Debug)]
pub(crate) enum Site<'a> {
    /// Two variants of a comparison, or one.
    Variants { record: &'a Record, comparison: &'a Comparison, of: usize, to: Option<usize> },
    /// A row of a scenario.
    Outcome { record: &'a Record, outcome: &'a Outcome },
    /// A row of a scenario with a figure, perhaps beside another of the same case.
    Figure { record: &'a Record, of: &'a Outcome, to: Option<&'a Outcome> },
    /// A place.
    Place { record: &'a Record, facts: &'a PlaceFacts },
}

/// Every site of a check of an experiment's claim in the records. What another
/// experiment measured has other choices where the check is silent.
pub(crate) fn sites<'a>(check: &Check, experiment: &str, records: &[&'a Record]) -> Vec<Site<'a>> {
    let mut found = Vec::new();
    for &record in records {
        let experiments = || record.experiments.iter().filter(|known| known.name == experiment);
        match &check.subject {
            Subject::Fact(_) => {
                found.extend(record.places.iter().map(|facts| Site::Place { record, facts }));
            }
            Subject::Outcome { case, setting, .. } => {
                let outcomes = || {
                    let all = experiments().flat_map(|experiment| &experiment.outcomes);
                    all.filter(|outcome| outcome.case.contains(case))
                };
                // `open` is one setting's whole name, and a word in the names of others.
                let is_whole = outcomes().any(|outcome| outcome.setting == *setting);
                let is_meant = |outcome: &&Outcome| {
                    if is_whole { outcome.setting == *setting } else { outcome.setting.contains(setting) }
                };
                found.extend(outcomes().filter(is_meant).map(|outcome| Site::Outcome { record, outcome }));
            }
            Subject::Figure { case, setting, to, .. } => {
                let rows = |setting: &str| -> Vec<&'a Outcome> {
                    let all = experiments().flat_map(|experiment| &experiment.outcomes);
                    all.filter(|row| row.case.contains(case) && row.setting == *setting).collect()
                };
                for of in rows(setting) {
                    let Some(to) = to else {
                        found.push(Site::Figure { record, of, to: None });
                        continue;
                    };
                    let beside = rows(to).into_iter().filter(|to| to.case == of.case && to.place == of.place);
                    found.extend(beside.map(|to| Site::Figure { record, of, to: Some(to) }));
                }
            }
            Subject::Variants { metric, of, to, .. } => {
                let before = found.len();
                for comparison in experiments().flat_map(|experiment| &experiment.comparisons) {
                    found.extend(pairs(record, comparison, of, to.as_ref()));
                }
                let of_check = found.split_off(before);
                found.extend(if metric.is_timed() {
                    timed(of_check, check)
                } else {
                    once_each(of_check, check)
                });
            }
        }
    }
    found
}

/// What is not timed is the same wherever a variant stands: once is enough, where
/// there is a value.
fn once_each<'a>(sites: Vec<Site<'a>>, check: &Check) -> Vec<Site<'a>> {
    let mut kept: Vec<Site<'_>> = Vec::new();
    for site in sites {
        match kept.iter_mut().find(|known| known.variants() == site.variants()) {
            None => kept.push(site),
            Some(known) if !known.has_effect(check) => *known = site,
            Some(_) => {}
        }
    }
    kept
}

/// Every sample of a time counts. Where a pair was timed in one comparison, another that
/// only counted its calls has nothing to say.
fn timed<'a>(sites: Vec<Site<'a>>, check: &Check) -> Vec<Site<'a>> {
    let has_effect: Vec<bool> = sites.iter().map(|site| site.has_effect(check)).collect();
    let says_more =
        |one: usize, other: usize| has_effect[other] && sites[one].variants() == sites[other].variants();
    let kept: Vec<bool> = (0..sites.len())
        .map(|one| has_effect[one] || !(0..sites.len()).any(|other| says_more(one, other)))
        .collect();
    sites.into_iter().zip(kept).filter_map(|(site, kept)| kept.then_some(site)).collect()
}

/// The pairs of a comparison's variants that the conditions speak of.
fn pairs<'a>(
    record: &'a Record,
    comparison: &'a Comparison,
    of: &Conditions,
    to: Option<&Conditions>,
) -> Vec<Site<'a>> {
    let meets = |conditions: &Conditions, variant: &Variant| {
        let facts = record.places.get(variant.place);
        facts.is_some_and(|facts| conditions.are_met_by(variant, facts))
    };
    let all = || comparison.variants.iter().enumerate();
    let site = |of, to| Site::Variants { record, comparison, of, to };
    let mut found = Vec::new();
    for (one, variant) in all().filter(|(_, variant)| meets(of, variant)) {
        let Some(to) = to else {
            found.push(site(one, None));
            continue;
        };
        let others = all().filter(|(other, reference)| {
            *other != one && meets(to, reference) && of.leave_equal(to, variant, reference)
        });
        // A method beside itself is one pair, not two.
        found.extend(
            others.filter(|(other, _)| of != to || *other < one).map(|(other, _)| site(one, Some(other))),
        );
    }
    found
}
impl Site<'_> {
    /// Whether there is anything to judge; the level does not matter to that.
    fn has_effect(&self, check: &Check) -> bool {
        self.judge(check, ANY_ALPHA).effect.is_some()
    }

    /// The variants that it speaks of.
    fn variants(&self) -> Option<(&Variant, Option<&Variant>)> {
        let Self::Variants { comparison, of, to, .. } = self else { return None };
        Some((&comparison.variants[*of], to.map(|to| &comparison.variants[to])))
    }
}

/// True when the effect of such a check is a matter of chance, so that it takes its
/// part of the family's error.
pub(crate) fn is_chance(check: &Check) -> bool {
    matches!(&check.subject, Subject::Variants { metric, .. } if metric.is_timed() || matches!(metric, Metric::Stacks(_)))
}

fn in_words(kind: PlaceKind) -> &'static str {
    match kind {
        PlaceKind::Disk => "on a disk",
        PlaceKind::Memory => "in memory",
        PlaceKind::Memfd => "a memfd",
        PlaceKind::Ext4 => "ext4 with a journal and auto_da_alloc (root: --mount ext4 makes one)",
        PlaceKind::Ext4NoAutoDaAlloc => {
            "ext4 with noauto_da_alloc (root: --mount ext4+noauto_da_alloc makes one)"
        }
        PlaceKind::Ext4Discard => "ext4 with discard (root: --mount ext4+discard makes one)",
        PlaceKind::Xfs => "xfs (root: --mount xfs makes one)",
        PlaceKind::Btrfs => "btrfs (root: --mount btrfs makes one)",
    }
}

/// Why a check has no site: what the records say of its methods.
pub(crate) fn absence(check: &Check, experiment: &str, records: &[&Record]) -> String {
    let ended_early = records.iter().any(|record| !record.complete);
    let Subject::Variants { of, to, .. } = &check.subject else {
        let absent =
            if ended_early { "the run ended before this scenario" } else { "no record holds this scenario" };
        return absent.to_owned();
    };
    let methods =
        [Some(of), to.as_ref()].into_iter().flatten().filter_map(|conditions| conditions.method.as_ref());
    let all = || records.iter().flat_map(|record| &record.experiments);
    let experiments = || all().filter(|known| known.name == experiment);
    if experiments().next().is_none() {
        let absent = if ended_early { "the run ended before" } else { "no record holds" };
        return format!("{absent} {experiment}");
    }
    let wanted = [Some(of), to.as_ref()].into_iter().flatten().filter_map(|conditions| conditions.place);
    for kind in wanted {
        if !records.iter().flat_map(|record| &record.places).any(|facts| kind.holds(facts)) {
            return format!("none of the places is {}", in_words(kind));
        }
    }
    for method in methods {
        let told = |experiment: &ExperimentRecord| {
            let unmeasured = experiment.unmeasured.iter().find(|unmeasured| unmeasured.method == *method)?;
            Some(format!("{method}: {}", unmeasured.reason))
        };
        if let Some(reason) = experiments().find_map(told) {
            return reason;
        }
    }
    let absent = if ended_early {
        "the run ended before what it speaks of was measured"
    } else {
        "no comparison of the records holds what it speaks of, side by side"
    };
    absent.to_owned()
}
