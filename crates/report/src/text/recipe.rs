//! One operation's calls in order, as text. A path or a buffer is not told
//! from another here: the record has them decoded already.

use crate::visible::visible;
use fathom_model::{CallCount, CountPass, RecipeStep};

/// Calls whose result says how much was moved, which is worth reading.
pub(crate) const TRANSFERS: &[&str] = &[
    "read",
    "readv",
    "pread64",
    "preadv",
    "preadv2",
    "write",
    "writev",
    "pwrite64",
    "pwritev",
    "pwritev2",
    "sendfile",
    "splice",
    "copy_file_range",
    "getdents64",
    "io_uring_enter",
];

/// How an offset among the arguments begins.
const OFFSET: &str = "offset ";

/// The steps; one that follows itself stands once, with how often, and with
/// its first and last offset where that alone moves on.
pub(crate) fn steps(pass: &CountPass) -> Vec<String> {
    runs(pass, |_| ()).iter().map(Run::text).collect()
}

/// The steps in runs of equal ones, offsets aside; a run also ends where the `kind` of
/// a step, by its index in the recipe, is another.
pub(crate) fn runs<K: PartialEq>(pass: &CountPass, kind: impl Fn(usize) -> K) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (index, text) in pass.recipe.iter().map(step).enumerate() {
        let next = Run::of(index, &text);
        match runs.last_mut() {
            Some(run) if run.continues_with(&next) && kind(run.from) == kind(index) => {
                run.times += 1;
                run.last = next.last;
            }
            _ => runs.push(next),
        }
    }
    runs
}

/// A step that is repeated: its text around the offset, and the offsets.
#[derive(Debug)]
pub(crate) struct Run {
    /// The first of it in the recipe.
    pub(crate) from: usize,
    /// How often it follows itself.
    pub(crate) times: usize,
    before: String,
    first: String,
    last: String,
    after: String,
}

impl Run {
    fn of(from: usize, step: &str) -> Self {
        let at = step.find(OFFSET).map_or(step.len(), |at| at + OFFSET.len());
        let digits = step[at..].bytes().take_while(u8::is_ascii_digit).count();
        let offset = step[at..at + digits].to_owned();
        let (before, after) = (step[..at].to_owned(), step[at + digits..].to_owned());
        Self { from, times: 1, before, first: offset.clone(), last: offset, after }
    }

    fn continues_with(&self, next: &Self) -> bool {
        self.before == next.before && self.after == next.after
    }

    /// `3 × read(65536) = 65536`.
    pub(crate) fn text(&self) -> String {
        let Self { before, first, last, after, times, .. } = self;
        let times = if *times == 1 { String::new() } else { format!("{times} × ") };
        let to = if first == last { String::new() } else { format!(" to {last}") };
        format!("{times}{before}{first}{to}{after}")
    }
}

/// The recipe with every number blanked: equal where only sizes and
/// descriptors differ.
pub(crate) fn shape(pass: &CountPass) -> Vec<String> {
    let blank = |step: &RecipeStep| {
        let text = self::step(step);
        let pieces = text.split(|c: char| c.is_ascii_digit()).filter(|piece| !piece.is_empty());
        pieces.collect::<Vec<_>>().join("#")
    };
    pass.recipe.iter().map(blank).collect()
}

/// The calls inside the clock in the order of their first step, those that the
/// recipe does not show last.
pub(crate) fn in_order(pass: &CountPass) -> Vec<&CallCount> {
    let position = |call: &CallCount| {
        let is_it = |step: &RecipeStep| step.call == call.call && step.failed == call.errno.is_some();
        pass.recipe.iter().position(is_it).unwrap_or(usize::MAX)
    };
    let mut calls: Vec<_> = pass.inside.iter().collect();
    calls.sort_by_key(|call| position(call));
    calls
}

fn step(step: &RecipeStep) -> String {
    let mut text = format!("{}({})", step.call, step.arguments);
    if step.failed {
        text = format!("{text} = {} (fails)", step.result);
    } else if TRANSFERS.contains(&step.call.as_str()) {
        text = format!("{text} = {}", step.result);
    }
    if step.other_thread {
        text.push_str(" [another thread]");
    }
    visible(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{call, count_pass, failed_call, step};

    fn reading(size: &str) -> CountPass {
        let block = || step("read", "7, BUFFER", size);
        let recipe = vec![step("openat", "FILE", "7"), block(), block(), block(), step("close", "7", "0")];
        count_pass(vec![call("read", 3), call("close", 1), call("openat", 1)], recipe, vec![])
    }

    #[test]
    fn repeated_steps_stand_once() {
        assert_eq!(steps(&reading("65536")), ["openat(FILE)", "3 × read(7, BUFFER) = 65536", "close(7)"]);
    }

    #[test]
    fn steps_that_only_move_on_stand_once_with_both_ends() {
        let mut pass = reading("12");
        let block = |offset: u32, moved| step("pread64", &format!("BUFFER, 4096, offset {offset}"), moved);
        let [first, second, third] =
            [(0, "4096"), (4096, "4096"), (8192, "0")].map(|(o, moved)| block(o, moved));
        pass.recipe = vec![first, second, third];
        assert_eq!(
            steps(&pass),
            ["2 × pread64(BUFFER, 4096, offset 0 to 4096) = 4096", "pread64(BUFFER, 4096, offset 8192) = 0"]
        );
    }

    #[test]
    fn shapes_differ_in_calls_and_not_in_sizes() {
        assert_eq!(shape(&reading("12")), shape(&reading("65536")));
        assert_ne!(shape(&reading("12")), shape(&reading("EIO")));
    }

    #[test]
    fn calls_follow_the_recipe_and_failures_are_calls_of_their_own() {
        let mut pass = reading("12");
        pass.inside.insert(0, failed_call("read", "EINTR", 1));
        let names: Vec<_> = in_order(&pass).iter().map(|call| call.call.as_str()).collect();
        assert_eq!(names, ["openat", "read", "close", "read"]);
        assert!(in_order(&pass)[3].errno.is_some());
    }
}
