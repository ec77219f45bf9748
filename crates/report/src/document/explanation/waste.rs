//! Which calls of a recipe an operation could do without: those that fail while it
//! succeeds, and those that the leanest method of the same kind does not make.

use super::call_kinds::{ALL_ENDS, descriptors, ends_needed, kind, kind_of, made, moves_data, ways};
use crate::answer::answer;
use crate::document::Waste;
use crate::standing::{by_time, pass};
use fathom_model::{CallCount, Comparison, CountPass, RecipeStep, Variant};
use std::collections::BTreeSet;

/// The method that calls are held against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lean<'a> {
    pub(super) index: usize,
    pass: &'a CountPass,
}

/// The method with the fewest calls among those that do the same as this one: the same
/// operation in the same circumstances, coming to its data in the same way through the
/// same kind of descriptor, with the right answer. A mapping makes no read at all and pays by faults, so that it is no
/// measure of readers; nor is what is held already of who opens a file, nor a method
/// whose own calls vary. `None` where this one is as lean.
pub(super) fn leanest(comparison: &Comparison, index: usize) -> Option<Lean<'_>> {
    let own = pass(comparison, index)?;
    let variant = &comparison.variants[index];
    let is_alike = |other: &usize| {
        let is_right =
            answer(comparison, *other).is_none_or(|answered| answered.is_right() && answered.flaw.is_none());
        is_right && in_circumstances_of(&comparison.variants[*other], variant)
    };
    let known = by_time(comparison)
        .into_iter()
        .filter(is_alike)
        .filter_map(|index| Some(Lean { index, pass: pass(comparison, index)? }))
        .filter(|lean| lean.pass.is_exact() && ways(lean.pass, variant) == ways(own, variant))
        .filter(|lean| descriptors(lean.pass) == descriptors(own));
    let total = |lean: &Lean<'_>| lean.pass.calls_per_operation();
    // Of equally lean ones, one of the same language shows best what can be done about it.
    let is_foreign = |lean: &Lean<'_>| comparison.variants[lean.index].method.driver != variant.method.driver;
    let by_calls = |a: &Lean<'_>, b: &Lean<'_>| {
        total(a).total_cmp(&total(b)).then_with(|| is_foreign(a).cmp(&is_foreign(b)))
    };
    let lean = known.min_by(by_calls)?;
    (total(&lean) < own.calls_per_operation() - 1e-9).then_some(lean)
}

/// What may be done without, one entry per step of the recipe.
pub(super) fn wastes(variant: &Variant, pass: &CountPass, lean: Option<&Lean<'_>>) -> Vec<Option<Waste>> {
    let fails = |step: &RecipeStep| (step.failed && must_succeed(variant)).then_some(Waste::Fails);
    let mut wastes: Vec<_> = pass.recipe.iter().map(fails).collect();
    let Some(lean) = lean else { return wastes };
    for of in pass.inside.iter().map(|call| kind(&call.call)).chain([ALL_ENDS]).collect::<BTreeSet<_>>() {
        let needed = if of == ALL_ENDS { ends_needed(variant, pass) } else { 0.0 };
        let allowed = made(lean.pass, of).max(needed);
        let mut own = pass.inside.iter().filter(|call| kind(&call.call) == of);
        if made(pass, of) > allowed + 1e-9 && own.all(CallCount::is_exact) {
            for index in surplus(pass, of, allowed) {
                wastes[index] = Some(Waste::Extra);
            }
        }
    }
    wastes
}

impl Lean<'_> {
    /// How often it makes a call like this one in an operation.
    pub(super) fn makes(&self, step: &RecipeStep) -> f64 {
        made(self.pass, kind_of(step))
    }
}

/// Steps beyond those that the leanest makes: of transfers those that move least; of
/// other calls the later ones. What another thread does may be the runtime's own affair.
fn surplus(pass: &CountPass, of: &str, allowed: f64) -> Vec<usize> {
    let mut steps: Vec<_> = (0..pass.recipe.len()).filter(|&index| is_of(&pass.recipe[index], of)).collect();
    let is_transfer = moves_data(of);
    let moved = |index: &usize| pass.recipe[*index].result.parse::<u64>().unwrap_or(0);
    steps.sort_by_key(|index| std::cmp::Reverse(if is_transfer { moved(index) } else { 0 }));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number of calls")]
    let kept = (allowed - 1e-9).ceil().max(0.0) as usize;
    let mut beyond = steps.split_off(kept.min(steps.len()));
    beyond.retain(|index| !pass.recipe[*index].other_thread);
    beyond
}

fn is_of(step: &RecipeStep, of: &str) -> bool {
    !step.failed && kind_of(step) == of
}

/// Everything but the method is the same.
fn in_circumstances_of(one: &Variant, other: &Variant) -> bool {
    Variant { method: other.method.clone(), ..one.clone() } == *other
}

/// True where an operation is not about a failure.
fn must_succeed(variant: &Variant) -> bool {
    !variant.operation.facts().may_fail
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Answered, Operation, Reading};
    use fathom_testkit::{call, complete, count_pass, step};

    fn open() -> Comparison {
        complete().experiments.remove(0).comparisons.remove(0)
    }

    fn marked(comparison: &Comparison, index: usize) -> Vec<(String, Option<Waste>)> {
        let pass = pass(comparison, index).unwrap();
        let wastes = wastes(&comparison.variants[index], pass, leanest(comparison, index).as_ref());
        pass.recipe.iter().map(|step| step.call.clone()).zip(wastes).collect()
    }

    fn reading(comparison: &mut Comparison, index: usize, call_name: &str, results: &[&str]) {
        let operation = Operation::ReadWhole;
        let steps = results.iter().map(|result| step(call_name, "4096", result)).collect();
        let calls = vec![call(call_name, i64::try_from(results.len()).unwrap())];
        comparison.variants[index].operation = operation;
        comparison.counts[index] = Reading::Value(count_pass(calls, steps, vec![]));
    }

    #[test]
    fn the_calls_of_os_open_that_syscall_open_does_without_are_marked() {
        let (fails, extra) = (Some(Waste::Fails), Some(Waste::Extra));
        let expected = [
            ("openat", None),
            ("fcntl", extra),
            ("fcntl", extra),
            ("epoll_ctl", fails),
            ("fcntl", extra),
            ("fcntl", extra),
            ("close", None),
        ];
        assert_eq!(marked(&open(), 1), expected.map(|(name, waste)| (name.to_owned(), waste)));
        assert!(marked(&open(), 0).iter().all(|(_, waste)| waste.is_none()), "the leanest");
    }

    #[test]
    fn a_lean_method_in_other_circumstances_or_with_a_wrong_answer_is_no_measure() {
        let extra = |comparison: &Comparison| {
            marked(comparison, 1).iter().filter(|(_, waste)| *waste == Some(Waste::Extra)).count()
        };
        let mut elsewhere = open();
        elsewhere.variants[1].parameters.data.size_bytes += 1;
        assert_eq!(extra(&elsewhere), 0);
        let mut wrong = open();
        let answered = |found| Answered {
            what: "lines".into(),
            found,
            expected: 9,
            flaw: None,
            predicted: None,
            further: Vec::new(),
            disagrees: None,
        };
        wrong.answers = [8, 9, 9, 8, 8].map(answered).into();
        assert_eq!(extra(&wrong), 0, "only os.Open itself and its like are right");
        wrong.answers[0].found = 9;
        assert_eq!(extra(&wrong), 4);
        wrong.answers[0].flaw = Some("cuts".into());
        assert_eq!(extra(&wrong), 0, "right here, and known to be wrong elsewhere");
    }

    #[test]
    fn a_call_of_the_same_family_is_not_extra_and_a_smaller_read_more_is() {
        let mut comparison = open();
        comparison.variants.truncate(2);
        reading(&mut comparison, 0, "pread64", &["4096", "12"]);
        reading(&mut comparison, 1, "read", &["4096", "3", "12"]);
        let wastes: Vec<_> = marked(&comparison, 1).into_iter().map(|(_, waste)| waste).collect();
        assert_eq!(wastes, [None, Some(Waste::Extra), None]);
        assert!(marked(&comparison, 0).iter().all(|(_, waste)| waste.is_none()));
    }

    #[test]
    fn who_does_not_know_a_length_needs_its_stat_or_a_read_of_nothing_and_not_both() {
        let whole = |steps: &[(&str, &str)], lean: &[(&str, &str)]| {
            let mut comparison = open();
            comparison.variants.truncate(2);
            for (index, steps) in [(0, lean), (1, steps)] {
                let opened = std::iter::once(step("openat", "FILE, O_RDONLY", "3"));
                let recipe = opened.chain(steps.iter().map(|(name, result)| step(name, "", result)));
                let recipe: Vec<_> = recipe.collect();
                let calls = recipe.iter().map(|step| call(&step.call, 1)).collect();
                comparison.variants[index].operation = Operation::ReadWhole;
                comparison.counts[index] = Reading::Value(count_pass(calls, recipe, vec![]));
            }
            let found = marked(&comparison, 1).into_iter().skip(1);
            found.map(|(_, waste)| waste == Some(Waste::Extra)).collect::<Vec<_>>()
        };
        let by_read: &[_] = &[("read", "4096"), ("read", "0")];
        let by_stat: &[_] = &[("fstat", "0"), ("read", "4096")];
        let both: &[_] = &[("fstat", "0"), ("read", "4096"), ("read", "0")];
        let neither: &[_] = &[("read", "4096")];
        assert_eq!(whole(by_stat, by_read), [false, false]);
        assert_eq!(whole(by_read, by_stat), [false, false]);
        assert_eq!(whole(by_read, neither), [false, false], "the length is known to nobody else");
        assert_eq!(whole(both, by_read), [false, false, true]);
        assert_eq!(whole(both, by_stat), [false, false, true]);
        assert_eq!(whole(&[("lseek", "0"), ("read", "4096"), ("read", "0")], by_stat), [true, false, false]);
    }

    #[test]
    fn a_descriptor_of_another_kind_is_no_measure() {
        let lean_opens = |flags: &str| {
            let mut comparison = open();
            for index in [0, 3, 4] {
                let Reading::Value(pass) = &mut comparison.counts[index] else { panic!("not counted") };
                let opened = pass.recipe.iter_mut().find(|step| step.call == "openat").unwrap();
                opened.arguments = format!("FILE, {flags}");
            }
            leanest(&comparison, 1).is_some()
        };
        assert!(
            lean_opens("O_RDONLY|O_CLOEXEC") && lean_opens("O_RDONLY") && lean_opens("O_RDONLY|O_NOCTTY")
        );
        for other in ["O_RDONLY|O_DIRECT", "O_PATH", "O_RDONLY|O_NONBLOCK", "O_RDWR"] {
            assert!(!lean_opens(other), "{other}");
        }
    }

    #[test]
    fn calls_that_vary_or_that_another_thread_makes_are_not_extra() {
        let extra = |change: fn(&mut CountPass)| {
            let mut comparison = open();
            let Reading::Value(pass) = &mut comparison.counts[1] else { panic!("not counted") };
            change(pass);
            marked(&comparison, 1).iter().filter(|(_, waste)| *waste == Some(Waste::Extra)).count()
        };
        assert_eq!(extra(|pass| pass.inside[0].differences[0] += 1), 0, "the fcntl");
        assert_eq!(extra(|pass| pass.inside[1].differences[0] += 1), 4, "the openat");
        assert_eq!(extra(|pass| pass.recipe[1].other_thread = true), 3);
    }

    #[test]
    fn a_mapping_does_not_make_reads_superfluous() {
        let mut comparison = open();
        comparison.variants.truncate(2);
        reading(&mut comparison, 0, "mmap", &["address"]);
        reading(&mut comparison, 1, "read", &["4096", "12"]);
        assert!(marked(&comparison, 1).iter().all(|(_, waste)| waste.is_none()));
    }

    #[test]
    fn what_needs_no_file_is_no_measure_of_who_opens_one() {
        let mut comparison = open();
        comparison.counts[0] = Reading::Value(count_pass(vec![], vec![], vec![]));
        comparison.counts[3] = comparison.counts[0].clone();
        comparison.counts[4] = comparison.counts[0].clone();
        assert_eq!(leanest(&comparison, 1).map(|lean| lean.index), None);
    }

    #[test]
    fn of_equally_lean_methods_one_of_the_same_language_is_named() {
        let comparison = open();
        let lean = |index| comparison.variants[leanest(&comparison, index).unwrap().index].method.to_string();
        assert_eq!(lean(1), "go:unix.Open", "the fastest of Go's; native:openat is faster");
    }

    #[test]
    fn where_a_failure_is_the_operation_it_is_no_waste() {
        let mut comparison = open();
        comparison.variants[1].operation = Operation::OpenMissing;
        assert!(marked(&comparison, 1).iter().all(|(_, waste)| waste.is_none()));
    }
}
