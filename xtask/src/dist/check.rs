//! `cargo xtask dist --check`: each form is installed where nothing of ours is, and used there.

mod place;

use super::{Form, Made, print, sh};
use crate::static_build::{Architecture, find_program};
use anyhow::{Context, ensure};
use place::Place;
use std::path::Path;
use std::time::{Duration, Instant};

/// What is promised: megabytes to download, and how soon the first finding is there.
const LARGEST_MB: f64 = 10.0;
const FIRST_FINDING: Duration = Duration::from_secs(30);
const SLOWEST_VERSION: Duration = Duration::from_millis(10);

/// What was found over all.
pub(super) struct Checked {
    pub(super) is_failed: bool,
    pub(super) is_unavailable: bool,
}

/// One installation.
enum Verdict {
    Works(String),
    NotRun(String),
    Fails(anyhow::Error),
}

/// Installs and uses each of these, and prints what came.
pub(super) fn run(made: &[Made]) -> anyhow::Result<Checked> {
    let mut checked = Checked { is_failed: false, is_unavailable: made.is_empty() };
    for one in made {
        for (place, verdict) in check(one) {
            let head = format!("check    {:8} {}", one.architecture.rust(), place);
            match verdict {
                Verdict::Works(said) => print(&format!("{head}: {said}\n"))?,
                Verdict::NotRun(reason) => {
                    checked.is_unavailable = true;
                    print(&format!("{head}: not run: {reason}\n"))?;
                }
                Verdict::Fails(error) => {
                    checked.is_failed = true;
                    print(&format!("{head}: FAILED: {error:#}\n"))?;
                }
            }
        }
    }
    Ok(checked)
}

/// The places of a form, each with what came of it there.
fn check(made: &Made) -> Vec<(&'static str, Verdict)> {
    let file = made.file.as_path();
    if !made.architecture.is_native() {
        return vec![match made.form {
            Form::Tarball => ("under qemu", emulated(made.architecture, file)),
            _ => ("installed", Verdict::NotRun(format!("no {} machine", made.architecture.rust()))),
        }];
    }
    match made.form {
        Form::Tarball => vec![("tarball in a root without a C library", installed(Place::bare(), file))],
        Form::Deb => vec![
            ("deb in an empty Debian", installed(Place::debian(), file)),
            ("deb by lintian", tool("lintian", "lintian --fail-on error --tag-display-limit 0 \"$1\"", file)),
        ],
        Form::Wheel => vec![
            ("wheel in a virtual environment", installed(Place::virtual_environment(), file)),
            ("wheel by uvx", tool("uvx", UVX, file)),
            ("wheel by twine", tool("twine", "twine check --strict \"$1\"", file)),
            ("wheel by auditwheel", tool("auditwheel", "auditwheel show \"$1\"", file)),
        ],
        Form::Image => vec![("image", Verdict::NotRun("no check of images is written".to_owned()))],
    }
}

/// Nothing but the wheels beside this one is looked at.
const UVX: &str = r#"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export UV_CACHE_DIR="$work/cache" UV_TOOL_DIR="$work/tools"
uvx --offline --no-index --find-links "$(dirname "$1")" fathom-io --version | grep '^fathom '
code=0; uvx --offline --no-index --find-links "$(dirname "$1")" fathom-io audit -- ls / >"$work/said" || code=$?
test "$code" -le 1; grep 'file calls' "$work/said"
"#;

/// Another program's opinion.
fn tool(name: &str, script: &str, file: &Path) -> Verdict {
    if find_program(name).is_none() {
        return Verdict::NotRun(format!("{name} is missing"));
    }
    match sh(script, &[file]) {
        Ok(said) => Verdict::Works(match said.trim().lines().last() {
            Some(last) => format!("ok ({})", last.trim()),
            None => "ok, nothing to say".to_owned(),
        }),
        Err(error) => Verdict::Fails(error),
    }
}

fn installed(place: anyhow::Result<Result<Place, String>>, file: &Path) -> Verdict {
    match place {
        Ok(Ok(place)) => use_in(&place, file).map_or_else(Verdict::Fails, Verdict::Works),
        Ok(Err(reason)) => Verdict::NotRun(reason),
        Err(error) => Verdict::Fails(error),
    }
}

/// Installs the file and does there what a user does first; an error is the first thing that does not hold.
fn use_in(place: &Place, file: &Path) -> anyhow::Result<String> {
    let megabytes = std::fs::metadata(file)?.len() as f64 / 1e6;
    ensure!(megabytes <= LARGEST_MB, "{megabytes:.1} MB are more than {LARGEST_MB} MB");
    let start = Instant::now();
    place.install(file).context("it was not installed")?;
    let installed = start.elapsed();
    let audit = place.run(&["fathom", "audit", "--", "ls", "/"])?;
    let found = start.elapsed();
    // 1 is a finding about ls, which may have some.
    ensure!(matches!(audit.code, Some(0 | 1)), "`fathom audit -- ls` ended with {audit}");
    ensure!(audit.text.contains("file calls"), "`fathom audit -- ls` said {audit}");
    ensure!(found <= FIRST_FINDING, "the first finding came after {found:?}");
    let bench =
        ["fathom", "bench", "open-close", "--methods", "native:open", "--time", "0.3", "-o", "/tmp/r.json"];
    let bench = place.run(&bench)?;
    ensure!(bench.code == Some(0) && bench.text.contains("native:open"), "`fathom bench` ended with {bench}");
    let version = place.run(&["fathom", "--version"])?;
    ensure!(
        version.text.trim() == format!("fathom {}", super::VERSION),
        "`fathom --version` ended with {version}"
    );
    let quickest = place.version_time()?;
    ensure!(quickest <= SLOWEST_VERSION, "`fathom --version` takes {quickest:?}");
    Ok(format!(
        "works; {megabytes:.1} MB, installed in {:.2} s, first finding at {:.2} s, --version {:.1} ms (median of 21)",
        installed.as_secs_f64(),
        found.as_secs_f64(),
        quickest.as_secs_f64() * 1e3,
    ))
}

/// Another architecture's program; qemu's user mode has no ptrace, and so no audit.
fn emulated(architecture: Architecture, file: &Path) -> Verdict {
    let names = ["", "-static"].map(|end| format!("qemu-{}{end}", architecture.rust()));
    let Some(qemu) = names.iter().find_map(|name| find_program(name)) else {
        return Verdict::NotRun(format!("{} is missing (Debian: qemu-user-static)", names[1]));
    };
    let script = r#"
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
tar -xf "$2" -C "$work" --strip-components=1
timeout 60 "$1" "$work/bin/fathom" --version
timeout 60 "$1" "$work/bin/fathom" show docs/samples/open-go.json --brief | grep native:open >&2
"#;
    match sh(script, &[&qemu, file]) {
        Ok(said) => Verdict::Works(format!("{} and `show` work; audit and bench not run", said.trim())),
        Err(error) => Verdict::Fails(error),
    }
}
