//! Whether a comparison is one of what its sides are said to do: the one place in which that is
//! judged. What was seen of a side comes from a count pass, from events, from files; what follows is
//! the same for functions, builds and commands, and data until `report` words it.

mod named;
mod of_commands;
mod of_comparison;
#[cfg(test)]
mod tests;

pub use of_commands::{CommandSeen, validity_of_commands};
pub use of_comparison::{is_guarded, is_own_function, validity_of_comparison};

use fathom_model::{Feature, ValidityFlag, ValidityProblem};
use named::features_named;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of one side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SideSeen {
    /// The words by which it says what it does: a function's name, a command's.
    pub words: Vec<String>,
    /// The program's SHA-256 and its arguments, where they are known.
    pub program: Option<(String, Vec<String>)>,
    /// Calls and how often each was made, by name and errno; `None` where they were not counted, or
    /// not the same in every run.
    pub calls: Option<BTreeMap<(String, Option<String>), u64>>,
    /// The names and errnos of all calls that were seen, also where their numbers vary.
    pub called: Option<BTreeSet<(String, Option<String>)>>,
    /// What it did with files; `None` where nobody looked.
    pub deeds: Option<FileDeeds>,
    /// How its answer differs from what is right, or from the others'.
    pub answers_otherwise: bool,
}

/// What a side did with files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileDeeds {
    /// Opens with `O_DIRECT` that succeeded.
    pub direct_opens: u64,
    /// The errno and the file of one that failed.
    pub direct_refused: Option<(String, Option<String>)>,
    /// Advice by its word (`WILLNEED`), and how often it succeeded.
    pub advice: BTreeMap<String, u64>,
    /// The errno of advice that failed.
    pub advice_refused: Option<String>,
    /// Bytes of data that came, by file: each at most once.
    pub read: BTreeMap<String, u64>,
    /// Files were mapped, or a ring was made: what was read of them is not seen.
    pub reads_unseen: bool,
}

/// Under which conditions both sides worked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SharedConditions {
    /// All data was in the page cache.
    pub warm: bool,
    /// The files lie in memory: there is no device to read.
    pub in_memory: bool,
}

/// Everything that keeps a comparison of these sides from being one: what voids it first.
pub fn judge_validity(sides: &[SideSeen], conditions: SharedConditions) -> Vec<ValidityFlag> {
    let mut flags = same_programs(sides);
    for (index, side) in sides.iter().enumerate() {
        flags.extend(features(side, index, sides, conditions));
    }
    flags.extend(data(sides));
    flags.extend(cache_states(sides));
    // One program's calls are its own.
    if !flags.iter().any(|flag| flag.problem == ValidityProblem::SameProgram) {
        flags.extend(same_calls(sides));
    }
    flags.sort_by_key(|flag| (flag.problem, flag.sides.clone()));
    flags
}

fn flag(problem: ValidityProblem, sides: Vec<usize>) -> ValidityFlag {
    ValidityFlag { problem, sides, feature: None, errno: None, path: None, bytes: Vec::new() }
}

/// Pairs of the sides, the earlier first.
fn pairs(sides: &[SideSeen]) -> impl Iterator<Item = (usize, usize)> {
    let count = sides.len();
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| (one, other)))
}

fn same_programs(sides: &[SideSeen]) -> Vec<ValidityFlag> {
    let same = |(one, other): &(usize, usize)| {
        sides[*one].program.is_some() && sides[*one].program == sides[*other].program
    };
    pairs(sides)
        .filter(same)
        .map(|(one, other)| flag(ValidityProblem::SameProgram, vec![one, other]))
        .collect()
}

/// Features that a side is named after, or asked for, and that did not happen.
fn features(
    side: &SideSeen,
    index: usize,
    sides: &[SideSeen],
    conditions: SharedConditions,
) -> Vec<ValidityFlag> {
    let mut found: BTreeMap<Feature, ValidityFlag> = BTreeMap::new();
    let mut add =
        |feature: Feature, problem: ValidityProblem, errno: Option<String>, path: Option<String>| {
            let of = ValidityFlag { feature: Some(feature), errno, path, ..flag(problem, vec![index]) };
            found.entry(feature).or_insert(of);
        };
    let refused = |names: &[&str]| -> Option<String> {
        let called = side.called.as_ref()?;
        let of = |(call, _): &&(String, Option<String>)| names.contains(&call.as_str());
        let (failed, fine): (Vec<_>, Vec<_>) =
            called.iter().filter(of).partition(|(_, errno)| errno.is_some());
        if fine.is_empty() { failed.first().and_then(|(_, errno)| errno.clone()) } else { None }
    };
    let made =
        |name: &str| side.called.as_ref().is_some_and(|called| called.contains(&(name.to_owned(), None)));
    // What is seen, whatever the side is called.
    if let Some(errno) = refused(&["io_uring_setup"]) {
        add(Feature::IoUring, ValidityProblem::Refused, Some(errno), None);
    } else if made("io_uring_setup") && !made("io_uring_enter") {
        add(Feature::IoUring, ValidityProblem::NeverHappened, None, None);
    }
    if let Some(deeds) = &side.deeds {
        if let Some((errno, path)) = deeds.direct_refused.as_ref().filter(|_| deeds.direct_opens == 0) {
            add(Feature::DirectIo, ValidityProblem::Refused, Some(errno.clone()), path.clone());
        } else if deeds.direct_opens > 0 && conditions.in_memory {
            add(Feature::DirectIo, ValidityProblem::WithoutEffect, None, None);
        }
        if let Some(errno) = deeds.advice_refused.as_ref().filter(|_| deeds.advice.is_empty()) {
            add(Feature::FileAdvice, ValidityProblem::Refused, Some(errno.clone()), None);
        }
        let is_idle = |word: &String| {
            word == "NORMAL" || conditions.warm && matches!(word.as_str(), "WILLNEED" | "READAHEAD")
        };
        if !deeds.advice.is_empty() && deeds.advice.keys().all(is_idle) {
            add(Feature::FileAdvice, ValidityProblem::WithoutEffect, None, None);
        }
    }
    if let Some(errno) = refused(&["madvise"]) {
        add(Feature::MemoryAdvice, ValidityProblem::Refused, Some(errno), None);
    }
    // What it is called.
    let of_all = |word: &&String| !sides.iter().all(|other| other.words.contains(word));
    let own: Vec<&String> = side.words.iter().filter(of_all).collect();
    for feature in features_named(&own) {
        if happened(side, feature) == Some(false) {
            let errno = refused(feature.calls());
            let problem =
                if errno.is_some() { ValidityProblem::Refused } else { ValidityProblem::NeverHappened };
            add(feature, problem, errno, None);
        }
    }
    found.into_values().collect()
}

/// Whether a side did it; `None` where that was not looked at.
fn happened(side: &SideSeen, feature: Feature) -> Option<bool> {
    match feature {
        Feature::DirectIo => side.deeds.as_ref().map(|deeds| deeds.direct_opens > 0),
        // Every program is mapped by its loader; of data, only who looks at files can tell.
        Feature::Mapping => side.deeds.as_ref().map(|deeds| deeds.reads_unseen),
        feature => {
            let called = side.called.as_ref()?;
            let of = |(call, errno): &(String, Option<String>)| {
                errno.is_none() && feature.calls().contains(&call.as_str())
            };
            Some(called.iter().any(of))
        }
    }
}

/// Sides that read nothing, or other data than the others.
fn data(sides: &[SideSeen]) -> Vec<ValidityFlag> {
    let mut flags = Vec::new();
    for (index, _) in sides.iter().enumerate().filter(|(_, side)| side.answers_otherwise) {
        flags.push(flag(ValidityProblem::OtherData, vec![index]));
    }
    let amount = |side: &SideSeen| -> Option<u64> {
        let deeds = side.deeds.as_ref().filter(|deeds| !deeds.reads_unseen)?;
        Some(deeds.read.values().sum())
    };
    let reads = |side: &SideSeen| amount(side) != Some(0) && side.deeds.is_some();
    let some_read = sides.iter().any(reads);
    for (one, other) in pairs(sides) {
        let (Some(first), Some(second)) = (amount(&sides[one]), amount(&sides[other])) else { continue };
        let said = |index: &usize| flags.iter().any(|flag| flag.sides.contains(index));
        if first == 0 || second == 0 || [one, other].iter().any(said) {
            continue;
        }
        let files = |index: usize| sides[index].deeds.as_ref().map(|deeds| &deeds.read);
        if files(one) != files(other) {
            let (mine, theirs) = (files(one), files(other));
            let differs =
                |path: &&String| mine.and_then(|of| of.get(*path)) != theirs.and_then(|of| of.get(*path));
            let path = mine.into_iter().chain(theirs).flat_map(BTreeMap::keys).find(differs).cloned();
            let of = flag(ValidityProblem::OtherData, vec![one, other]);
            flags.push(ValidityFlag { path, bytes: vec![first, second], ..of });
        }
    }
    if some_read {
        for (index, _) in sides.iter().enumerate().filter(|(_, side)| amount(side) == Some(0)) {
            flags.push(flag(ValidityProblem::ReadNothing, vec![index]));
        }
    }
    flags
}

/// Sides that drop the pages that they read, or pass them by, where others do not and nobody said so.
fn cache_states(sides: &[SideSeen]) -> Vec<ValidityFlag> {
    let mut flags = Vec::new();
    let says = |side: &SideSeen, feature: Feature| {
        features_named(&side.words.iter().collect::<Vec<_>>()).contains(&feature)
    };
    let drops = |side: &SideSeen| side.deeds.as_ref().map(|deeds| deeds.advice.contains_key("DONTNEED"));
    let passes_by = |side: &SideSeen| side.deeds.as_ref().map(|deeds| deeds.direct_opens > 0);
    for (feature, does) in
        [(Feature::FileAdvice, &drops as &dyn Fn(&SideSeen) -> Option<bool>), (Feature::DirectIo, &passes_by)]
    {
        let not = sides.iter().any(|side| does(side) == Some(false));
        let silent = |(_, side): &(usize, &SideSeen)| does(side) == Some(true) && !says(side, feature);
        for (index, _) in sides.iter().enumerate().filter(silent).filter(|_| not) {
            let of = flag(ValidityProblem::OtherCacheState, vec![index]);
            flags.push(ValidityFlag { feature: Some(feature), ..of });
        }
    }
    flags
}

/// Sides whose calls are the same, each as often, in groups.
fn same_calls(sides: &[SideSeen]) -> Vec<ValidityFlag> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, side) in sides.iter().enumerate() {
        let Some(calls) = &side.calls else { continue };
        match groups.iter_mut().find(|group| sides[group[0]].calls.as_ref() == Some(calls)) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    let several = groups.into_iter().filter(|group| group.len() > 1);
    several.map(|group| flag(ValidityProblem::SameCalls, group)).collect()
}
