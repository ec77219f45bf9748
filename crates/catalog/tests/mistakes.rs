//! Mistakes in experiment files: each message names file, line and the nearest
//! valid word. One good file, broken in one place at a time.

use fathom_catalog::{CatalogError, DriverManifest, Entry, MethodRegistry, Origin, Request, plan_entry};
use proptest::prelude::*;

const GOOD: &str = r#"name = "mine"
title = "Mine"
question = "Why?"
operation = "read-block"
methods = ["go:syscall.Pread", "native:pread"]
baseline = "go:syscall.Pread"
cache = ["warm", "cold"]
places = ["directory", "memfd"]

[data]
sizes = ["1 MiB", { from = "2 MiB", to = "8 MiB", factor = 2 }]
files = 3
content = "random"

[parameters]
blocks = ["4 KiB", 8192]
access = "random"
alignment = "aligned"
buffers = ["reused", "fresh"]

[quick]
size = "1 MiB"

[[reported]]
source = "a paper"
figures = [{ method = "native:pread", quantity = "time", value = 1.5, unit = "µs" }]
"#;

fn registry() -> MethodRegistry {
    let manifests = [include_str!("fixtures/native.toml"), include_str!("fixtures/go.toml")];
    let parsed = manifests.map(|text| DriverManifest::parse("driver.toml", text).expect("a valid fixture"));
    MethodRegistry::new(parsed.into()).expect("two drivers")
}

fn error_of(text: &str, request: &Request) -> CatalogError {
    Entry::parse("mine.toml", text)
        .and_then(|entry| plan_entry(&entry, request, &registry()))
        .expect_err("a mistake")
}

/// Message and hint for the good file with one stretch replaced.
fn broken(from: &str, to: &str) -> String {
    assert_eq!(GOOD.matches(from).count(), 1, "{from:?} stands once in the good file");
    let error = error_of(&GOOD.replace(from, to), &Request::default());
    format!("{error}\nhint: {}", error.hint().unwrap_or("-"))
}

fn check(mistakes: &[(&str, &str, &str)]) {
    for &(from, to, expected) in mistakes {
        assert_eq!(broken(from, to), expected, "{from:?} replaced by {to:?}");
    }
}

#[test]
fn the_good_file_is_good() {
    let entry = Entry::parse("mine.toml", GOOD).unwrap();
    let plan = plan_entry(&entry, &Request::default(), &registry()).unwrap();
    // Places, sizes, blocks, buffers and cache states multiply.
    assert_eq!(plan.comparisons.len(), 2 * 4 * 2 * 2 * 2);
    assert_eq!(entry.method_patterns().collect::<Vec<_>>(), ["go:syscall.Pread", "native:pread"]);
}

#[test]
fn mistakes_in_words_are_named_with_line_and_nearest_word() {
    check(&[
        ("question =", "qestion =", "mine.toml:3: unknown key `qestion`\nhint: did you mean `question`?"),
        ("files = 3", "file = 3", "mine.toml:12: unknown key `file`\nhint: did you mean `files`?"),
        ("title = \"Mine\"\n", "", "mine.toml:1: missing key `title`\nhint: -"),
        ("title = \"Mine\"", "title = \" \"", "mine.toml:2: `title` is empty\nhint: -"),
        ("title = \"Mine\"", "title = 7", "mine.toml:2: `title` takes a string, not a whole number\nhint: -"),
        (
            "\"mine\"",
            "\"My own\"",
            "mine.toml:1: `My own` is no name for an experiment\nhint: use lower-case letters, digits and `-`",
        ),
        (
            "\"read-block\"",
            "\"read-blok\"",
            "mine.toml:4: unknown operation `read-blok`\nhint: did you mean `read-block`?",
        ),
        (
            "\"go:syscall.Pread\", \"",
            "\"go:syscall.Praed\", \"",
            "mine.toml:5: unknown method `go:syscall.Praed`\nhint: did you mean `go:syscall.Pread`?",
        ),
        (
            "\"go:syscall.Pread\", \"",
            "\"go:os.Open\", \"",
            "mine.toml:5: `go:os.Open` cannot perform `read-block`\nhint: it performs `open-close`",
        ),
        (
            "\"go:syscall.Pread\", \"",
            "\"og:*\", \"",
            "mine.toml:5: unknown driver `og`\nhint: did you mean `go`?",
        ),
        (
            "baseline = \"go:syscall.Pread\"",
            "baseline = \"go:mmap\"",
            "mine.toml:6: baseline `go:mmap` is not among the methods\nhint: one of `go:syscall.Pread`, `native:pread`",
        ),
        ("\"cold\"", "\"hot\"", "mine.toml:7: unknown cache state `hot`\nhint: one of `warm`, `cold`"),
        ("\"cold\"", "\"warm\"", "mine.toml:7: cache state `warm` is listed twice\nhint: -"),
        (
            "cache = [\"warm\", \"cold\"]",
            "explain = [\"counter\"]",
            "mine.toml:7: unknown explanation `counter`\nhint: did you mean `counters`?",
        ),
        ("cache = [\"warm\", \"cold\"]", "cache = []", "mine.toml:7: `cache` is empty\nhint: -"),
        ("\"memfd\"", "\"memdf\"", "mine.toml:8: unknown place `memdf`\nhint: did you mean `memfd`?"),
    ]);
}

#[test]
fn mistakes_in_values_are_named_with_line_and_nearest_word() {
    check(&[
        (
            "\"1 MiB\", {",
            "\"1 MB\", {",
            "mine.toml:11: `1 MB` is no size: its unit is none of B, KiB, MiB, GiB, TiB\nhint: did you mean `1 MiB`?",
        ),
        ("\"1 MiB\", {", "\"2 MiB\", {", "mine.toml:11: size `2 MiB` is listed twice\nhint: -"),
        (
            "\"1 MiB\", {",
            "1.5, {",
            "mine.toml:11: `sizes` takes a size like \"4 KiB\", not a fractional number\nhint: -",
        ),
        (
            "\"1 MiB\", {",
            "-1, {",
            "mine.toml:11: `sizes` is out of range: -1\nhint: from 0 to 18446744073709551615",
        ),
        ("factor = 2", "factor = 1", "mine.toml:11: `factor` is out of range: 1\nhint: from 2 to 4294967296"),
        (
            "factor = 2",
            "factr = 2",
            "mine.toml:11: impossible range of sizes: it has neither `step` nor `factor`\n\
          hint: add `step = \"100 B\"` or `factor = 2`",
        ),
        ("[data]\n", "[data]\nsize = 1\n", "mine.toml:12: `size` and `sizes` exclude each other\nhint: -"),
        ("[data]\n", "[date]\n", "mine.toml:10: unknown key `date`\nhint: did you mean `data`?"),
        ("files = 3", "files = 0", "mine.toml:12: `files` is out of range: 0\nhint: from 1 to 4294967295"),
        ("\"4 KiB\", 8192", "\"4 KiB\", 0", "mine.toml:16: `block` is out of range: 0\nhint: -"),
        (
            "\"4 KiB\", 8192",
            "\"4 KiB\", \"2 MiB\"",
            "mine.toml:16: a file of 1 MiB holds no whole block of 2 MiB\nhint: -",
        ),
        ("\"1 MiB\", {", "0, {", "mine.toml:16: a file of 0 B holds no whole block of 4 KiB\nhint: -"),
        (
            "access = \"random\"",
            "acess = \"random\"",
            "mine.toml:17: unknown key `acess`\nhint: did you mean `access`?",
        ),
        ("\"fresh\"", "\"frehs\"", "mine.toml:19: unknown buffer use `frehs`\nhint: did you mean `fresh`?"),
        ("[quick]\n", "[quick]\nsise = 2\n", "mine.toml:22: unknown key `sise`\nhint: did you mean `size`?"),
        (
            "method = \"native:pread\"",
            "method = \"native:praed\"",
            "mine.toml:26: unknown method `native:praed`\nhint: did you mean `native:pread`?",
        ),
        ("unit = \"µs\"", "unit = \"us\"", "mine.toml:26: unknown unit `us`\nhint: did you mean `ns`?"),
        (
            "method = \"native:pread\", ",
            "",
            "mine.toml:26: missing key `method`\nhint: give it a `method`, or a `label` when the publication names none",
        ),
        (
            "figures = [{ method = \"native:pread\", quantity = \"time\", value = 1.5, unit = \"µs\" }]\n",
            "",
            "mine.toml:24: `reported` is empty\nhint: give it `figures` or `claims`",
        ),
        ("value = 1.5", "value = nan", "mine.toml:26: `value` is out of range: nan\nhint: -"),
        ("[quick]", "[quick", "mine.toml:21: not valid TOML: unclosed table, expected `]`\nhint: -"),
        (
            "content = \"random\"",
            "content = \"random\"\nfiles = 4",
            "mine.toml:14: not valid TOML: duplicate key\nhint: -",
        ),
    ]);
}

#[test]
fn of_several_mistakes_the_first_of_a_table_is_named() {
    let text = GOOD.replace("[data]\n", "[data]\nzebra = 1\naardvark = 2\n");
    let error = error_of(&text, &Request::default());
    assert_eq!(error.to_string(), "mine.toml:11: unknown key `zebra`");
}

#[test]
fn direct_io_by_name_must_be_possible() {
    let named = "\"native:O_DIRECT+pread\", \"go:syscall.Pread\"";
    let text = GOOD.replace("\"go:syscall.Pread\", ", &format!("{named}, "));
    let error = error_of(&text.replace("\"aligned\"", "\"unaligned\""), &Request::default());
    assert_eq!(
        error.to_string(),
        "mine.toml:5: `native:O_DIRECT+pread` cannot read unaligned blocks: direct I/O takes aligned offsets only"
    );
    let error = error_of(&text.replace("8192", "8096"), &Request::default());
    assert_eq!(
        error.to_string(),
        "mine.toml:5: `native:O_DIRECT+pread` cannot read 8096 B at once: direct I/O takes multiples of 512 B only"
    );
}

#[test]
fn settings_that_an_operation_lacks_are_refused() {
    let text = GOOD.replace("\"read-block\"", "\"open-close\"");
    let error = error_of(&text, &Request::default());
    assert_eq!(error.to_string(), "mine.toml:16: `block` has no meaning for `open-close`");
    let text = GOOD.replace("\"read-block\"", "\"read-whole\"");
    assert_eq!(
        error_of(&text, &Request::default()).to_string(),
        "mine.toml:17: `access` has no meaning for `read-whole`"
    );
}

#[test]
fn a_method_beside_itself_is_for_comparing_methods() {
    let twice = GOOD
        .replace("\"go:syscall.Pread\", ", "\"native:pread\", ")
        .replace("baseline = \"go:syscall.Pread\"", "compare = \"places\"");
    let error = error_of(&twice, &Request::default());
    assert_eq!(error.to_string(), "mine.toml:5: method `native:pread` is listed twice");
}

#[test]
fn the_column_is_known_in_characters() {
    let error = error_of(&GOOD.replace("\"cold\"", "\"hot\""), &Request::default());
    assert_eq!(error.origin, Origin::File { file: "mine.toml".into(), line: 7, column: 18 });
    let error = error_of(&GOOD.replace("title = \"Mine\"", "\"µµ\" = 1"), &Request::default());
    assert!(matches!(error.origin, Origin::File { line: 1, .. }), "{error}");
}

#[test]
fn a_mistake_on_the_command_line_names_its_option() {
    let request = Request { methods: vec!["native:praed".into()], ..Request::default() };
    let error = error_of(GOOD, &request);
    assert_eq!(error.to_string(), "--methods: unknown method `native:praed`");
    let request = Request { blocks: vec![64 << 20], ..Request::default() };
    assert_eq!(
        error_of(GOOD, &request).to_string(),
        "--block: a file of 1 MiB holds no whole block of 64 MiB"
    );
    let request = Request { baseline: Some("go:mmap".into()), ..Request::default() };
    assert_eq!(
        error_of(GOOD, &request).to_string(),
        "--baseline: baseline `go:mmap` is not among the methods"
    );
    let methods = vec!["native:*".to_owned()];
    let request = Request { methods, baseline: Some("go:mmap".into()), ..Request::default() };
    assert!(error_of(GOOD, &request).to_string().starts_with("--baseline: baseline `go:mmap` is not among"));
    let request = Request { sizes: vec![1 << 20, 1 << 20], ..Request::default() };
    assert_eq!(error_of(GOOD, &request).to_string(), "--size: size `1 MiB` is listed twice");
}

#[test]
fn a_plan_nobody_would_wait_for_is_refused() {
    let sweep = |from, to| format!("{{ from = {from}, to = {to}, step = 1 }}");
    let text = GOOD
        .replace("\"1 MiB\", {", &format!("{}, {{", sweep(100_000, 100_150)))
        .replace("[\"4 KiB\", 8192]", &format!("[{}]", sweep(1000, 1150)));
    let error = error_of(&text, &Request::default());
    assert_eq!(error.to_string(), "`comparisons` is out of range: more than 1000");
}

proptest! {
    #[test]
    fn no_text_makes_the_parsers_panic(text in "\\PC{0,200}") {
        let _ = Entry::parse("x", &text);
        let _ = DriverManifest::parse("x", &text);
    }

    #[test]
    fn no_damage_makes_the_planner_panic(
        at in 0..GOOD.chars().count(), length in 0_usize..40, filler in "[\\]\\[{}=\",.*:0-9a-zµ\n -]{0,8}",
    ) {
        let damaged: String =
            GOOD.chars().take(at).chain(filler.chars()).chain(GOOD.chars().skip(at + length)).collect();
        if let Ok(entry) = Entry::parse("x", &damaged) {
            let _ = plan_entry(&entry, &Request::default(), &registry());
        }
    }
}
