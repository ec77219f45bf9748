//! `fathom gate`: budgets that hold and that do not, a driver of the project's
//! own, and mistakes in the file.

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, says, workspace};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

const BUDGETS: &str = r#"
[[budgets]]
name = "open"
operation = "open-close"
method = "native:open"
size = "4 KiB"
calls = 2
calls-of = { openat = 1, fcntl = 0 }
time-ratio = { to = "native:fopen", at-most = 50 }
"#;

#[test]
fn budgets_that_hold_end_well_and_one_that_does_not_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("fathom-budgets.toml", BUDGETS);
    let held = sandbox.fathom("gate --time 5").assert().code(0);
    held.stdout(says("open: within").and(says("1 budget: 1 within")));
    sandbox.write("tight.toml", &BUDGETS.replace("calls = 2", "calls = 1"));
    let exceeded = sandbox.fathom("gate tight.toml --time 5 -o r.json").assert().code(1);
    exceeded.stdout(says("open: EXCEEDED").and(says("its calls: close 1, openat 1")));
    assert!(sandbox.record("r.json").complete);
    let junit = sandbox.fathom("gate tight.toml --time 5 --format junit").assert().code(1);
    junit.stdout(contains("<testcase name=\"open\" classname=\"budgets\">").and(contains("<failure")));
    sandbox.assert_nothing_left();
}

/// The documented example, whose driver lies beside it and not where the test runs.
#[test]
fn a_project_brings_its_own_driver_and_paths_begin_where_the_file_lies() {
    if !has(Capability::Perl) {
        return;
    }
    let sandbox = Sandbox::new();
    let budgets = workspace().join("docs/examples/gate/fathom-budgets.toml");
    let done = sandbox.fathom(&format!("gate {} --time 5", budgets.display())).assert().code(0);
    done.stdout(says("open: within").and(says("calls of openat of perl:sysopen: at most 1; found 1")));
}

/// The page shows the workflow that lies beside it.
#[test]
fn the_documented_workflow_is_the_one_in_the_folder() {
    let page = std::fs::read_to_string(workspace().join("docs/gating.md")).unwrap();
    let workflow = std::fs::read_to_string(workspace().join("docs/examples/gate/workflow.yml")).unwrap();
    assert!(page.contains(&format!("```yaml\n{workflow}```")), "docs/gating.md and workflow.yml differ");
}

#[test]
fn mistakes_are_named() {
    let sandbox = Sandbox::new();
    sandbox.fathom("gate").assert().code(2).stderr(
        says("failed to read fathom-budgets.toml").and(says("`fathom gate --help` shows what a file")),
    );
    for (from, to, error) in [
        ("fcntl = 0", "fnctl = 0", "budget open: no system call `fnctl`"),
        ("native:open\"", "native:opn\"", "unknown method `native:opn`"),
        ("[[budgets]]", "driver = \"./none\"\n[[budgets]]", "failed to use ./none"),
    ] {
        sandbox.write("fathom-budgets.toml", &BUDGETS.replacen(from, to, 1));
        sandbox.fathom("gate").assert().code(2).stderr(says(error));
    }
}
