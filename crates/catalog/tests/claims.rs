//! Claims: every shipped one is planned, quick and whole. What becomes of them is the
//! `claims` crate's; mistakes in them are in `claim_mistakes.rs`.

use fathom_catalog::{
    DriverManifest, Entry, Goal, MethodRegistry, Plan, Request, SHIPPED, plan_claims, share_error,
};
use fathom_model::{Claim, Explain, Form, Metric, Setting, Subject};
use std::collections::BTreeMap;

fn manifests() -> Vec<DriverManifest> {
    let manifests = [
        include_str!("../../../drivers/native/driver.toml"),
        include_str!("../../../drivers/cpp/driver.toml"),
        include_str!("../../../drivers/go/driver.toml"),
        include_str!("../../../drivers/java/driver.toml"),
        include_str!("../../../drivers/zig/driver.toml"),
        include_str!("../../../drivers/python/driver.toml"),
        include_str!("../../../drivers/node/driver.toml"),
    ];
    manifests.map(|text| DriverManifest::parse("driver.toml", text).expect("a valid manifest")).to_vec()
}

/// The drivers, and under their other names the toolchains that claims speak of.
fn registry(entry: &Entry) -> MethodRegistry {
    let mut all = manifests();
    let of_claims = entry.claims().flat_map(Claim::methods);
    let methods: Vec<String> = entry.method_patterns().map(str::to_owned).chain(of_claims).collect();
    for name in methods.iter().filter_map(|method| Some(method.split_once(':')?.0)) {
        let base = name.split_once('@').map(|(base, _)| base);
        let known = all.iter().any(|manifest| manifest.name == name);
        if let Some(manifest) = all.iter().find(|manifest| !known && Some(manifest.name.as_str()) == base) {
            all.push(DriverManifest { name: name.to_owned(), ..manifest.clone() });
        }
    }
    MethodRegistry::new(all).expect("drivers of different names")
}

fn shipped() -> Vec<Entry> {
    let parsed = SHIPPED.iter().map(|file| Entry::parse(file.file, file.text));
    parsed.map(|entry| entry.expect("a valid experiment")).collect()
}

fn plan(entry: &Entry, claim: &str, quick: bool) -> Plan {
    let request = Request { quick, ..Request::default() };
    plan_claims(entry, &[claim.to_owned()], &request, &registry(entry))
        .unwrap_or_else(|error| panic!("{claim}: {error}: {:?}", error.hint()))
}

#[test]
fn every_shipped_claim_is_planned_whole_and_quick() {
    for entry in shipped() {
        for claim in entry.claims() {
            for quick in [false, true] {
                let plan = plan(&entry, &claim.name, quick);
                assert_eq!(plan.claims, std::slice::from_ref(claim));
                let checks = || claim.checks.iter().chain(claim.fair.iter().flat_map(|fair| &fair.checks));
                let measures = checks().any(|check| matches!(check.subject, Subject::Variants { .. }));
                assert_eq!(!plan.comparisons.is_empty(), measures, "{}", claim.name);
                assert!(plan.unmeasured.is_empty(), "{}: {:?}", claim.name, plan.unmeasured);
                let of_scenario =
                    |subject: &Subject| matches!(subject, Subject::Outcome { .. } | Subject::Figure { .. });
                let tried = checks().any(|check| of_scenario(&check.subject));
                assert_eq!(plan.scenario.is_some(), tried, "{}", claim.name);
                if claim.untestable.is_none() {
                    assert!(!plan.places.is_empty(), "{}", claim.name);
                }
            }
        }
    }
}

#[test]
fn every_shipped_claim_says_who_said_what_and_can_be_checked_or_says_why_not() {
    let mut entries = BTreeMap::new();
    for entry in shipped() {
        for claim in entry.claims() {
            assert!(!claim.sentence.is_empty() && !claim.source.is_empty(), "{}", claim.name);
            assert_ne!(claim.checks.is_empty(), claim.untestable.is_none(), "{}", claim.name);
            // `--claim NAME` means one.
            assert_eq!(entries.insert(claim.name.clone(), entry.name.clone()), None, "{}", claim.name);
        }
    }
    assert!(entries.len() >= 25, "{}", entries.len());
}

/// A reading of another machine's clock says nothing of this one.
#[test]
fn no_shipped_claim_is_an_absolute_time_but_that_of_a_device() {
    for entry in shipped() {
        for claim in entry.claims() {
            for check in &claim.checks {
                let Subject::Variants { metric: Metric::Time, form: Form::Value, of, .. } = &check.subject
                else {
                    continue;
                };
                assert_eq!(of.cache, Some(fathom_model::CacheState::Cold), "{}", claim.name);
            }
        }
    }
}

#[test]
fn the_write_up_on_opening_stands_as_claims() {
    let claims = |name: &str| -> Vec<String> {
        let entry = shipped().into_iter().find(|entry| entry.name == name).expect("a shipped name");
        entry.claims().map(|claim| claim.sentence.clone()).collect()
    };
    for (name, sentence) in [
        ("open-pread-go", "pread is ~37-38 % faster than os.Open"),
        ("lines-go", "os.OpenFile is ~31 % faster than syscall.Pread"),
        ("hash-go", "reading and hashing with os.OpenFile is ~3 % faster than with pread"),
        ("hash-go", "the bottleneck moves to the CPU, ~90 % in md5.block"),
        ("hash-go", "all three digests are equal"),
        ("open-go", "O_CLOEXEC reduces system calls"),
        ("open-pread-go", "os.Open changes the descriptor's state, by lseek for one, which pread avoids"),
        ("hash-go", "before MD5, pread against os.OpenFile was purely disk-bound"),
        ("layers", "a dentry takes ~100 bytes"),
        ("layers", "read-ahead is 128 KiB"),
        ("layers", "an SSD answers in ~0.1 ms"),
        ("direct", "O_DIRECT brings no benefit on small work"),
        ("create-storm", "neither open nor close goes to the disk"),
    ] {
        assert!(claims(name).iter().any(|known| known == sentence), "{sentence}");
    }
}

/// Both arms of a check are measured side by side, and with an answer of 4 workers
/// the published programs have 4.
#[test]
fn what_is_compared_stands_in_one_comparison() {
    let entry = shipped().into_iter().find(|entry| entry.name == "search-go").expect("a shipped name");
    let plan = plan(&entry, "quarters-beat-scanners", true);
    let seen: Vec<_> = plan
        .comparisons
        .iter()
        .map(|comparison| {
            let names = comparison.variants.iter().map(|variant| variant.method.name.as_str());
            (names.collect::<Vec<_>>(), comparison.variants[0].parameters.data.size_bytes)
        })
        .collect();
    let published = (vec!["open+Seek+Scanner", "pread-quarters"], 4_194_307);
    // The string stays: it is part of what the published program does with a quarter.
    let fair = (vec!["open+Seek+bufio+regexp", "pread+string+regexp"], 97_746_947);
    let expected = [published.clone(), published, fair.clone(), fair.clone(), fair.clone(), fair];
    assert_eq!(seen, expected, "in two places each, the fair pair with one worker and with four");
}

#[test]
fn the_other_write_ups_stand_as_claims() {
    let claims = |name: &str| -> Vec<String> {
        let entry = shipped().into_iter().find(|entry| entry.name == name).expect("a shipped name");
        entry.claims().map(|claim| claim.sentence.clone()).collect()
    };
    for (name, sentence) in [
        ("small-go", "os.Open with io.ReadAll is >20 % slower than os.ReadFile"),
        ("places", "memfd bypasses the page cache"),
        ("go-internals", "os.ReadFile uses a stack buffer below 1 KB"),
        ("go-internals", "os.ReadFile makes one system call"),
        ("go-internals", "sync.Pool serves buffers up to 32 KB"),
        ("go-internals", "files up to 64 KiB are mapped"),
        ("go-internals", "io.ReadAll grows by doubling from 512 B"),
        (
            "go-allocations",
            "a buffer of 128 B, 512 B and 999 B costs 1.2, 4.7 and 5.1 allocations per operation",
        ),
        ("first-read", "pre-execution and a collection bring the p99 of a JVM's first read down by 93 %"),
        ("hot-reload", "ReadAll on a renamed-away file can block for ever"),
        ("random-blocks", "aligned, mmap and pread take the same time"),
        ("open-write-whatif", "without the fstat, FileOutputStream opens ~17 % faster"),
        ("write-directory", "POSIX requires EISDIR since 1997"),
    ] {
        assert!(claims(name).iter().any(|known| known == sentence), "{sentence}");
    }
}

/// A cold state is proven by the time pass alone, so that counts of cold files ask for it.
#[test]
fn counts_of_cold_files_are_proven_cold_and_stand_beside_what_is_counted_anyway() {
    let entry = shipped().into_iter().find(|entry| entry.name == "random-blocks").expect("a shipped name");
    let plan = plan(&entry, "mmap-faults-and-pread-does-not", true);
    assert_eq!(plan.comparisons.len(), 2, "one for each method");
    for comparison in &plan.comparisons {
        assert_eq!(comparison.explain, [Explain::Counters]);
        assert!(
            matches!(&comparison.goal, Goal::Verdicts(questions) if questions.is_empty()),
            "{comparison:?}"
        );
    }
    let request = Request { quick: true, ..Request::default() };
    let names = ["mmap-faults-and-pread-does-not", "aligned-waits-as-often"].map(str::to_owned);
    let both = plan_claims(&entry, &names, &request, &registry(&entry)).unwrap();
    let alone = both.comparisons.iter().filter(|comparison| comparison.variants.len() == 1).count();
    assert_eq!((alone, both.comparisons.len()), (0, 2), "each stands in a pair that is looked at as well");
}

/// What a patch saves is a comparison of one JDK with itself, the one call apart.
#[test]
fn the_elided_call_is_judged_within_one_process() {
    let entry =
        shipped().into_iter().find(|entry| entry.name == "open-write-whatif").expect("a shipped name");
    let request = Request { quick: true, ..Request::default() };
    let plan = plan_claims(&entry, &[], &request, &registry(&entry)).unwrap();
    let words = "two classes of JDK 25 and one of JDK 17, in two places; two of JDK 25 on /dev/null";
    assert_eq!(plan.comparisons.len(), 3 * 2 + 2, "{words}");
    for comparison in &plan.comparisons {
        let [made, elided] = &comparison.variants[..] else { panic!("{comparison:?}") };
        assert_eq!(format!("{}-fstat", made.method), elided.method.to_string());
        assert_eq!(made.parameters, elided.parameters);
        assert_eq!(elided.parameters.settings.text(Setting::Preload), "elide-fstat");
    }
}

/// The verdicts share the error among times and shares of samples: whoever stops measuring
/// by another share stops too early.
#[test]
fn times_and_shares_of_samples_take_equal_parts_of_the_error() {
    let entries = shipped();
    let hash = entries.iter().find(|entry| entry.name == "hash-go").unwrap();
    let mut plans =
        vec![plan(hash, "md5-takes-90-percent", false), plan(hash, "mmap-hashes-faster-than-pread", false)];
    share_error(&mut plans, 0.05);
    let questions: Vec<_> = plans
        .iter()
        .flat_map(|plan| &plan.comparisons)
        .filter_map(|comparison| match &comparison.goal {
            Goal::Verdicts(questions) => Some(questions),
            _ => None,
        })
        .flatten()
        .collect();
    // Three methods' stacks and one pair's times, each in two places.
    assert_eq!(questions.len(), 2);
    assert!(questions.iter().all(|question| (question.alpha - 0.05 / 8.0).abs() < 1e-12), "{questions:?}");
}

#[test]
fn a_check_that_names_no_operation_is_of_its_parts() {
    let text = r#"
name = "mine"
title = "Mine"
question = "?"
[[parts]]
name = "open"
operation = "open-close"
methods = ["native:open"]
[parts.data]
size = "4 KiB"
[[parts]]
name = "read"
operation = "read-whole"
methods = ["native:read"]
[parts.data]
size = "4 KiB"
[[claims]]
name = "three"
sentence = "s"
source = "t"
checks = [
  { metric = "calls", of = { method = "native:open" }, region = "= 2" },
  { metric = "calls", part = "read", of = { method = "native:read" }, region = "= 4" },
  { metric = "calls", with = { operation = "open-missing" }, of = { method = "native:open" }, region = "= 1" },
]
"#;
    let entry = Entry::parse("mine.toml", text).unwrap_or_else(|error| panic!("{error}: {:?}", error.hint()));
    let operations = entry.claims().flat_map(|claim| &claim.checks).map(|check| match &check.subject {
        Subject::Variants { of, .. } => of.operation.map(fathom_model::Operation::word),
        other => panic!("{other:?}"),
    });
    let expected = [Some("open-close"), Some("read-whole"), Some("open-missing")];
    assert_eq!(operations.collect::<Vec<_>>(), expected);
}
