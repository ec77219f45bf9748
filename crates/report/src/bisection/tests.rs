use super::*;
use crate::options::Details;
use fathom_audit::{BISECTION_VERSION, BisectionKind, BisectionStep, RunsDifference};

fn commit(id: &str, subject: &str) -> Commit {
    Commit {
        id: id.repeat(40),
        author: "Ann Other".to_owned(),
        committed: "2026-11-20T10:00:00Z".to_owned(),
        subject: subject.to_owned(),
    }
}

fn bisection(outcome: BisectionOutcome) -> Bisection {
    let end = |name: &str, id: &str, value: f64| BisectionEnd {
        name: name.to_owned(),
        commit: commit(id, name),
        values: vec![value; 2],
    };
    Bisection {
        kind: BisectionKind::Bisection,
        schema_version: BISECTION_VERSION,
        fathom_version: "0".to_owned(),
        created: "2026-11-25T03:00:00Z".to_owned(),
        question: "openat(*.json)".to_owned(),
        is_budget: false,
        unit: "calls".to_owned(),
        command: vec!["./app".to_owned()],
        build: Some("make".to_owned()),
        capture: None,
        good: end("v1", "a", 1.0),
        bad: end("HEAD", "b", 8.0),
        commits: 64,
        steps_at_most: 6,
        runs_per_step: 1,
        steps: vec![BisectionStep {
            commit: commit("d", "broken"),
            values: Vec::new(),
            side: StepSide::Skipped("the build failed (exit status: 1)".to_owned()),
        }],
        outcome,
        notes: Vec::new(),
        redacted: None,
    }
}

fn text(outcome: BisectionOutcome) -> String {
    render_bisection(&bisection(outcome), &TextOptions { width: 100, color: false, details: Details::Brief })
}

#[test]
fn the_commit_its_author_the_counts_and_what_to_do_are_said() {
    let text = text(BisectionOutcome::Found(Box::new(FoundCommit {
        commit: commit("c", "read the index twice"),
        values: vec![8.0],
        parent: commit("e", "before"),
        parent_values: vec![1.0],
        calls: RunsDifference::default(),
    })));
    for words in [
        "cccccccccc changed openat(*.json): 1 call → 8 calls",
        "Ann Other, 2026-11-20",
        "read the index twice",
        "64 commits, 1 step (at most 6 without a skip), 1 run each",
        "skipped dddddddddd broken (Ann Other): the build failed",
        "git show cccccccccc",
        "fathom ci --base eeeeeeeeee --head cccccccccc --stacks -- ./app",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(text.lines().count() <= 25, "{text}");
}

#[test]
fn commits_that_cannot_be_told_apart_are_all_named() {
    let text = text(BisectionOutcome::Among(vec![commit("c", "one"), commit("d", "two")]));
    assert!(text.starts_with("one of 2 commits changed openat(*.json)"), "{text}");
    assert!(text.contains("cccccccccc one") && text.contains("dddddddddd two"), "{text}");
}
