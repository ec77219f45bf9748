//! What calls do for an operation: which stand for each other, how a method comes to
//! its data, and through what kind of descriptor.

use fathom_model::{CallCount, CountPass, RecipeStep, Variant};
use std::collections::BTreeSet;

/// Calls that do the same for an operation: one of a family stands for another.
const FAMILIES: [&[&str]; 5] = [
    OPENS,
    &[ALL_ENDS, "lstat", "fstat", "newfstatat", "statx"],
    READS,
    WRITES,
    &["sendfile", "splice", "copy_file_range"],
];
const OPENS: &[&str] = &["open", "openat", "openat2", "creat"];
const READS: &[&str] = &["read", "readv", "pread64", "preadv", "preadv2"];
const WRITES: &[&str] = &["write", "writev", "pwrite64", "pwritev", "pwritev2"];
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

/// The kind of a call: the first of its family, or the call itself.
pub(super) fn kind(call: &str) -> &str {
    FAMILIES.iter().find(|family| family.contains(&call)).map_or(call, |family| family[0])
}

/// The kind of a step, whose result is known too.
pub(super) fn kind_of(step: &RecipeStep) -> &str {
    if finds_nothing(step) { ALL_ENDS } else { kind(&step.call) }
}

/// True of kinds that move data.
pub(super) fn moves_data(kind: &str) -> bool {
    READS.contains(&kind) || WRITES.contains(&kind)
}

/// Calls of a kind per operation, those that fail aside.
pub(super) fn made(pass: &CountPass, of: &str) -> f64 {
    let succeeding = pass.inside.iter().filter(|call| call.errno.is_none() && kind(&call.call) == of);
    let made: f64 = succeeding.map(CallCount::per_operation).sum();
    let ends = pass.recipe.iter().filter(|step| finds_nothing(step)).count() as f64;
    match of {
        ALL_ENDS => made + ends,
        _ if READS.contains(&of) => (made - ends).max(0.0),
        _ => made,
    }
}

/// How many ends of files an operation has to find whose method does not know their
/// lengths: one of each file that it reads from beginning to end.
pub(super) fn ends_needed(variant: &Variant, pass: &CountPass) -> f64 {
    let operation = variant.operation;
    if operation.must_read() && !operation.takes_block() { made(pass, OPENS[0]).max(1.0) } else { 0.0 }
}

/// How an operation comes to its data, and how that is moved.
pub(super) fn ways(pass: &CountPass, variant: &Variant) -> BTreeSet<&'static str> {
    let operation = variant.operation;
    let calls = |names: &[&str]| pass.inside.iter().any(|call| names.contains(&call.call.as_str()));
    let maps = |step: &RecipeStep| step.call == "mmap" && !step.arguments.contains("MAP_ANONYMOUS");
    let found = [
        ("opens", calls(OPENS)),
        ("reads", operation.must_read() && calls(READS)),
        ("writes", operation.writes() && calls(WRITES)),
        ("maps", operation.takes_buffer() && pass.recipe.iter().any(maps)),
        ("ring", calls(&["io_uring_enter"])),
        ("kernel", calls(FAMILIES[4])),
    ];
    found.into_iter().filter(|(_, found)| *found).map(|(way, _)| way).collect()
}

/// What kinds of descriptors are opened: by their flags, less those that change nothing
/// of what can be done with one.
pub(super) fn descriptors(pass: &CountPass) -> BTreeSet<&str> {
    let opens = pass.recipe.iter().filter(|step| !step.failed && OPENS.contains(&step.call.as_str()));
    let flags = opens.flat_map(|step| step.arguments.split([',', '|', ' ']));
    flags.filter(|flag| OF_DESCRIPTORS.contains(flag)).collect()
}

/// True of a read at the end of a file.
pub(super) fn finds_nothing(step: &RecipeStep) -> bool {
    !step.failed && step.result == "0" && READS.contains(&step.call.as_str())
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
