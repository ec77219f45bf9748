//! Under which condition the calls of an operation are made, as the steps of its
//! recipe show it: their arguments, their results and the calls before them, brought
//! to the words that prices are told apart by.

use crate::price_lookup::{
    Condition, Family, MANY_NAMES_BYTES, Quote, kept_words, quote, settled, takes_path, words,
};
use fathom_model::{CountPass, Price, RecipeStep, Setting, Variant, WorksOn};
use std::collections::BTreeSet;

/// The price of each step of a variant's recipe, under the condition that the recipe
/// shows it under; `None` where it has none, and where it walks a path of which
/// the components are not known.
pub fn quote_recipe<'a>(
    prices: &'a [Price],
    counts: &CountPass,
    variant: &Variant,
    path_depth: Option<u32>,
) -> Vec<Option<Quote<'a>>> {
    let priced = |index: usize| {
        let condition = condition(counts, index, variant, path_depth);
        let is_known =
            condition.depth.is_some() || !takes_path(condition.call) || !walks(&counts.recipe[index]);
        let is_priced = is_known && !(names_device(variant) && reaches_file(condition.call));
        is_priced.then(|| quote(prices, &condition))?
    };
    (0..counts.recipe.len()).map(priced).collect()
}

/// True where the operation is told to open a device and not the files of its place.
pub(super) fn names_device(variant: &Variant) -> bool {
    variant.parameters.settings.text(Setting::NamedDevice) != "none"
}

/// True of a call whose price depends on what it reaches: that of a regular file says nothing of a
/// device, whose `O_TRUNC` frees nothing and whose `write` keeps nothing.
pub(super) fn reaches_file(call: &str) -> bool {
    !matches!(Family::of(call), Family::Other | Family::Event | Family::Map | Family::Unmap)
}

/// The conditions of a recipe's calls of one name and outcome, in order.
pub(super) fn of_recipe<'a>(
    counts: &'a CountPass,
    (call, errno): (&'a str, Option<&'a str>),
    variant: &Variant,
    path_depth: Option<u32>,
) -> Vec<Condition<'a>> {
    let is_it = |index: &usize| {
        let step = &counts.recipe[*index];
        step.call == call && outcome(step) == errno
    };
    let steps = (0..counts.recipe.len()).filter(is_it);
    steps.map(|index| condition(counts, index, variant, path_depth)).collect()
}

/// The condition of one step.
fn condition<'a>(
    counts: &'a CountPass,
    index: usize,
    variant: &Variant,
    path_depth: Option<u32>,
) -> Condition<'a> {
    let step = &counts.recipe[index];
    Condition {
        call: &step.call,
        errno: outcome(step),
        words: Some(step_words(step, &counts.recipe[..index], variant)),
        depth: step_depth(step, path_depth),
        is_absolute: is_absolute(step, variant),
        size_bytes: step_size(step),
        knows_state: true,
    }
}

fn outcome(step: &RecipeStep) -> Option<&str> {
    step.failed.then_some(step.result.as_str())
}

/// True when a step names what it works on by a path.
fn walks(step: &RecipeStep) -> bool {
    operands(&step.arguments)
        .any(|operand| matches!(operand, "FILE" | "NEW" | "DIR") || operand.starts_with('/'))
}

/// The usual condition of a variant, for a call that its recipe does not show.
pub(super) fn usual<'a>(
    call: &'a str,
    errno: Option<&'a str>,
    variant: &Variant,
    path_depth: Option<u32>,
) -> Condition<'a> {
    let moves = matches!(Family::of(call), Family::Read | Family::Write);
    Condition {
        depth: path_depth.filter(|_| takes_path(call)),
        is_absolute: begins_at_root(variant),
        size_bytes: moves.then_some(variant.parameters.block_bytes),
        ..Condition::bare(call, errno)
    }
}

fn step_words<'a>(step: &'a RecipeStep, before: &'a [RecipeStep], variant: &Variant) -> BTreeSet<&'a str> {
    let mut words = kept_words(&step.call, &step.arguments);
    let existing = variant.parameters.settings.text(Setting::Existing);
    let wrote = || before.iter().any(|step| Family::of(&step.call) == Family::Write);
    match Family::of(&step.call) {
        Family::Open if words.contains("O_CREAT") => {
            let is_new = existing == "fresh" && operands(&step.arguments).any(|operand| operand == "NEW");
            words.insert(if is_new { "new" } else { "existing" });
            if !is_new && words.contains("O_TRUNC") && opens_empty(variant, &existing) {
                words.insert("empty");
            }
        }
        Family::Close if wrote() => {
            words.insert("written");
            if emptied(before, variant) {
                words.insert("truncated");
            }
        }
        Family::Read | Family::List if !step.failed && step.result == "0" => {
            words.insert("end");
        }
        Family::List if step_size(step).is_some_and(|size| size > MANY_NAMES_BYTES) => {
            words.insert("many");
        }
        Family::Unmap if maps_memory(before) => {
            words.insert("memory");
        }
        Family::Write
            if variant.operation.writes() && (existing != "data" || before.iter().any(begins_empty)) =>
        {
            words.insert("append");
        }
        Family::Sync => {
            words.insert(if wrote() { "dirty" } else { "clean" });
        }
        _ => {}
    }
    settled(&step.call, words)
}

/// True when what a file held was given up before.
fn emptied(before: &[RecipeStep], variant: &Variant) -> bool {
    before
        .iter()
        .filter(|step| Family::of(&step.call) == Family::Open)
        .any(|step| step_words(step, &[], variant).contains("O_TRUNC"))
}

/// True when what was mapped last is no file.
fn maps_memory(before: &[RecipeStep]) -> bool {
    let last = before.iter().rev().find(|step| step.call == "mmap");
    last.is_some_and(|step| words(&step.arguments).any(|word| word == "MAP_ANONYMOUS"))
}

/// True when the step leaves a file whose end is where writing begins.
fn begins_empty(step: &RecipeStep) -> bool {
    Family::of(&step.call) == Family::Open
        && ["O_TRUNC", "O_APPEND"].iter().any(|flag| words(&step.arguments).any(|word| word == *flag))
}

/// Components of the path a step walks; `None` where it walks none.
fn step_depth(step: &RecipeStep, path_depth: Option<u32>) -> Option<u32> {
    let shown = operands(&step.arguments).find_map(|operand| match operand {
        "FILE" | "NEW" => Some(path_depth),
        "DIR" => Some(path_depth.map(|depth| depth.saturating_sub(1).max(1))),
        path if path.starts_with('/') => {
            let components = path.split('/').filter(|component| !component.is_empty()).count();
            Some(u32::try_from(components).ok())
        }
        _ => None,
    });
    shown.flatten().filter(|_| takes_path(&step.call))
}

/// True when the path that a step walks begins at the root.
fn is_absolute(step: &RecipeStep, variant: &Variant) -> bool {
    takes_path(&step.call)
        && operands(&step.arguments).any(|operand| {
            operand.starts_with('/') || (matches!(operand, "FILE" | "NEW" | "DIR") && begins_at_root(variant))
        })
}

/// Drivers are given full paths, unless a depth is set.
fn begins_at_root(variant: &Variant) -> bool {
    variant.parameters.settings.number(Setting::PathDepth) == 0
}

/// True where the file that is opened for writing holds nothing.
fn opens_empty(variant: &Variant, existing: &str) -> bool {
    match variant.operation.facts().works_on {
        WorksOn::EmptiedFiles => variant.parameters.data.size_bytes == 0,
        _ => variant.operation.writes() && existing == "empty",
    }
}

fn step_size(step: &RecipeStep) -> Option<u64> {
    match (Family::of(&step.call), step.call.as_str()) {
        (Family::Read | Family::Write, _) | (_, "getdents64" | "copy_file_range" | "sendfile") => {
            step.result.parse().ok()
        }
        (Family::Map | Family::Unmap, _) => operands(&step.arguments).next()?.parse().ok(),
        _ => None,
    }
}

fn operands(arguments: &str) -> impl Iterator<Item = &str> {
    arguments.split(',').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price_lookup::price_words;
    use fathom_model::{CacheState, MethodId, Operation, SettingValue};
    use fathom_testkit::{count_pass, parameters, price, step};

    fn creating(existing: &str) -> Variant {
        let mut parameters = parameters(4096);
        parameters.settings.set(Setting::Existing, SettingValue::from(existing));
        let (method, operation) = (MethodId::new("native", "open"), Operation::Create);
        Variant { method, operation, place: 0, cache: CacheState::Warm, parameters }
    }

    fn condition_words(recipe: &[RecipeStep], call: &str, variant: &Variant) -> Vec<String> {
        let counts = count_pass(vec![], recipe.to_vec(), vec![]);
        let found = of_recipe(&counts, (call, None), variant, Some(4));
        found[0].words.iter().flatten().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn a_step_has_the_words_of_its_price() {
        use fathom_model::price_what as what;
        let made = [
            step("openat", "NEW, O_RDWR|O_CREAT|O_TRUNC|O_CLOEXEC, 0666", "3"),
            step("write", "10", "10"),
            step("fsync", "", "0"),
            step("close", "", "0"),
        ];
        let same = |call: &str, phrase: &str, existing: &str| {
            let priced = price(call, phrase, 1.0);
            let expected: Vec<_> = price_words(&priced).into_iter().map(str::to_owned).collect();
            assert_eq!(condition_words(&made, call, &creating(existing)), expected, "{call} {phrase}");
        };
        same("openat", what::CREATE_NEW, "fresh");
        same("openat", what::CREATE_TRUNCATE, "data");
        same("openat", what::CREATE_TRUNCATE_EMPTY, "empty");
        same("write", what::APPENDING, "fresh");
        same("write", what::APPENDING, "data");
        same("fsync", what::ONE_DIRTY_PAGE, "fresh");
        same("close", what::AFTER_WRITING, "fresh");
        same("close", what::AFTER_TRUNCATING, "data");
    }

    #[test]
    fn paths_have_a_depth_and_a_beginning() {
        let mut variant = creating("fresh");
        let of = |arguments: &str, variant: &Variant| {
            let counts = count_pass(vec![], vec![step("openat", arguments, "3")], vec![]);
            let found = of_recipe(&counts, ("openat", None), variant, Some(4)).remove(0);
            (found.depth, found.is_absolute)
        };
        assert_eq!(of("FILE, O_RDONLY", &variant), (Some(4), true));
        assert_eq!(of("DIR, O_RDONLY|O_DIRECTORY", &variant), (Some(3), true));
        assert_eq!(of("/etc/ssl/openssl.cnf, O_RDONLY", &variant), (Some(3), true));
        variant.parameters.settings.set(Setting::PathDepth, SettingValue::Number(4));
        assert_eq!(of("FILE, O_RDONLY", &variant), (Some(4), false));
    }

    #[test]
    fn a_step_is_priced_by_its_own_condition_and_by_no_path_that_is_unknown() {
        use fathom_model::price_what as what;
        let prices = [
            price("fcntl", what::GET_FLAGS, 146.0),
            price("fcntl", what::SET_FLAGS, 171.0),
            Price { depth: Some(5), ..price("openat", what::READ_ONLY, 1008.0) },
        ];
        let recipe = vec![
            step("openat", "FILE, O_RDONLY", "3"),
            step("fcntl", "F_SETFL, O_RDONLY", "0"),
            step("fcntl", "F_GETFL", "0"),
            step("nanosleep", "", "0"),
        ];
        let counts = count_pass(vec![], recipe, vec![]);
        let of = |depth| -> Vec<_> {
            let quotes = quote_recipe(&prices, &counts, &creating("fresh"), depth);
            quotes.into_iter().map(|quote| quote.map(|quote| quote.wall_ns.value)).collect()
        };
        assert_eq!(of(None), [None, Some(171.0), Some(146.0), None]);
        assert_eq!(of(Some(5)), [Some(1008.0), Some(171.0), Some(146.0), None]);
    }

    #[test]
    fn sizes_come_from_results_and_lengths() {
        assert_eq!(step_size(&step("read", "65536", "128")), Some(128));
        assert_eq!(step_size(&step("mmap", "4096, PROT_READ, MAP_SHARED, offset 0", "address")), Some(4096));
        assert_eq!(step_size(&step("munmap", "8192", "0")), Some(8192));
        assert_eq!(step_size(&step("close", "", "0")), None);
        assert_eq!(step_size(&step("read", "65536", "EAGAIN")), None);
    }
}
