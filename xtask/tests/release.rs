//! The release workflow, which no test can run: what builds may not write, nothing is published, and it
//! makes and attaches what `cargo xtask dist` makes.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn workflow() -> String {
    std::fs::read_to_string(format!("{ROOT}/.github/workflows/release.yml")).unwrap()
}

/// The lines of a job.
fn job(name: &str) -> String {
    let text = workflow();
    let start = text.find(&format!("\n  {name}:\n")).unwrap_or_else(|| panic!("no job {name}")) + 1;
    let rest: Vec<&str> = text[start..].lines().collect();
    let is_next = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let end = rest.iter().skip(1).position(is_next).map_or(rest.len(), |at| at + 1);
    rest[..end].join("\n")
}

#[test]
fn what_builds_may_not_write_and_what_writes_builds_nothing() {
    let text = workflow();
    assert!(text.contains("\npermissions: {}\n"), "no right that a job does not name");
    let (dist, draft) = (job("dist"), job("draft"));
    assert!(dist.contains("contents: read") && !dist.contains("write") && !dist.contains("github.token"));
    assert!(dist.contains("persist-credentials: false"));
    assert!(draft.contains("contents: write") && !draft.contains("cargo") && !draft.contains("checkout"));
    let rights = text.lines().filter(|line| line.trim_start().starts_with("contents:"));
    assert_eq!(rights.count(), 2, "each job has one right");
    assert!(text.lines().filter(|line| line.contains("timeout-minutes:")).count() == 2, "each ends");
}

#[test]
fn nothing_is_published() {
    let text = workflow();
    let publishing = [
        "cargo publish",
        "twine upload",
        "uv publish",
        "maturin publish",
        "maturin upload",
        "docker push",
        "podman push",
        "buildah push",
        "npm publish",
        "pypi",
        "id-token",
        "packages: write",
    ];
    for word in publishing {
        assert!(!text.contains(word), "{word}");
    }
    assert!(job("draft").contains("--draft"), "a person releases it");
}

#[test]
fn it_runs_the_chore_and_attaches_what_it_makes() {
    let (dist, draft) = (job("dist"), job("draft"));
    assert!(dist.contains("-- dist --check"));
    assert!(dist.contains("target/dist/fathom[-_]*") && draft.contains("forms/*"));
    // The words of the chore that the workflow gives it exist.
    let help = Command::new(env!("CARGO_BIN_EXE_xtask")).args(["dist", "--help"]).output().unwrap();
    assert!(String::from_utf8_lossy(&help.stdout).contains("--check"));
}
