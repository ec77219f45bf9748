//! What calls do for an operation: which stand for each other, how a method comes to
//! its data, and through what kind of descriptor.

use fathom_events::family_of;
use fathom_model::{CallCount, CountPass, RecipeStep, Variant};
use std::collections::BTreeSet;

/// Families whose calls do the same for an operation: one of them stands for another.
const FAMILIES: [&str; 5] = [OPEN, ALL_ENDS, READ, WRITE, COPY];
const OPEN: &str = "open";
const READ: &str = "read";
const WRITE: &str = "write";
const COPY: &str = "copy";
/// The kind of what tells where a file ends: its stat, or a read that finds nothing more.
pub(super) const ALL_ENDS: &str = "stat";
/// Flags of an open that make another kind of descriptor.
const OF_DESCRIPTORS: [&str; 12] = [
    "O_WRONLY",
    "O_RDWR",
    "O_APPEND",
    "O_ASYNC",
    "O_DIRECT",
    "O_DIRECTORY",
    "O_DSYNC",
    "O_NONBLOCK",
    "O_PATH",
    "O_RSYNC",
    "O_SYNC",
    "O_TMPFILE",
];

/// The kind of a call: its family, or the call itself.
pub(super) fn kind(call: &str) -> &str {
    family_of(call).filter(|family| FAMILIES.contains(family)).unwrap_or(call)
}

/// The kind of a step, whose result is known too.
pub(super) fn kind_of(step: &RecipeStep) -> &str {
    if finds_nothing(step) { ALL_ENDS } else { kind(&step.call) }
}

/// True of kinds that move data.
pub(super) fn moves_data(kind: &str) -> bool {
    matches!(kind, READ | WRITE)
}

/// Calls of a kind per operation, those that fail aside.
pub(super) fn made(pass: &CountPass, of: &str) -> f64 {
    let succeeding = pass.inside.iter().filter(|call| call.errno.is_none() && kind(&call.call) == of);
    let made: f64 = succeeding.map(CallCount::per_operation).sum();
    let ends = pass.recipe.iter().filter(|step| finds_nothing(step)).count() as f64;
    match of {
        ALL_ENDS => made + ends,
        READ => (made - ends).max(0.0),
        _ => made,
    }
}

/// How many ends of files an operation has to find whose method does not know their
/// lengths: one of each file that it reads from beginning to end.
pub(super) fn ends_needed(variant: &Variant, pass: &CountPass) -> f64 {
    let operation = variant.operation;
    if operation.must_read() && !operation.takes_block() { made(pass, OPEN).max(1.0) } else { 0.0 }
}

/// How an operation comes to its data, and how that is moved.
pub(super) fn ways(pass: &CountPass, variant: &Variant) -> BTreeSet<&'static str> {
    let operation = variant.operation;
    let calls = |of: &str| pass.inside.iter().any(|call| kind(&call.call) == of);
    let maps = |step: &RecipeStep| step.call == "mmap" && !step.arguments.contains("MAP_ANONYMOUS");
    let found = [
        ("opens", calls(OPEN)),
        ("reads", operation.must_read() && calls(READ)),
        ("writes", operation.writes() && calls(WRITE)),
        ("maps", operation.takes_buffer() && pass.recipe.iter().any(maps)),
        ("ring", calls("io_uring_enter")),
        ("kernel", calls(COPY)),
    ];
    found.into_iter().filter(|(_, found)| *found).map(|(way, _)| way).collect()
}

/// What kinds of descriptors are opened: by their flags, less those that change nothing
/// of what can be done with one.
pub(super) fn descriptors(pass: &CountPass) -> BTreeSet<&str> {
    let opens = pass.recipe.iter().filter(|step| !step.failed && kind(&step.call) == OPEN);
    let flags = opens.flat_map(|step| step.arguments.split([',', '|', ' ']));
    flags.filter(|flag| OF_DESCRIPTORS.contains(flag)).collect()
}

/// True of a read at the end of a file.
pub(super) fn finds_nothing(step: &RecipeStep) -> bool {
    !step.failed && step.result == "0" && kind(&step.call) == READ
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_testkit::{call, count_pass, step};

    #[test]
    fn a_read_of_nothing_is_counted_among_the_stats() {
        let steps = vec![step("pread64", "9, offset 0", "9"), step("pread64", "9, offset 9", "0")];
        let pass = count_pass(vec![call("pread64", 2), call("fstat", 1)], steps, vec![]);
        let of = |kind| format!("{:.1}", made(&pass, kind));
        assert_eq!([of("read"), of(ALL_ENDS)], ["1.0", "2.0"]);
        assert_eq!(kind_of(&pass.recipe[1]), kind("newfstatat"));
        assert_eq!((kind("readv"), kind("lseek")), ("read", "lseek"));
    }

    #[test]
    fn descriptors_are_told_by_their_flags() {
        let opened = |flags: &str| count_pass(vec![], vec![step("openat", flags, "3")], vec![]);
        let (plain, direct) =
            (opened("FILE, O_RDONLY|O_CLOEXEC|O_LARGEFILE"), opened("FILE, O_RDONLY|O_DIRECT"));
        assert!(descriptors(&plain).is_empty());
        assert_eq!(Vec::from_iter(descriptors(&direct)), ["O_DIRECT"]);
    }
}
