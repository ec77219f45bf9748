//! Installed programs under audit: what is found in them was read by a person, and is kept in
//! `tests/corpus/real`. Where the installed version is the kept one, it has to be found again.
//!
//! `FATHOM_RENEW=1 cargo test -p fathom-io --test cli corpus_real` writes the summaries anew;
//! findings that are new there say `to be read`, and fail until somebody has.

mod summary;

use crate::sandbox::{Sandbox, program, shared_cache, workspace};
use fathom_audit::{Audit, FactKind};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use summary::{JUDGEMENTS, Key, Summary, counted};

fn folder() -> PathBuf {
    workspace().join("tests/corpus/real")
}

fn load(name: &str) -> Summary {
    let path = folder().join(format!("{name}.toml"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn check(name: &str) {
    let kept = load(name);
    let version = match version(&kept.version_command) {
        Ok(version) => version,
        Err(reason) => return eprintln!("skipped: {name}: {reason}"),
    };
    let is_renewed = std::env::var_os("FATHOM_RENEW").is_some();
    if version != kept.version && !is_renewed {
        return eprintln!("skipped: {name}: here is `{version}`, the summary is of `{}`", kept.version);
    }
    let (now, told) = found(&kept);
    if is_renewed {
        let text = toml::to_string_pretty(&kept.renewed(&now, &version)).unwrap();
        fs::write(folder().join(format!("{name}.toml")), text).unwrap();
    }
    let differences = load(name).differences(&now);
    assert!(differences.is_empty(), "{name}:\n{}\n\n{told}", differences.join("\n"));
}

/// The first line of what tells a program's version.
fn version(command: &str) -> Result<String, String> {
    let words = shell_words::split(command).unwrap();
    let output = Command::new(&words[0]).args(&words[1..]).current_dir(workspace()).output();
    let output = output.map_err(|error| format!("`{command}`: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_owned).ok_or_else(|| format!("`{command}` tells nothing"))
}

/// Sets up and audits a command. What it finds, and its findings with their examples.
fn found(summary: &Summary) -> (BTreeMap<Key, u64>, String) {
    let sandbox = Sandbox::new();
    let [work, home] = ["work", "home"].map(|name| sandbox.file(name));
    fs::create_dir(&work).unwrap();
    fs::create_dir(&home).unwrap();
    // The same everywhere, whatever the tester's own shell has.
    let environment = |command: &mut Command| {
        command.current_dir(&work).env("HOME", &home).env("LC_ALL", "C.UTF-8");
        command.env("GOCACHE", shared_cache().join("go-build")).envs(&summary.environment);
    };
    let mut setup = Command::new("sh");
    setup.args(["-ec", &summary.setup]).stdin(Stdio::null());
    // What rustc is, rustup finds in the tester's home.
    for (variable, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        let own = Path::new(&std::env::var_os("HOME").unwrap_or_default()).join(folder);
        setup.env(variable, std::env::var_os(variable).unwrap_or(own.into()));
    }
    environment(&mut setup);
    let output = setup.env_remove("LD_LIBRARY_PATH").output().unwrap();
    assert!(output.status.success(), "setup: {}", String::from_utf8_lossy(&output.stderr));
    let words = shell_words::split(&summary.command).unwrap();
    let mut command = Command::new("/usr/bin/timeout");
    command.env_clear().env("PATH", "/usr/bin:/bin");
    environment(&mut command);
    command
        .args(["120", program(), "audit", "--no-lines", "--format", "json", "-o"])
        .arg(sandbox.file("audit.json"));
    command.arg("--").arg(located(&words[0])).args(&words[1..]);
    command.stdin(match &summary.input {
        Some(name) => Stdio::from(File::open(work.join(name)).unwrap()),
        None => Stdio::null(),
    });
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}: {said}", output.status);
    let audit: Audit = serde_json::from_slice(&fs::read(sandbox.file("audit.json")).unwrap()).unwrap();
    let ended = audit.fact(FactKind::Ended);
    assert_eq!(ended, Some("exit 0"), "{said}");
    let told = audit.findings.iter().map(|finding| {
        let calls: Vec<_> = finding.example.iter().map(|call| format!("    {}", call.text)).collect();
        format!("{} {} times, {}:\n{}\n", finding.rule, finding.count, finding.title, calls.join("\n"))
    });
    (counted(&audit), told.collect())
}

/// Where the tester's shell would find a program.
fn located(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut candidates = std::env::split_paths(&path).map(|folder| folder.join(program));
    let found = candidates.find(|candidate| !program.contains('/') && candidate.is_file());
    found.unwrap_or_else(|| PathBuf::from(program))
}

#[test]
fn git_status() {
    check("git-status");
}

#[test]
fn git_log() {
    check("git-log");
}

#[test]
fn python() {
    check("python");
}

#[test]
fn node() {
    check("node");
}

#[test]
fn java() {
    check("java");
}

#[test]
fn go_vet() {
    check("go-vet");
}

#[test]
fn make() {
    check("make");
}

#[test]
fn tar() {
    check("tar");
}

#[test]
fn bash() {
    check("bash");
}

#[test]
fn rustc() {
    check("rustc");
}

#[test]
fn sqlite3() {
    check("sqlite3");
}

#[test]
fn ls() {
    check("ls");
}

#[test]
fn cp() {
    check("cp");
}

#[test]
fn sed() {
    check("sed");
}

#[test]
fn grep() {
    check("grep");
}

#[test]
fn find() {
    check("find");
}

#[test]
fn every_summary_has_a_test_and_every_finding_was_read() {
    let source = include_str!("corpus_real.rs");
    let mut summaries = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".toml")) else {
            continue;
        };
        summaries += 1;
        assert!(source.contains(&format!("check(\"{name}\")")), "{name} has no test");
        for found in load(name).findings {
            let key = found.key();
            let is_read = JUDGEMENTS.iter().any(|word| found.judgement.starts_with(word));
            assert!(is_read, "{name}: {key:?} was not judged: `{}`", found.judgement);
            assert_eq!(found.most.is_some(), found.varies.is_some(), "{name}: {key:?}: a range has a reason");
        }
    }
    assert!(summaries >= 10, "{summaries}");
}
