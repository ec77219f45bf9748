//! What a count pass, the answers and the cache's state say of the variants of a comparison.

use super::{FileDeeds, SharedConditions, SideSeen, judge_validity};
use fathom_model::{
    Answered, CacheEvidence, CacheState, Comparison, CountPass, PlaceFacts, Proof, Reading, RecipeStep,
    ValidityFlag, ValidityProblem, Variant,
};
use std::collections::BTreeMap;

/// Endings of files of users' functions, which are drivers' names.
const FUNCTION_FILES: [&str; 12] =
    [".c", ".cc", ".cjs", ".cpp", ".cxx", ".go", ".java", ".js", ".mjs", ".py", ".rs", ".zig"];

/// Drivers and files whose runtime reads beside the function: what wakes its threads.
const READ_BESIDE: [&str; 8] = ["java", "node", "zig", ".cjs", ".java", ".js", ".mjs", ".zig"];

/// True of a comparison that holds functions of a user's, or two builds of a driver: the shipped ways
/// are told apart by who wrote their entry.
pub fn is_guarded(variants: &[Variant]) -> bool {
    variants.iter().any(|variant| is_own_function(variant) || is_build(variant))
}

/// True of a function of the user's.
pub fn is_own_function(variant: &Variant) -> bool {
    FUNCTION_FILES.iter().any(|ending| variant.method.driver.ends_with(ending))
}

fn is_build(variant: &Variant) -> bool {
    variant.method.driver.contains('@')
}

/// Everything that keeps this comparison from being one. `programs` has the SHA-256 of each variant's
/// program, where it is known. Of the user's functions alone is told what their names promise.
pub fn validity_of_comparison(
    comparison: &Comparison,
    places: &[PlaceFacts],
    programs: &[Option<String>],
) -> Vec<ValidityFlag> {
    if !is_guarded(&comparison.variants) {
        return Vec::new();
    }
    let sides: Vec<SideSeen> = (0..comparison.variants.len())
        .map(|index| side(comparison, index, programs.get(index).cloned().flatten()))
        .collect();
    let all = |holds: &dyn Fn(&Variant) -> bool| comparison.variants.iter().all(holds);
    let conditions = SharedConditions {
        warm: all(&|variant| variant.cache == CacheState::Warm),
        in_memory: all(&|variant| places.get(variant.place).is_some_and(|place| place.in_memory)),
    };
    let mut flags = judge_validity(&sides, conditions);
    // The shipped ways stand beside them for comparison, and are what their entries say.
    let own: Vec<usize> = (0..sides.len())
        .filter(|index| {
            is_own_function(&comparison.variants[*index]) || is_build(&comparison.variants[*index])
        })
        .collect();
    flags.retain(|flag| flag.sides.iter().any(|side| own.contains(side)));
    flags.extend(proofs(&comparison.cache));
    flags
}

/// Cache states that were proven of some and not of others.
fn proofs(evidence: &[CacheEvidence]) -> Option<ValidityFlag> {
    let is_proven = |of: &CacheEvidence| of.proof == Proof::Proven;
    let unproven: Vec<usize> =
        evidence.iter().enumerate().filter(|(_, of)| !is_proven(of)).map(|(index, _)| index).collect();
    let mixed = evidence.iter().any(is_proven) && !unproven.is_empty();
    mixed.then(|| super::flag(ValidityProblem::OtherCacheState, unproven))
}

fn side(comparison: &Comparison, index: usize, program: Option<String>) -> SideSeen {
    let variant = &comparison.variants[index];
    let pass = comparison.counts.get(index).and_then(Reading::value).filter(|pass| pass.missing.is_none());
    let answered = comparison.answers.get(index);
    let called = pass.map(|pass| {
        let of_counts = pass.inside.iter().chain(&pass.outside).chain(&pass.background);
        let of_counts = of_counts.map(|call| (call.call.clone(), call.errno.clone()));
        let of_recipe =
            pass.recipe.iter().map(|step| (step.call.clone(), step.failed.then(|| step.result.clone())));
        of_counts.chain(of_recipe).collect()
    });
    SideSeen {
        words: if is_own_function(variant) { vec![variant.method.name.clone()] } else { Vec::new() },
        // One build has several methods, which are no copies of each other.
        program: program.map(|digest| (digest, vec![variant.method.name.clone()])),
        calls: pass.filter(|pass| pass.is_exact()).map(exact_calls),
        called,
        deeds: pass.map(|pass| deeds(pass, variant)),
        answers_otherwise: answered.is_some_and(|answered: &Answered| answered.disagrees.is_some()),
    }
}

/// How often each call is made in the operations that were counted: of passes of other lengths too.
fn exact_calls(pass: &CountPass) -> BTreeMap<(String, Option<String>), u64> {
    /// Counts per operation are kept in this part of a call.
    const PARTS: f64 = 1e6;
    let per_operation = |value: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "counts are small and not negative"
        )]
        let parts = (value.max(0.0) * PARTS).round() as u64;
        parts
    };
    let calls = pass.inside.iter().filter(|call| call.per_operation() > 0.0);
    calls.map(|call| ((call.call.clone(), call.errno.clone()), per_operation(call.per_operation()))).collect()
}

/// What one operation did with files, by its call sequence.
fn deeds(pass: &CountPass, variant: &Variant) -> FileDeeds {
    let mut deeds = FileDeeds::default();
    let reads = variant.operation.takes_files();
    let mut bytes = 0;
    for step in &pass.recipe {
        match step.call.as_str() {
            "open" | "openat" | "openat2" if step.arguments.contains("O_DIRECT") => {
                if step.failed {
                    deeds.direct_refused = Some((step.result.clone(), None));
                } else {
                    deeds.direct_opens += 1;
                }
            }
            "fadvise64" | "readahead" => advise(&mut deeds, step),
            "read" | "pread64" | "readv" | "preadv" | "preadv2" | "sendfile" | "copy_file_range"
            | "splice"
                if !step.failed =>
            {
                bytes += step.result.parse::<u64>().unwrap_or(0);
            }
            // Of a file: the loader's and the allocator's are outside of the clock, or anonymous.
            "mmap" if !step.failed && !step.arguments.contains("MAP_ANONYMOUS") => deeds.reads_unseen = true,
            "io_uring_enter" | "…" => deeds.reads_unseen = true,
            _ => {}
        }
    }
    if pass.recipe.is_empty() && pass.calls_per_operation() > 0.0 {
        deeds.reads_unseen = true;
    }
    let driver = variant.method.driver.split('@').next().unwrap_or_default();
    if READ_BESIDE.iter().any(|end| driver == *end || end.starts_with('.') && driver.ends_with(end)) {
        deeds.reads_unseen = true;
    }
    if reads {
        deeds.read.insert("the data".to_owned(), bytes);
    } else {
        deeds.reads_unseen = true;
    }
    deeds
}

fn advise(deeds: &mut FileDeeds, step: &RecipeStep) {
    if step.failed {
        deeds.advice_refused = Some(step.result.clone());
        return;
    }
    let word = if step.call == "readahead" {
        "READAHEAD"
    } else {
        step.arguments.rsplit("POSIX_FADV_").next().unwrap_or_default()
    };
    *deeds.advice.entry(word.to_owned()).or_default() += 1;
}
