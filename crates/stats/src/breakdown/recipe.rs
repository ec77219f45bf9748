//! Under which condition the calls of an operation are made, as the steps of its
//! recipe show it: their arguments, their results and the calls before them, brought
//! to the form that prices are told apart by.

use crate::price_lookup::{
    Asked, Family, Feature, Known, MANY_NAMES_BYTES, Quote, features, quote, takes_path,
};
use fathom_model::{
    CallCondition, CallFlags, CallForm, CallOutcome, CountPass, FileState, Price, ReachedBy, RecipeStep,
    Setting, Variant, WorksOn,
};

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
        let asked = asked(counts, index, variant, path_depth);
        let condition = &asked.condition;
        let is_known = condition.path_components.is_some()
            || !takes_path(&condition.call)
            || !walks(&counts.recipe[index]);
        let is_priced = is_known && !(names_device(variant) && reaches_file(&condition.call));
        is_priced.then(|| quote(prices, &asked))?
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
pub(super) fn of_recipe(
    counts: &CountPass,
    (call, errno): (&str, Option<&str>),
    variant: &Variant,
    path_depth: Option<u32>,
) -> Vec<Asked> {
    let is_it = |index: &usize| {
        let step = &counts.recipe[*index];
        step.call == call && outcome(step) == errno
    };
    let steps = (0..counts.recipe.len()).filter(is_it);
    steps.map(|index| asked(counts, index, variant, path_depth)).collect()
}

/// The condition of one step.
fn asked(counts: &CountPass, index: usize, variant: &Variant, path_depth: Option<u32>) -> Asked {
    let step = &counts.recipe[index];
    let outcome = outcome(step).map(str::to_owned);
    let condition = CallCondition {
        call: step.call.clone(),
        form: step_form(step, &counts.recipe[..index], variant),
        outcome: outcome.map_or(CallOutcome::Succeeded, CallOutcome::Failed),
        path_components: step_depth(step, path_depth),
        size_bytes: step_size(step),
        cache: None,
    };
    Asked { condition, known: Known::State }
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
pub(super) fn usual(call: &str, errno: Option<&str>, variant: &Variant, path_depth: Option<u32>) -> Asked {
    let moves = matches!(Family::of(call), Family::Read | Family::Write);
    let bare = Asked::bare(call, errno);
    let condition = CallCondition {
        form: CallForm {
            by: begins_at_root(variant).then_some(ReachedBy::AbsolutePath),
            ..CallForm::default()
        },
        path_components: path_depth.filter(|_| takes_path(call)),
        size_bytes: moves.then_some(variant.parameters.block_bytes),
        ..bare.condition
    };
    Asked { condition, ..bare }
}

fn step_form(step: &RecipeStep, before: &[RecipeStep], variant: &Variant) -> CallForm {
    let flags = step_flags(step);
    let existing = variant.parameters.settings.text(Setting::Existing);
    let wrote = || before.iter().any(|step| Family::of(&step.call) == Family::Write);
    let family = Family::of(&step.call);
    let state = match family {
        Family::Open if flags.has("O_CREAT") => {
            let is_new = existing == "fresh" && operands(&step.arguments).any(|operand| operand == "NEW");
            Some(if is_new {
                FileState::NewFile
            } else if flags.has("O_TRUNC") && opens_empty(variant, &existing) {
                FileState::ExistingEmptyFile
            } else {
                FileState::ExistingFile
            })
        }
        Family::Close if wrote() && emptied(before, variant) => Some(FileState::TruncatedAndWritten),
        Family::Close if wrote() => Some(FileState::WrittenOver),
        Family::Read | Family::List if !step.failed && step.result == "0" => Some(FileState::AtEnd),
        Family::List if step_size(step).is_some_and(|size| size > MANY_NAMES_BYTES) => {
            Some(FileState::ManyNames)
        }
        Family::Unmap if maps_memory(before) => Some(FileState::MemoryWritten),
        Family::Write
            if variant.operation.writes() && (existing != "data" || before.iter().any(begins_empty)) =>
        {
            Some(FileState::Appending)
        }
        Family::Sync => Some(if wrote() { FileState::OneDirtyPage } else { FileState::Clean }),
        _ => None,
    };
    let by = is_absolute(step, variant).then_some(ReachedBy::AbsolutePath);
    CallForm { flags, by, on: None, state }
}

/// The operands that are flags or a command: in capitals, as are the names that a recipe has for paths.
fn step_flags(step: &RecipeStep) -> CallFlags {
    let is_flag = |name: &&str| {
        name.starts_with(|first: char| first.is_ascii_uppercase()) && !matches!(*name, "FILE" | "NEW" | "DIR")
    };
    operands(&step.arguments).flat_map(|operand| operand.split('|')).filter(is_flag).collect()
}

/// True when what a file held was given up before.
fn emptied(before: &[RecipeStep], variant: &Variant) -> bool {
    let truncates = |step: &RecipeStep| {
        let condition = CallCondition::new(&*step.call, step_form(step, &[], variant));
        features(&condition).contains(&Feature::Flag("O_TRUNC"))
    };
    before.iter().filter(|step| Family::of(&step.call) == Family::Open).any(truncates)
}

/// True when what was mapped last is no file.
fn maps_memory(before: &[RecipeStep]) -> bool {
    let last = before.iter().rev().find(|step| step.call == "mmap");
    last.is_some_and(|step| step_flags(step).has("MAP_ANONYMOUS"))
}

/// True when the step leaves a file whose end is where writing begins.
fn begins_empty(step: &RecipeStep) -> bool {
    let flags = step_flags(step);
    Family::of(&step.call) == Family::Open && (flags.has("O_TRUNC") || flags.has("O_APPEND"))
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
    use fathom_model::{CacheState, MethodId, Operation, SettingValue};
    use fathom_testkit::{count_pass, parameters, price, priced, step};

    fn creating(existing: &str) -> Variant {
        let mut parameters = parameters(4096);
        parameters.settings.set(Setting::Existing, SettingValue::from(existing));
        let (method, operation) = (MethodId::new("native", "open"), Operation::Create);
        Variant { method, operation, place: 0, cache: CacheState::Warm, parameters }
    }

    #[test]
    fn a_step_has_the_features_of_its_price() {
        use fathom_model::call_form as what;
        let made = [
            step("openat", "NEW, O_RDWR|O_CREAT|O_TRUNC|O_CLOEXEC, 0666", "3"),
            step("write", "10", "10"),
            step("fsync", "", "0"),
            step("close", "", "0"),
        ];
        let same = |call: &str, form: CallForm, existing: &str| {
            let counts = count_pass(vec![], made.to_vec(), vec![]);
            let found = of_recipe(&counts, (call, None), &creating(existing), Some(4));
            let priced = CallCondition::new(call, form);
            assert_eq!(found[0].features(), features(&priced), "{priced}");
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
            (found.condition.path_components, found.condition.form.by == Some(ReachedBy::AbsolutePath))
        };
        assert_eq!(of("FILE, O_RDONLY", &variant), (Some(4), true));
        assert_eq!(of("DIR, O_RDONLY|O_DIRECTORY", &variant), (Some(3), true));
        assert_eq!(of("/etc/ssl/openssl.cnf, O_RDONLY", &variant), (Some(3), true));
        variant.parameters.settings.set(Setting::PathDepth, SettingValue::Number(4));
        assert_eq!(of("FILE, O_RDONLY", &variant), (Some(4), false));
    }

    #[test]
    fn a_step_is_priced_by_its_own_condition_and_by_no_path_that_is_unknown() {
        use fathom_model::call_form as what;
        let prices = [
            price("fcntl", what::GET_FLAGS, 146.0),
            price("fcntl", what::SET_FLAGS, 171.0),
            priced(CallCondition::new("openat", what::READ_ONLY).deep(5), 1008.0),
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
