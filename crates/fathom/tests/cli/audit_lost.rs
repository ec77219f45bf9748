//! Events that the ring had no room for: nothing is met, clean or to be mended by what is left.
//! The command stops Fathom while it makes more calls than the ring holds.

use crate::capability::{Capability, has};
use crate::ci::{compared, git};
use crate::sandbox::{Sandbox, says};
use predicates::prelude::{Predicate, PredicateBooleanExt};

/// A million calls: those of a few hundred thousand fit into the ring.
const FLOOD: &str = "\
kill -STOP $PPID
dd if=/dev/zero of=/dev/null bs=1 count=500000 2>err
kill -CONT $PPID
";
fn with_flood() -> Option<Sandbox> {
    let sandbox = has(Capability::Ring).then(Sandbox::new)?;
    sandbox.write("flood.sh", FLOOD);
    Some(sandbox)
}

#[test]
fn no_budget_is_met_by_what_is_left_and_a_lower_bound_may_break_one() {
    let Some(sandbox) = with_flood() else { return };
    let audit = |budgets: &str| {
        // Copies of stacks take up to half of the ring, and among fewer calls more is worth telling.
        sandbox.shell(&format!("fathom audit --no-lines --capture ring --no-config {budgets} -- sh flood.sh"))
    };
    let open = audit("--assert 'R51 == 0' --assert 'read <= 10000000' --assert 'findings == 0'");
    assert_eq!(open.status.code(), Some(3));
    for words in ["NOT KNOWN R51 == 0: at least 0; lost:", "No findings among what was seen"] {
        assert!(says(words).eval(&open.stdout), "{}", String::from_utf8_lossy(&open.stdout));
    }
    assert_eq!(audit("--assert 'write <= 10'").status.code(), Some(1));
}

#[test]
fn a_kept_trace_says_it_again_and_a_difference_is_not_known() {
    let Some(sandbox) = with_flood() else { return };
    sandbox.fathom("trace --capture ring -o lost.events -- sh flood.sh").assert().code(0);
    sandbox.write("quiet.sh", "cat quiet.sh quiet.sh\n");
    sandbox.fathom("trace --capture ring -o whole.events -- sh quiet.sh").assert().code(0);
    sandbox.fathom("audit --from lost.events").assert().code(3).stdout(says("lost for want of room"));
    for (before, after) in [("lost", "whole"), ("whole", "lost"), ("lost", "lost")] {
        let words = format!("audit diff {before}.events {after}.events --fail-on new-findings");
        let done = sandbox.fathom(&words).assert().code(3);
        done.stdout(says("of lost.events:").and(says("lost for want of room")));
    }
    // It is certain that more calls were made than in a whole run, and not that there are fewer.
    let more = |before: &str, after: &str| {
        let words = format!("audit diff {before}.events {after}.events --fail-on more-calls");
        sandbox.fathom(&words).assert()
    };
    more("whole", "lost").code(1).stderr(says("failed:"));
    more("lost", "whole").code(3);
}

#[test]
fn two_sides_of_a_change_are_not_compared() {
    let Some(sandbox) = with_flood() else { return };
    sandbox.write(".fathom.toml", "[[command]]\nname = \"flood\"\nrun = \"sh flood.sh\"\n");
    sandbox.write("flood.sh", "cat flood.sh >out\n");
    sandbox.write(".gitignore", "*.json\nstd*\nout\nerr\ndata-home\ncheckouts\n");
    git(&sandbox, "git init -q .\ngit add -A\ngit commit -qm before");
    sandbox.write("flood.sh", FLOOD);
    git(&sandbox, "git commit -qam after");
    let command = compared(&sandbox, "--base HEAD~1 --head HEAD", 3);
    assert!(command["verdict"].to_string().contains("lost for want of room"), "{command:#}");
}
