//! Mistakes in claims: each message names file, line and the nearest valid word. One
//! good file, broken in one place at a time.

use fathom_catalog::{CatalogError, DriverManifest, Entry, MethodRegistry, Request, plan_claims};

fn registry() -> MethodRegistry {
    let manifests = [include_str!("fixtures/native.toml"), include_str!("fixtures/go.toml")];
    let parsed = manifests.map(|text| DriverManifest::parse("driver.toml", text).expect("a valid fixture"));
    MethodRegistry::new(parsed.into()).expect("two drivers")
}

const GOOD: &str = r#"name = "mine"
title = "Mine"
question = "Why?"
source = "me"
operation = "read-block"
methods = ["go:syscall.Pread", "native:pread"]
baseline = "go:syscall.Pread"

[data]
size = "1 MiB"

[parameters]
blocks = ["4 KiB", 8192]

[[claims]]
name = "go-is-slower"
sentence = "Go is slower"

[[claims.checks]]
metric = "time"
form = "ratio"
with = { block = "4 KiB" }
of = { method = "go:syscall.Pread" }
to = { method = "native:pread" }
region = ">= 1.02"

[claims.fair]
because = "one allocates"

[[claims.fair.checks]]
metric = "calls:pread64"
of = { method = "go:syscall.Pread" }
region = "= 1"
"#;

fn error_of(text: &str) -> CatalogError {
    let planned = Entry::parse("mine.toml", text)
        .and_then(|entry| plan_claims(&entry, &[], &Request::default(), &registry()).map(|_| ()));
    planned.expect_err("a mistake")
}

fn check(mistakes: &[(&str, &str, &str)]) {
    for &(from, to, expected) in mistakes {
        assert_eq!(GOOD.matches(from).count(), 1, "{from:?} stands once in the good file");
        let error = error_of(&GOOD.replace(from, to));
        let said = format!("{error}\nhint: {}", error.hint().unwrap_or("-"));
        assert_eq!(said, expected, "{from:?} replaced by {to:?}");
    }
}

#[test]
fn the_good_file_is_good() {
    let entry = Entry::parse("mine.toml", GOOD).unwrap();
    let plan = plan_claims(&entry, &[], &Request::default(), &registry()).unwrap();
    // The pair with its block in two places; of the other block the one method.
    let variants: Vec<usize> = plan.comparisons.iter().map(|comparison| comparison.variants.len()).collect();
    assert_eq!(variants, [2, 2, 1, 1]);
    assert_eq!(plan.claims[0].source, "me", "the experiment's, where the claim names none");
    assert_eq!(plan_claims(&entry, &["other".into()], &Request::default(), &registry()).unwrap().claims, []);
}

#[test]
fn words_of_a_claim_are_checked() {
    check(&[
        ("sentence =", "sentense =", "mine.toml:17: unknown key `sentense`\nhint: did you mean `sentence`?"),
        ("sentence = \"Go is slower\"\n", "", "mine.toml:15: missing key `sentence`\nhint: -"),
        (
            "\"go-is-slower\"",
            "\"Go is slower\"",
            "mine.toml:16: `Go is slower` is no name for a claim\nhint: use lower-case letters, digits and `-`",
        ),
        (
            "metric = \"time\"",
            "metric = \"tme\"",
            "mine.toml:20: unknown metric `tme`\nhint: did you mean `time`?",
        ),
        (
            "metric = \"time\"\n",
            "",
            "mine.toml:19: missing key `metric`\nhint: a check looks at a `metric`, an `outcome` or a `fact`",
        ),
        (
            "form = \"ratio\"",
            "form = \"ratoi\"",
            "mine.toml:21: unknown form `ratoi`\nhint: did you mean `ratio`?",
        ),
        ("form = \"ratio\"\n", "", "mine.toml:19: missing key `form`\nhint: -"),
        (
            "form = \"ratio\"",
            "form = \"value\"",
            "mine.toml:21: `form = \"value\"` and `to` exclude each other\nhint: -",
        ),
        (
            "to = { method = \"native:pread\" }\n",
            "",
            "mine.toml:21: missing key `to`\nhint: say what it is compared with",
        ),
        (
            "metric = \"time\"",
            "metric = \"time\"\nfact = \"read-ahead\"",
            "mine.toml:21: `metric` and `fact` exclude each other\nhint: -",
        ),
        (
            "block = \"4 KiB\"",
            "blok = \"4 KiB\"",
            "mine.toml:22: unknown key `blok`\nhint: did you mean `block`?",
        ),
        (
            "\"native:pread\" }",
            "\"native:praed\" }",
            "mine.toml:19: unknown method `native:praed`\nhint: did you mean `native:pread`?",
        ),
        (
            "\"native:pread\" }",
            "\"pread\" }",
            "mine.toml:24: unknown method `pread`\nhint: a method is written `driver:name`",
        ),
        (
            "\"native:pread\" }",
            "\"native:pread\", block = [512, 1024] }",
            "mine.toml:24: `a variant of a claim` and `several values` exclude each other\nhint: lists stand in `with`",
        ),
        ("because = \"one allocates\"\n", "", "mine.toml:27: missing key `because`\nhint: -"),
        (
            "metric = \"time\"",
            "part = \"cold\"\nmetric = \"time\"",
            "mine.toml:20: unknown part `cold`\nhint: -",
        ),
        (
            "sentence =",
            "untestable = \"no\"\nsentence =",
            "mine.toml:20: `untestable` and `checks` exclude each other\nhint: -",
        ),
        (
            "metric = \"calls:pread64\"\nof = { method = \"go:syscall.Pread\" }",
            "outcome = { case = \"a\", what = \"b\" }",
            "mine.toml:30: unknown key `outcome`\nhint: an outcome is of a scenario",
        ),
    ]);
}

#[test]
fn a_fork_is_warmed_up_or_it_is_not() {
    check(&[(
        "\"native:pread\" }",
        "\"native:pread\", warm-up = \"off\" }",
        "mine.toml:19: `warm-up = \"on\"` and `warm-up = \"off\"` exclude each other\nhint: a fork is warmed up or it is not: say the same of both",
    )]);
}

#[test]
fn regions_are_checked() {
    check(&[
        (
            "\">= 1.02\"",
            "\"faster\"",
            "mine.toml:25: unknown region `faster`\nhint: write it like `<= 1.05`, `0.95 to 1.05` or `about 2.4`",
        ),
        (
            "\">= 1.02\"",
            "\">= 10 ns\"",
            "mine.toml:25: unknown region `>= 10 ns`\nhint: write it like `<= 1.05`, `0.95 to 1.05` or `about 2.4`",
        ),
        (
            "region = \"= 1\"",
            "region = \"= 100 %\"",
            "mine.toml:33: unknown region `= 100 %`\nhint: write it like `= 1`, `>= 2` or `4 to 6`",
        ),
        ("region = \"= 1\"\n", "", "mine.toml:30: missing key `region`\nhint: -"),
    ]);
}

#[test]
fn a_name_stands_once() {
    let twice = format!(
        "{GOOD}{}",
        GOOD.split_once("\n[[claims]]").map(|(_, claim)| format!("\n[[claims]]{claim}")).unwrap()
    );
    assert_eq!(error_of(&twice).to_string(), "mine.toml:36: claim `go-is-slower` is listed twice");
}

const SCENARIO: &str = r#"name = "mine"
title = "Mine"
question = "Why?"
source = "me"
scenario = "first-read"
places = ["directory"]

[[claims]]
name = "saves"
sentence = "it saves"

[[claims.checks]]
outcome = { case = "JVM", setting = "warm", to = "cold", figure = "the first read", quantile = "p99" }
form = "saving"
region = "about 93 %"
"#;

#[test]
fn a_figure_names_its_quantile_and_its_form() {
    let entry = Entry::parse("mine.toml", SCENARIO).unwrap();
    assert!(plan_claims(&entry, &[], &Request::default(), &registry()).unwrap().scenario.is_some());
    for (from, to, expected) in [
        ("p99", "p98", "mine.toml:13: unknown quantile `p98`\nhint: did you mean `p99`?"),
        ("form = \"saving\"\n", "", "mine.toml:12: missing key `form`\nhint: -"),
        (
            ", figure = \"the first read\", quantile = \"p99\"",
            "",
            "mine.toml:13: missing key `what`\nhint: -",
        ),
        (" to = \"cold\",", "", "mine.toml:14: missing key `to`\nhint: say what it is compared with"),
    ] {
        assert!(SCENARIO.contains(from), "{from}");
        let error = error_of(&SCENARIO.replace(from, to));
        let said = format!("{error}\nhint: {}", error.hint().unwrap_or("-"));
        assert_eq!(said, expected, "{from:?} replaced by {to:?}");
    }
}
