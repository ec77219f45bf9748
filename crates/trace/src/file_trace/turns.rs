//! Which calls of a runtime's threads are looked at where that is not done at every call. Scripts may call from
//! many lines by one stack of their runtime; which line it is takes ten times as long to read as that stack.
//!
//! Calls that ask something new are looked at more densely than those that ask again what was asked before by the
//! same stack: another line of the script mostly asks about another file. Of either kind all of the first ones
//! are looked at, and then ever fewer, down to one in [`LONGEST_GAP`].

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How densely the calls of one kind are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Density {
    /// So many first ones.
    pub(super) first: u32,
    /// From there on one in as many as there have been since, divided by 2 to the power of this.
    pub(super) shift: i32,
}

/// Of calls by a stack that are about what no call, or few, by that stack were about.
pub(super) const NEW: Density = Density { first: 256, shift: 4 };
/// Of the others.
pub(super) const REPEATED: Density = Density { first: 64, shift: 3 };
/// So many calls by a stack about the same are new.
pub(super) const FAMILIAR: u32 = 16;
/// At least one in so many is looked at: a prime, so that the lines of a loop take turns.
pub(super) const LONGEST_GAP: u32 = 509;
/// Threads that have been stopped so often have no first calls from further stacks: a script that calls itself
/// comes by another stack at each depth.
pub(super) const MANY_STOPS: u32 = 8192;
/// So much of a path says what a call is about.
pub(super) const SUBJECT_BYTES: u16 = 256;
/// What so many calls were about is remembered.
const REMEMBERED: usize = 1 << 16;

impl Density {
    /// How many calls on the next one is looked at, after the one of this number, from 1.
    fn gap(self, number: u32) -> u32 {
        (number.saturating_sub(self.first) >> self.shift).clamp(1, LONGEST_GAP)
    }
}

/// The same choice as that of the program in the kernel (`ring/programs/stop.rs`), for who stops at each call; but
/// for [`MANY_STOPS`].
#[derive(Debug, Default)]
pub(super) struct Turns {
    of_stacks: HashMap<CallStack, [Turn; 2]>,
    /// How often a stack's calls were about the same.
    familiar: HashMap<(CallStack, u64), u32>,
    /// What each thread's last path was.
    subjects: HashMap<u32, u64>,
}

/// Process, program counter, stack pointer.
pub(super) type CallStack = (u32, u64, u64);

#[derive(Debug, Default)]
struct Turn {
    number: u32,
    next: u32,
}

impl Turns {
    /// Whether this call of a thread's is looked at. `path` is its first one, without which it is about the one
    /// of the call before.
    pub(super) fn is_turn(&mut self, thread: u32, stack: CallStack, path: Option<&[u8]>) -> bool {
        let subject = match path {
            Some(path) => {
                let mut hasher = DefaultHasher::new();
                path.hash(&mut hasher);
                let subject = hasher.finish();
                self.subjects.insert(thread, subject);
                subject
            }
            None => self.subjects.get(&thread).copied().unwrap_or(0),
        };
        if self.familiar.len() >= REMEMBERED {
            self.familiar.clear();
        }
        let times = self.familiar.entry((stack, subject)).or_default();
        *times += u32::from(*times <= FAMILIAR);
        let (kind, density) = if *times <= FAMILIAR { (0, NEW) } else { (1, REPEATED) };
        let turn = &mut self.of_stacks.entry(stack).or_default()[kind];
        turn.number += 1;
        let is_turn = turn.number >= turn.next;
        if is_turn {
            turn.next = turn.number + density.gap(turn.number);
        }
        is_turn
    }

    /// A process is another program now, or none.
    pub(super) fn left(&mut self, process: u32) {
        self.of_stacks.retain(|stack, _| stack.0 != process);
        self.familiar.retain(|(stack, _), _| stack.0 != process);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const STACK: CallStack = (1, 2, 3);

    fn looked_at<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<usize> {
        let mut turns = Turns::default();
        let at = paths.enumerate().filter(|(_, path)| turns.is_turn(7, STACK, Some(path.as_bytes())));
        at.map(|(number, _)| number).collect()
    }

    #[test]
    fn a_loop_over_one_file_is_looked_at_ever_more_rarely_and_never_less_than_one_in_the_longest_gap() {
        let seen = looked_at(std::iter::repeat_n("a", 20_000));
        let first = (FAMILIAR + REPEATED.first) as usize;
        assert_eq!(seen[..first], (0..first).collect::<Vec<_>>());
        assert!(seen.windows(2).all(|pair| pair[1] - pair[0] <= LONGEST_GAP as usize));
        assert!(seen.len() < 180, "{}", seen.len());
    }

    #[test]
    fn a_loop_over_many_files_is_too() {
        let names: Vec<String> = (0..20_000).map(|number| format!("file-{number}")).collect();
        let seen = looked_at(names.iter().map(String::as_str));
        let first = NEW.first as usize;
        assert_eq!(seen[..first], (0..first).collect::<Vec<_>>());
        assert!(seen.windows(2).all(|pair| pair[1] - pair[0] <= LONGEST_GAP as usize));
        assert!(seen.len() < 420, "{}", seen.len());
    }

    #[test]
    fn a_call_about_another_file_is_looked_at_after_however_many_about_one() {
        let paths = std::iter::repeat_n("a", 50_000).chain(["b"]).chain(std::iter::repeat_n("a", 9));
        assert!(looked_at(paths).contains(&50_000));
    }

    #[test]
    fn a_call_without_a_path_is_about_the_last_one_of_its_thread() {
        let mut turns = Turns::default();
        let close = (1, 20, 30);
        turns.is_turn(7, STACK, Some(b"a"));
        let of_a = (0..2_000).filter(|_| turns.is_turn(7, close, None)).count();
        assert!(of_a < 150, "{of_a}");
        turns.is_turn(8, STACK, Some(b"b"));
        assert!(!turns.is_turn(7, close, None), "another thread's path is not this one's");
        turns.is_turn(7, STACK, Some(b"b"));
        assert!(turns.is_turn(7, close, None));
    }

    #[test]
    fn the_lines_of_a_loop_take_turns() {
        for lines in 2..=60_usize {
            let seen = looked_at(std::iter::repeat_n("a", 20_000));
            let late = seen.iter().filter(|number| **number >= 2_000).map(|number| number % lines);
            let late = late.collect::<BTreeSet<_>>();
            // By 37 looks.
            assert!(late.len() * 2 > lines, "{} of {lines} lines", late.len());
        }
    }
}
