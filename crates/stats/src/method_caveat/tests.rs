use super::*;
use fathom_model::{Answered, MethodId, Reading};
use fathom_testkit::complete;
use std::fs;

fn open() -> Comparison {
    complete().experiments.remove(0).comparisons.remove(0)
}

fn opening(comparison: &mut Comparison, variant: usize, steps: &[(&str, &str)]) {
    let Reading::Value(pass) = &mut comparison.counts[variant] else { panic!("not counted") };
    let step = |&(call, arguments): &(&str, &str)| RecipeStep {
        call: call.to_owned(),
        arguments: arguments.to_owned(),
        result: "3".to_owned(),
        failed: false,
        other_thread: false,
    };
    pass.recipe = steps.iter().map(step).collect();
}

fn named(comparison: &mut Comparison, variant: usize, method: &str, operation: Operation) {
    comparison.variants[variant].method = method.parse().unwrap();
    comparison.variants[variant].operation = operation;
}

#[test]
fn flags_of_an_open_tell_what_becomes_of_its_descriptor() {
    let found = |flags: &str| {
        let mut comparison = open();
        opening(&mut comparison, 0, &[("openat", &format!("FILE, {flags}"))]);
        method_caveats(&comparison, 0)
    };
    assert_eq!(found("O_RDONLY|O_CLOEXEC"), []);
    assert_eq!(found("O_RDONLY"), [MethodCaveat::InheritedByChildren]);
    assert_eq!(found("O_RDONLY|O_DIRECT|O_CLOEXEC"), [MethodCaveat::BypassesPageCache]);
    assert_eq!(found("O_RDONLY|O_CLOEXEC|O_PATH"), [MethodCaveat::OpensNothingReadable]);
}

#[test]
fn a_descriptor_marked_later_is_not_inherited_and_other_files_do_not_count() {
    let mut comparison = open();
    opening(&mut comparison, 0, &[("openat", "FILE, O_RDONLY"), ("fcntl", "F_SETFD, FD_CLOEXEC")]);
    assert_eq!(method_caveats(&comparison, 0), []);
    opening(&mut comparison, 0, &[("openat", "/sys/kernel, O_RDONLY")]);
    assert_eq!(method_caveats(&comparison, 0), []);
    comparison.counts[0] = Reading::unavailable("no ptrace");
    assert_eq!(method_caveats(&comparison, 0), [], "what was not seen is not said");
}

#[test]
fn a_touched_mapping_is_known_by_method_and_operation_and_not_by_a_word_in_its_name() {
    let mut comparison = open();
    let mut found = |method: &str, operation| {
        named(&mut comparison, 0, method, operation);
        comparison.counts[0] = Reading::unavailable("no ptrace");
        method_caveats(&comparison, 0)
    };
    let touches = [MethodCaveat::TouchesOneByteAPage];
    assert_eq!(found("native:mmap", Operation::ReadWhole), touches);
    assert_eq!(found("java@25:FileChannel.map", Operation::ReadBlock), touches);
    assert_eq!(found("native:mmap+copy", Operation::ReadWhole), []);
    assert_eq!(found("native:mmap", Operation::Hash), [], "a hash takes every byte");
    assert_eq!(found("mine:mmap", Operation::ReadWhole), [], "of others nothing is known");
}

#[test]
fn wrong_answers_are_not_ranked_and_all_of_one_kind_are_each_others_equals() {
    let mut comparison = open();
    let answered = |found, flaw: Option<&str>| Answered {
        what: "lines".to_owned(),
        found,
        expected: 9,
        flaw: flaw.map(str::to_owned),
        predicted: None,
        further: Vec::new(),
        disagrees: None,
    };
    let all = comparison.variants.len();
    comparison.answers = vec![answered(9, None); all];
    assert_eq!(unranked(&comparison), []);
    comparison.answers[1] = answered(8, None);
    comparison.answers[2] = answered(9, Some("cut at 4 KiB"));
    let wrong = MethodCaveat::AnswersWrongly;
    assert_eq!(unranked(&comparison), [(1, wrong), (2, wrong)]);
    comparison.answers = vec![answered(8, None); all];
    assert_eq!(unranked(&comparison), []);
}

#[test]
fn who_read_nothing_is_not_ranked_beside_who_did() {
    let mut comparison = open();
    let flag = |problem| ValidityFlag {
        problem,
        sides: vec![1],
        feature: None,
        errno: None,
        path: None,
        bytes: Vec::new(),
    };
    comparison.validity = vec![flag(ValidityProblem::SameCalls)];
    assert_eq!(unranked(&comparison), []);
    comparison.validity = vec![flag(ValidityProblem::ReadNothing)];
    assert_eq!(unranked(&comparison), [(1, MethodCaveat::ReadsNothing)]);
}

#[test]
fn known_methods_are_methods_of_their_drivers() {
    for known in &KNOWN.methods {
        let path = format!("{}/../../drivers/{}/driver.toml", env!("CARGO_MANIFEST_DIR"), known.driver);
        let manifest: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        for name in &known.names {
            let is_it = |method: &&toml::Value| method["name"].as_str() == Some(name);
            let method = manifest["methods"].as_array().unwrap().iter().find(is_it);
            let operations =
                method.unwrap_or_else(|| panic!("{}:{name}", known.driver))["operations"].clone();
            let performs = |operation: &Operation| {
                operations.as_array().unwrap().iter().any(|word| word.as_str() == Some(operation.word()))
            };
            assert!(known.operations.iter().any(performs), "{}:{name}", known.driver);
        }
    }
}

/// A driver's manifest says in words what a mapped read does; the table must not fall behind it.
#[test]
fn methods_that_say_they_touch_a_byte_per_page_are_known() {
    for driver in ["native", "cpp", "go", "java", "zig", "python", "node"] {
        let path = format!("{}/../../drivers/{driver}/driver.toml", env!("CARGO_MANIFEST_DIR"));
        let manifest: toml::Table = fs::read_to_string(&path).unwrap().parse().unwrap();
        for method in manifest["methods"].as_array().unwrap() {
            let says = method["does"].as_str().unwrap();
            let touches = says.contains("byte per page") || says.contains("byte touched per page");
            let operations = method["operations"].as_array().unwrap().iter();
            let mut reads = operations.filter_map(|word| word.as_str()?.parse::<Operation>().ok());
            let read = reads.find(|of| matches!(of, Operation::ReadWhole | Operation::ReadBlock));
            let Some(read) = read.filter(|_| touches) else { continue };
            let id = MethodId::new(driver, method["name"].as_str().unwrap());
            assert!(KNOWN.of(driver, &id.name, read).len() == 1, "{id}");
        }
    }
}
