//! Samples become folded stacks: names instead of addresses, equal stacks counted once.

use super::ProfileError;
use super::sampling::Sampling;
use super::symbols::Names;
use super::unwinding::CopyWalker;
use fathom_model::{FoldedStack, Profile};
use fathom_stacks::{Mappings, PerfMap};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A record keeps so many different stacks; the rest are one.
const STACKS_MAX: usize = 2000;
/// The frame that stands for the rest.
const OTHER: &str = "[other]";
/// A share of cut stacks below this is not worth a note.
const CUT_SHARE_MIN: f64 = 0.01;
/// Where threads begin, in C, Rust, Zig and Go.
const ENTRIES: [&str; 15] = [
    "_start",
    "__libc_start_main",
    "__libc_start_call_main",
    "start_thread",
    "clone",
    "__clone",
    "clone3",
    "__clone3",
    "runtime.goexit",
    "runtime.mstart",
    "runtime.rt0_go",
    "runtime.mcall",
    "runtime.clone",
    "start._start",
    "start.posixCallMainAndExit",
];

/// The samples of a process that is still there, folded.
pub(super) fn profile(pid: u32, sampling: &Sampling, perf_map: &str) -> Result<Profile, ProfileError> {
    let gone = |error| ProfileError::Process { path: format!("/proc/{pid}/maps"), error };
    let mappings = Mappings::of(pid).map_err(gone)?;
    let perf_map = PerfMap::parse(perf_map);
    let mut walker = CopyWalker::new(&mappings, &perf_map);
    let stacks: Vec<Stack> = sampling
        .taken()
        .iter()
        .map(|sample| {
            let (user, ended) = walker.walk(sample);
            Stack { kernel: lookups(&sample.kernel), user: lookups(&user), ended }
        })
        .collect();
    let kernel: BTreeSet<u64> = stacks.iter().flat_map(|stack| &stack.kernel).copied().collect();
    let user: BTreeSet<u64> = stacks.iter().flat_map(|stack| &stack.user).copied().collect();
    let names = Names::of(pid, &mappings, &perf_map, &kernel, &user);
    let mut notes = Vec::new();
    if let Some(why) = &sampling.without_kernel {
        notes.push(format!("user frames only: {why}"));
    }
    if let Some(why) = &names.kernel_hidden {
        notes.push(format!("frames of the kernel have no names: {why}"));
    }
    let cut = stacks.iter().filter(|stack| stack.is_cut(&names)).count();
    let cut_share = cut as f64 / stacks.len().max(1) as f64;
    if cut_share >= CUT_SHARE_MIN {
        notes.push(format!(
            "in {:.0} % of the samples the stack ends before its thread begins: \
             what lies further out is not known there",
            cut_share * 100.0
        ));
    }
    let (stacks, note) = folded(stacks.iter().map(|stack| stack.frames(&names)));
    notes.extend(note);
    let (frequency_hz, lost) = (sampling.frequency_hz, sampling.lost);
    Ok(Profile { frequency_hz, samples: sampling.taken().len() as u64, lost, stacks, notes })
}

/// Addresses to look up, from the innermost frame on.
struct Stack {
    kernel: Vec<u64>,
    user: Vec<u64>,
    /// The last user frame is known to be the outermost.
    ended: bool,
}

impl Stack {
    fn frames(&self, names: &Names) -> String {
        let user = self.user.iter().rev().map(|&address| names.user(address));
        let kernel = self.kernel.iter().rev().map(|&address| names.kernel(address));
        user.chain(kernel).collect::<Vec<_>>().join(";")
    }

    fn is_cut(&self, names: &Names) -> bool {
        let outermost = self.user.last().map(|&address| names.user(address));
        !self.ended && !outermost.is_some_and(is_entry)
    }
}

/// Callers are known by where they go on, which may be the next function.
fn lookups(chain: &[u64]) -> Vec<u64> {
    let looked_up = |(number, &address): (usize, &u64)| if number == 0 { address } else { address - 1 };
    chain.iter().enumerate().map(looked_up).collect()
}

fn is_entry(name: &str) -> bool {
    // Go adds the calling convention to a name, the C library a version.
    let name = name.split("@@").next().unwrap_or(name);
    ENTRIES.contains(&name.strip_suffix(".abi0").unwrap_or(name))
}

/// Equal stacks counted, most frequent first, the rarest as one; with a note when there are any of those.
fn folded(stacks: impl Iterator<Item = String>) -> (Vec<FoldedStack>, Option<String>) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for frames in stacks {
        *counts.entry(frames).or_default() += 1;
    }
    let mut stacks: Vec<_> =
        counts.into_iter().map(|(frames, samples)| FoldedStack { frames, samples }).collect();
    stacks.sort_by_key(|stack| Reverse(stack.samples));
    if stacks.len() <= STACKS_MAX {
        return (stacks, None);
    }
    let rest = stacks.split_off(STACKS_MAX);
    let samples = rest.iter().map(|stack| stack.samples).sum();
    stacks.push(FoldedStack { frames: OTHER.to_owned(), samples });
    stacks.sort_by_key(|stack| Reverse(stack.samples));
    let note = format!("the {} rarest stacks, {samples} samples, are kept as {OTHER}", rest.len());
    (stacks, Some(note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one() {
        let (stacks, note) = folded(["a;b", "c", "a;b"].into_iter().map(str::to_owned));
        let found: Vec<_> = stacks.iter().map(|stack| (stack.frames.as_str(), stack.samples)).collect();
        assert_eq!(found, [("a;b", 2), ("c", 1)]);
        assert_eq!(note, None);
    }

    #[test]
    fn no_sample_goes_when_there_are_too_many_stacks() {
        let all = STACKS_MAX + 500;
        let (stacks, note) = folded((0..all).map(|number| format!("main;f{number}")));
        assert_eq!(stacks.len(), STACKS_MAX + 1);
        assert_eq!(stacks[0], FoldedStack { frames: OTHER.to_owned(), samples: 500 });
        assert_eq!(stacks.iter().map(|stack| stack.samples).sum::<u64>(), all as u64);
        assert!(note.unwrap().contains("500 rarest stacks"));
    }

    #[test]
    fn where_threads_begin() {
        for name in ["_start", "runtime.goexit.abi0", "__libc_start_main@@GLIBC_2.34", "clone3"] {
            assert!(is_entry(name), "{name}");
        }
        assert!(!is_entry("main") && !is_entry("runtime.main") && !is_entry("[libc.so.6]"));
    }

    #[test]
    fn callers_are_looked_up_before_where_they_go_on() {
        assert_eq!(lookups(&[10, 20, 30]), [10, 19, 29]);
        assert_eq!(lookups(&[]), [0u64; 0]);
    }
}
