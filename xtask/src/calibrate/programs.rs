//! Programs that a calibration needs: `fathom` in its release build, and C
//! sources of this crate.

use anyhow::{Context, bail, ensure};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The driver that injects known costs.
pub(super) const INJECTED: &str = include_str!("../../drivers/injected.c");
/// The bare loop.
pub(super) const BARE_LOOP: &str = include_str!("../../c/bare_loop.c");

const MANIFEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");

/// Builds `fathom` for release and says where it is.
pub(crate) fn build_fathom() -> anyhow::Result<PathBuf> {
    build(&["--package", "fathom-io"], "fathom")
}

/// Builds what judges a kept trace, for release, and says where it is.
pub(crate) fn build_judge() -> anyhow::Result<PathBuf> {
    build(&["--package", "fathom-audit", "--example", "judge"], "judge")
}

fn build(words: &[&str], name: &str) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--message-format", "json-render-diagnostics"])
        .args(words)
        .args(["--manifest-path", MANIFEST])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("failed to start cargo")?;
    ensure!(output.status.success(), "cargo build failed ({})", output.status);
    executable_of(&String::from_utf8_lossy(&output.stdout), name)
        .with_context(|| format!("cargo named no program called {name}"))
}

/// The program that cargo's messages name.
fn executable_of(messages: &str, name: &str) -> Option<PathBuf> {
    messages.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_it = message.pointer("/target/name")? == name;
        let program = message.get("executable")?.as_str()?;
        is_it.then(|| PathBuf::from(program))
    })
}

/// Compiles a C source to a program called `name` in `folder`; an error means no compiler.
pub(super) fn compile(source: &str, name: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    let program = folder.join(name);
    let mut compiler = Command::new("cc")
        .args(["-std=gnu11", "-O2", "-x", "c", "-o"])
        .args([program.as_os_str(), "-".as_ref()])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("failed to start cc")?;
    compiler.stdin.take().context("cc has no standard input")?.write_all(source.as_bytes())?;
    let output = compiler.wait_with_output()?;
    if !output.status.success() {
        bail!("cc refused {name}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_lab::{CheckOutcome, Driver, check_driver};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn cargo_names_the_program() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"fathom_lab"},"executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","target":{"name":"fathom"},"executable":"/t/release/fathom"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executable_of(messages, "fathom"), Some(PathBuf::from("/t/release/fathom")));
        assert_eq!(executable_of(messages, "judge"), None);
        assert_eq!(executable_of("{}", "fathom"), None);
    }

    #[test]
    fn the_injected_driver_conforms() {
        let folder = tempfile::tempdir().unwrap();
        let program = compile(INJECTED, "injected", folder.path()).unwrap();
        let driver = Driver::from_program(&program, &AtomicBool::new(false)).unwrap();
        let checks = check_driver(&driver, &[], &AtomicBool::new(false), &mut |_| ()).unwrap();
        let failed: Vec<_> =
            checks.iter().filter(|check| matches!(check.outcome, CheckOutcome::Failed(_))).collect();
        assert!(failed.is_empty() && checks.len() > 30, "{failed:?}");
    }

    #[test]
    fn the_bare_loop_measures_what_it_is_asked_to() {
        let folder = tempfile::tempdir().unwrap();
        let program = compile(BARE_LOOP, "bare_loop", folder.path()).unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, vec![7; 3 * 4096]).unwrap();
        let cpu = super::super::session::cpus()[0].to_string();
        let run = |words: &[&str]| {
            let output =
                Command::new(&program).arg(words[0]).arg(&file).arg(&cpu).args(&words[1..]).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        for words in [&["open-close", "5", "3"][..], &["fstat-delta", "5", "3"], &["pread", "5", "3", "4096"]]
        {
            let (code, text) = run(words);
            let figures: Vec<f64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
            assert_eq!((code, figures.len()), (Some(0), 2), "{words:?}: {text}");
        }
        // Blocks of 7s: ten reads in each of six batches saw a 7.
        assert!(run(&["pread", "10", "3", "4096"]).1.ends_with(" 420\n"));
        assert_eq!(run(&["pread", "5", "3", "65536"]).0, Some(2), "a block larger than the file");
        assert_eq!(run(&["no-such", "5", "3"]).0, Some(2));
    }
}
