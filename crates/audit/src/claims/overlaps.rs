//! Programs whose calls several rules accuse: each call is in one finding.

use crate::auditor::Auditor;
use crate::finding::{Finding, FindingClass, RuleId};
use crate::rule_choice::RuleChoice;
use crate::script::{READ, Script};
use fathom_events::{CallOutcome, FileAction, FileKind, Whence};

fn findings(program: impl FnOnce(&mut Script)) -> Vec<Finding> {
    let mut script = Script::new();
    program(&mut script);
    let mut auditor = Auditor::new();
    script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
    auditor.finish().findings
}

/// Rules with their counts and avoidable calls.
fn found(program: impl FnOnce(&mut Script)) -> Vec<(u16, u64, u64)> {
    let calls = |finding: &Finding| finding.avoidable.iter().map(|call| call.count).sum();
    let mut found: Vec<_> =
        findings(program).iter().map(|finding| (finding.rule.0, finding.count, calls(finding))).collect();
    found.sort_unstable();
    found
}

fn list(script: &mut Script, path: &str, entries: u32) {
    let descriptor = script.open(path, READ | crate::open_flags::DIRECTORY);
    let action = FileAction::List { descriptor, entries: Some(entries + 2), undecided: Some(0) };
    script.call("getdents64", action, CallOutcome::Value(i64::from(entries) * 32));
    script.close(descriptor);
}

#[test]
fn two_looks_before_an_opening_are_one_finding() {
    let found = found(|script| {
        for file in 0..20 {
            let path = format!("/data/{file}");
            script.stat(&path, 10);
            script.stat(&path, 10);
            let open = script.open(&path, READ);
            script.close(open);
        }
    });
    assert_eq!(found, [(13, 20, 40)]);
}

#[test]
fn many_looks_before_an_opening_are_the_looks_habit() {
    let found = found(|script| {
        (0..9).for_each(|_| script.stat("/data/a", 10));
        let open = script.open("/data/a", READ);
        script.close(open);
    });
    assert_eq!(found, [(15, 8, 8)]);
}

#[test]
fn a_poll_is_no_repeated_look() {
    let found = found(|script| {
        for _ in 0..30 {
            script.stat("/data/state", 10);
            script.wait_ms(100);
        }
    });
    assert_eq!(found, [(33, 30, 29)]);
}

#[test]
fn misses_that_a_listing_tells_are_no_repeated_misses() {
    let found = found(|script| {
        for folder in 0..10 {
            let path = format!("/src/{folder}");
            list(script, &path, 5);
            (0..4).for_each(|_| script.stat_fails(&format!("{path}/.ignore")));
        }
    });
    assert_eq!(found, [(22, 40, 40)]);
}

#[test]
fn a_step_back_is_no_move_for_one_read() {
    let found = found(|script| {
        let file = script.open("/data/records", READ);
        for record in 0..9 {
            script.read(file, 4096, 4096);
            script.seek(file, 100 - 4096, Whence::Current, (record + 1) * 100);
        }
        script.close(file);
    });
    assert_eq!(found.iter().filter(|(rule, ..)| [34, 36].contains(rule)).count(), 1, "{found:?}");
}

#[test]
fn names_of_a_listing_are_asked_in_one_finding_though_they_are_opened() {
    let found = found(|script| {
        list(script, "/data", 40);
        for file in 0..40 {
            let path = format!("/data/{file}");
            script.stat_as(&path, FileKind::Regular, 10);
            let open = script.open(&path, READ);
            script.close(open);
        }
    });
    assert_eq!(found, [(13, 40, 40)]);
}

#[test]
fn an_unwanted_rule_takes_no_call() {
    let mut script = Script::new();
    for file in 0..20 {
        let path = format!("/data/{file}");
        (0..2).for_each(|_| script.stat(&path, 10));
        let open = script.open(&path, READ);
        script.close(open);
    }
    let without = RuleChoice { ignore: vec![RuleId(13)], ..RuleChoice::default() };
    let mut auditor = Auditor::new().with_rules(without);
    script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
    let found = auditor.finish().findings;
    let of = |rule| found.iter().filter(|one| one.rule == RuleId(rule)).map(|one| one.count).sum::<u64>();
    assert_eq!((of(15), of(13)), (20, 0), "the first look is left to the other, and not told");
}

#[test]
fn reading_again_has_all_that_is_asked_of_the_file() {
    let found = found(|script| {
        for _ in 0..5 {
            let file = script.open("/etc/table", READ);
            script.fstat(file, 100);
            script.fstat(file, 100);
            script.read(file, 4096, 100);
            script.close(file);
        }
    });
    // Four readings of five calls; the second question of the first reading is left.
    assert_eq!(found, [(3, 1, 1), (23, 4, 20)]);
}

#[test]
fn the_busiest_path_and_directories_are_told() {
    let found = findings(|script| {
        for (package, looks) in [("jsdom", 30), ("rxjs", 12), ("ws", 5), ("ms", 2)] {
            let path = format!("/srv/node_modules/{package}/package.json");
            (0..=looks).for_each(|_| script.stat(&path, 10));
        }
    });
    let [finding] = &found[..] else { panic!("{found:#?}") };
    assert_eq!((finding.class, finding.count), (FindingClass::Cost, 49));
    let most = finding.most_at.as_ref().map(|most| (most.path.as_str(), most.count));
    assert_eq!(most, Some(("/srv/node_modules/jsdom/package.json", 30)));
    let told: Vec<_> = finding.directories.iter().map(|told| (told.path.as_str(), told.count)).collect();
    let packages = ["jsdom", "rxjs", "ws"].map(|name| format!("/srv/node_modules/{name}"));
    assert_eq!(told, [(packages[0].as_str(), 30), (packages[1].as_str(), 12), (packages[2].as_str(), 5)]);
}

#[test]
fn the_example_is_of_where_it_occurs_most() {
    let found = findings(|script| {
        (0..3).for_each(|_| script.stat("/data/first", 10));
        (0..9).for_each(|_| script.stat("/data/most", 10));
    });
    let example = &found[0].example.last().unwrap().text;
    assert!(example.contains("/data/most"), "{example}");
}

#[test]
fn calls_that_went_to_another_finding_take_their_paths_along() {
    let found = findings(|script| {
        for file in 0..20 {
            let path = format!("/data/{file}");
            (0..2).for_each(|_| script.stat(&path, 10));
            let open = script.open(&path, READ);
            script.close(open);
        }
        (0..9).for_each(|_| script.stat("/data/a", 10));
    });
    let told = |finding: &Finding| {
        let paths = finding.place.paths.as_ref().unwrap();
        (finding.rule.0, finding.count, paths.count, paths.is_lower_bound, paths.first.clone())
    };
    let mut told: Vec<_> = found.iter().map(told).collect();
    told.sort();
    assert_eq!(told, [(13, 20, 20, false, "/data/0".into()), (15, 8, 1, false, "/data/a".into())]);
}

#[test]
fn a_case_of_calls_on_several_paths_tells_them_all() {
    let found = findings(|script| {
        for name in 0..9 {
            script.stat_fails(&format!("/lib/m{name}"));
            script.stat_fails(&format!("/lib/m{name}.so"));
            let file = script.open(&format!("/lib/m{name}.rb"), READ);
            script.close(file);
        }
    });
    let tried = found.iter().find(|finding| finding.rule == RuleId(19)).unwrap();
    let paths = tried.place.paths.as_ref().unwrap();
    assert_eq!((tried.count, paths.count), (18, 18), "{tried:#?}");
}
