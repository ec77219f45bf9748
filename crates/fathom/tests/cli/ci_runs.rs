//! How `fathom ci` runs both sides: at one path, and no further once a command hangs.

use crate::ci::{REFS, compared, git, repository, rows};
use serde_json::Value;
use std::fs;

/// Builds and caches make names of the directory that they work in.
#[test]
fn both_sides_are_run_at_one_path() {
    let sandbox = repository("[[command]]\nname = \"cached\"\nrun = \"sh cached.sh\"\n", &[]);
    sandbox.write("cached.sh", "cat cache/$(pwd | cksum | tr ' ' x).json cache/at-$(pwd | tr / -) || :\n");
    git(&sandbox, "git add -A\ngit commit -qm cached\ngit commit -qm again --allow-empty");
    let found = compared(&sandbox, REFS, 0);
    assert_eq!((&found["verdict"], rows(&found)), (&Value::from("same"), Vec::new()), "{found:#}");
}

#[test]
fn what_is_killed_at_the_limit_is_not_run_again() {
    let sandbox = repository("[[command]]\nname = \"nothing\"\nrun = \"true\"\n", &[]);
    let log = sandbox.file("std-runs");
    let script = sandbox.file("hangs.sh");
    fs::write(&script, format!("echo run >> {}\nexec sleep 60\n", log.display())).unwrap();
    let words = format!("--limit 1 {REFS} -- sh {}", script.display());
    let found = compared(&sandbox, &words, 3);
    assert!(found["verdict"]["not-known"].as_str().unwrap().contains("killed at the limit"), "{found:#}");
    assert_eq!(fs::read_to_string(log).unwrap(), "run\n");
}
