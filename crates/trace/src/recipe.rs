//! The recipe: the calls of one operation, in order and decoded.

use crate::call::CallKey;
use crate::decode::{self, DataPaths};
use crate::region::{Event, Region};
use fathom_model::{CallCount, CountPass, RecipeStep};
use std::collections::BTreeMap;

/// The call of the last step when the operation makes more calls than are kept.
const MORE: &str = "…";

/// The steps of a region of one operation; `belongs` says which calls are the operation's.
pub(crate) fn recipe(
    region: &Region,
    data: &DataPaths,
    belongs: impl Fn(CallKey, bool) -> bool,
) -> Vec<RecipeStep> {
    let is_other = |event: &Event| event.tid != region.operation_tid;
    let kept = region.events.iter().filter(|event| belongs(CallKey::of(event), is_other(event)));
    let mut steps: Vec<_> = kept.map(|event| step(event, data, is_other(event))).collect();
    if region.events_dropped > 0 {
        steps.push(RecipeStep {
            call: MORE.to_owned(),
            arguments: format!("{} more calls", region.events_dropped),
            result: String::new(),
            failed: false,
            other_thread: false,
        });
    }
    steps
}

/// True when the recipe shows every call as often as the counts say. Calls
/// that are not made a whole number of times per operation are not asked for;
/// of a recipe cut short, nothing can be said, which is `true`.
pub fn recipe_agrees(pass: &CountPass) -> bool {
    if pass.recipe.iter().any(|step| step.call == MORE) {
        return true;
    }
    let mut shown: BTreeMap<(String, Option<String>), u64> = BTreeMap::new();
    for step in &pass.recipe {
        let errno = step.failed.then(|| step.result.clone());
        *shown.entry((step.call.clone(), errno)).or_default() += 1;
    }
    pass.inside.iter().all(|count| {
        let shown = shown.remove(&(count.call.clone(), count.errno.clone())).unwrap_or(0);
        whole_number(count).is_none_or(|expected| expected == shown)
    }) && shown.is_empty()
}

fn step(event: &Event, data: &DataPaths, other_thread: bool) -> RecipeStep {
    RecipeStep {
        call: event.call.name().into_owned(),
        arguments: decode::arguments(event, data),
        result: decode::result(event),
        failed: event.failed,
        other_thread,
    }
}

fn whole_number(count: &CallCount) -> Option<u64> {
    let mut sorted = count.differences.clone();
    sorted.sort_unstable();
    let median = u64::try_from(*sorted.get(sorted.len() / 2)?).ok()?;
    median.is_multiple_of(count.operations).then(|| median / count.operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(call: &str, result: &str, failed: bool) -> RecipeStep {
        let (call, arguments, result) = (call.to_owned(), String::new(), result.to_owned());
        RecipeStep { call, arguments, result, failed, other_thread: false }
    }

    fn count(call: &str, errno: Option<&str>, difference: i64) -> CallCount {
        let (call, errno) = (call.to_owned(), errno.map(str::to_owned));
        CallCount { call, errno, differences: vec![difference; 3], operations: 96 }
    }

    fn agrees(inside: Vec<CallCount>, recipe: Vec<RecipeStep>) -> bool {
        let empty = Vec::new;
        let run_lengths = [96, 192];
        recipe_agrees(&CountPass {
            run_lengths,
            repetitions: 3,
            inside,
            background: empty(),
            outside: empty(),
            recipe,
            threads: 1,
            missing: None,
        })
    }

    #[test]
    fn a_recipe_agrees_when_it_has_the_counted_calls() {
        let counts = || vec![count("openat", None, 96), count("epoll_ctl", Some("EPERM"), 96)];
        let open = || step("openat", "3", false);
        let epoll = || step("epoll_ctl", "EPERM", true);
        assert!(agrees(counts(), vec![open(), epoll()]));
        assert!(!agrees(counts(), vec![open()]));
        assert!(!agrees(counts(), vec![open(), open(), epoll()]));
        assert!(!agrees(counts(), vec![open(), step("epoll_ctl", "0", false)]));
        assert!(!agrees(counts(), vec![open(), epoll(), step("close", "0", false)]));
    }

    #[test]
    fn fractions_and_cut_recipes_prove_nothing() {
        assert!(agrees(vec![count("getdents64", None, 12)], vec![]));
        assert!(agrees(
            vec![count("read", None, 9600)],
            vec![step("read", "1", false), step(MORE, "", false)]
        ));
    }
}
