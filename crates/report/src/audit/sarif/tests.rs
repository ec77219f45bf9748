use super::*;
use crate::audit::tests::sample;
use fathom_audit::{Gap, GapKind, rule_facts};
use std::path::PathBuf;

/// The form's schema, as the library of its types brings it: it is not ours to pass on.
fn schema() -> Value {
    // Of other platforms nothing was downloaded where the tests were built.
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let options = ["--offline".to_owned(), "--filter-platform".to_owned(), platform];
    let metadata = cargo_metadata::MetadataCommand::new().other_options(options).exec().unwrap();
    let library = metadata.packages.iter().find(|package| package.name.as_str() == "serde-sarif").unwrap();
    let file = PathBuf::from(&library.manifest_path).with_file_name("src").join("schema.json");
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    // This copy's pattern for languages, which we do not write, is no regular expression.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"].as_object_mut().unwrap().remove("pattern");
    }
    schema
}

fn written(audit: &Audit) -> Value {
    serde_json::from_str(&audit_sarif(audit, Details::Full).unwrap()).unwrap()
}

#[test]
fn what_is_written_satisfies_the_schema_and_what_is_broken_does_not() {
    let schema = schema();
    let options = jsonschema::options().should_validate_formats(true);
    let validator = options.build(&schema).unwrap();
    let mut without = sample();
    (without.command, without.created) = (None, None);
    without.call_prices_ns.clear();
    let mut empty = sample();
    empty.findings.clear();
    for audit in [sample(), without, empty] {
        let errors: Vec<_> = validator.iter_errors(&written(&audit)).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
    }
    let mut broken = written(&sample());
    broken["runs"][0]["results"][0]["level"] = Value::from("high");
    assert!(!validator.is_valid(&broken));
    let mut broken = written(&sample());
    broken["runs"][0]["results"][0]["severity"] = Value::from("high");
    assert!(!validator.is_valid(&broken));
}

#[test]
fn costs_that_are_not_yours_are_told_when_everything_is_asked_for() {
    let results = |details| {
        let log: Value = serde_json::from_str(&audit_sarif(&sample(), details).unwrap()).unwrap();
        log["runs"][0]["results"].as_array().unwrap().clone()
    };
    let (brief, full) = (results(Details::Brief), results(Details::Full));
    let foreign = |results: &[Value]| {
        let of_cost = results.iter().filter(|result| result["properties"]["class"] == "cost");
        of_cost
            .filter(|result| result["properties"]["owner"] != "yours" && result["suppressions"].is_null())
            .count()
    };
    assert_eq!((foreign(&brief), foreign(&full) > 0), (0, true));
    assert_eq!(brief.len() + foreign(&full), full.len());
}

#[test]
fn code_that_lies_in_no_file_has_no_address() {
    let mut audit = sample();
    let at = audit.findings.iter().position(|finding| finding.place.first_of_yours().is_some()).unwrap();
    for frame in &mut audit.findings[at].place.frames {
        frame.file = frame.file.as_ref().map(|_| "<string>".to_owned());
    }
    assert!(!written(&audit).to_string().contains("%3Cstring%3E"));
}

#[test]
fn a_result_says_what_the_finding_says() {
    let audit = sample();
    let log = written(&audit);
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), rule_facts().len() + 1);
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), audit.findings.len() + audit.budgets.len());
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    let stat = results.iter().find(|result| result["ruleId"] == "R13" && result["level"] == "error").unwrap();
    let place = &stat["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/read%20all.rs", "relative to where it was started");
    assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    assert_eq!(place["region"]["startLine"], 12);
    assert_eq!(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], "file:///srv/");
    assert_eq!(stat["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "index::read_all");
    assert_eq!(stat["stacks"][0]["frames"].as_array().unwrap().len(), 3);
    assert_eq!(stat["properties"]["count"], 120);
    assert_eq!(stat["properties"]["priceNs"], 128_760.0);
    let text = stat["message"]["text"].as_str().unwrap();
    for words in ["120 times", "129 µs [124 µs, 135 µs]", "28.4 %", "fix: open first", "1. newfstatat("] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let budgets: Vec<_> = results.iter().filter(|result| result["ruleId"] == "budget").collect();
    assert_eq!((&budgets[0]["kind"], &budgets[0]["level"]), (&json!("pass"), &json!("none")));
    assert_eq!((&budgets[1]["kind"], &budgets[1]["level"]), (&json!("fail"), &json!("error")));
    assert!(budgets[1]["message"]["text"].as_str().unwrap().contains("1 more than the limit"), "{budgets:?}");
    let suppressed = results.iter().find(|result| !result["suppressions"].is_null()).unwrap();
    assert_eq!(suppressed["suppressions"][0]["kind"], "external");
    assert!(suppressed["suppressions"][0]["justification"].as_str().unwrap().contains("OPS-7"));
}

/// What Microsoft's validator asks of what GitHub is to show (GH1001, GH1003, GH1005 to GH1007),
/// and of every tool and rule (SARIF2005, SARIF2012).
fn assert_fit_for_github(audit: &Audit) {
    let log = written(audit);
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    assert!(driver["informationUri"].is_string() && driver["version"].is_string());
    for rule in driver["rules"].as_array().unwrap() {
        assert!(rule["help"]["text"].is_string() && rule["name"].is_string(), "{rule:#}");
    }
    let has_checkout = run["invocations"][0]["workingDirectory"]["uri"].is_string();
    let assert_address = |location: &Value| {
        let uri = location["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(
            !uri.is_empty() && (!uri.contains(':') || uri.starts_with("file:///") && has_checkout),
            "{uri}"
        );
    };
    for result in run["results"].as_array().unwrap() {
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let locations = result["locations"].as_array().unwrap();
        assert!(!locations.is_empty(), "{result:#}");
        for location in locations {
            assert_address(location);
            assert!(location["physicalLocation"]["region"]["startLine"].as_u64() >= Some(1), "{location:#}");
        }
        let related = result["relatedLocations"].as_array().into_iter().flatten();
        related.for_each(assert_address);
    }
}

#[test]
fn a_host_of_code_can_show_every_result() {
    let mut audit = sample();
    assert!(audit.budgets.len() > 1);
    assert_fit_for_github(&audit);
    // A log: neither the command nor its directory is known.
    audit.command = None;
    audit.findings[0].place.program = None;
    audit.findings[0].place.frames.clear();
    assert_fit_for_github(&audit);
}

#[test]
fn an_invocation_says_how_it_went_and_what_was_not_seen() {
    let mut audit = sample();
    let invocation = |audit: &Audit| written(audit)["runs"][0]["invocations"][0].clone();
    let seen = invocation(&audit);
    assert_eq!(seen["commandLine"], "fathom audit -- sh -c 'indexer data && python3 check.py'");
    assert_eq!(
        (&seen["executionSuccessful"], &seen["properties"]["auditedExitCode"]),
        (&json!(true), &json!(3))
    );
    assert_eq!(
        seen["toolExecutionNotifications"][0]["message"]["text"],
        "unseen: 2 calls of 32-bit programs"
    );
    audit.gaps.push(Gap::new(GapKind::Cut, "interrupted by SIGINT"));
    assert_eq!(invocation(&audit)["executionSuccessful"], false);
}

#[test]
fn a_finding_is_known_again_whatever_its_numbers_are() {
    let prints = |audit: &Audit| -> Vec<String> {
        let log = written(audit);
        let results = log["runs"][0]["results"].as_array().unwrap();
        let print = |result: &Value| result["partialFingerprints"][FINGERPRINT].as_str().unwrap().to_owned();
        results.iter().map(print).collect()
    };
    let audit = sample();
    let mut again = sample();
    for finding in &mut again.findings {
        finding.count += 7;
        finding.place.process += 1000;
        for call in &mut finding.example {
            (call.number, call.text) = (call.number + 9, "read(7)".to_owned());
        }
        finding.title = "it is worded another way".to_owned();
        if let Some(paths) = finding.place.paths.as_mut().filter(|paths| paths.single().is_none()) {
            paths.count += 7;
            paths.first = "/srv/data/07, first of all.json".to_owned();
        }
        finding.place.stack = finding.place.stack.map(|stack| stack + 3);
    }
    assert_eq!(prints(&audit), prints(&again));
    let mut once = prints(&audit);
    once.sort();
    once.dedup();
    assert_eq!(once.len(), audit.findings.len() + audit.budgets.len(), "each its own");
    let mut elsewhere: Value = serde_json::to_value(sample()).unwrap();
    let text = elsewhere.to_string().replace("/srv", "/home/me/checkout");
    elsewhere = serde_json::from_str(&text).unwrap();
    let elsewhere: Audit = serde_json::from_value(elsewhere).unwrap();
    assert_eq!(prints(&audit), prints(&elsewhere), "in another checkout");
    let mut twins = sample();
    twins.budgets.clear();
    twins.findings = vec![twins.findings[1].clone(), twins.findings[1].clone()];
    let twins = prints(&twins);
    assert_eq!(twins[1], format!("{}:2", twins[0]));
}

#[test]
fn a_fingerprint_does_not_depend_on_which_calls_have_a_stack() {
    let mut audit = sample();
    let finding = audit.findings.iter().find(|finding| !finding.avoidable.is_empty()).unwrap().clone();
    let fingerprints = |audit: &Audit| -> Vec<String> {
        let log = written(audit);
        let results = log["runs"][0]["results"].as_array().unwrap().iter();
        let all = results.filter(|result| result["ruleId"] == finding.rule.to_string());
        all.map(|result| result["partialFingerprints"][FINGERPRINT].as_str().unwrap().to_owned()).collect()
    };
    let mut alone = finding.clone();
    (alone.place.stack, alone.place.frames) = (None, Vec::new());
    audit.findings = vec![alone.clone()];
    let expected = fingerprints(&audit);
    // Two places in the code, each about one path of those.
    let whole = fathom_audit::WholeFinding {
        number: 1,
        count: alone.count,
        paths: alone.place.paths.clone(),
        calls: alone.avoidable.iter().map(|call| call.call.clone()).collect(),
    };
    let part = |path: &str| {
        let mut part = finding.clone();
        part.whole = Some(whole.clone());
        part.avoidable.truncate(1);
        part.place.paths = Some(fathom_audit::PathSet::of_path(path));
        part
    };
    audit.findings = vec![part("/a/b.json"), part("/c/d.txt")];
    let found = fingerprints(&audit);
    assert_eq!((expected.len(), found.len()), (1, 2));
    assert_eq!(found[0], expected[0]);
    assert_eq!(found[1], format!("{}:2", expected[0]));
}
