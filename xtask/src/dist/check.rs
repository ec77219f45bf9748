//! `cargo xtask dist --check`: each form is taken apart, installed where nothing of ours is, and used there.

mod bound;
mod place;
mod tool;

use super::{Form, Made, print, unpack};
use crate::calibrate::Interrupted;
use crate::step;
use anyhow::{Context, ensure};
use bound::{Figure, Kept};
use place::Place;
use std::path::Path;
use std::time::Instant;

/// What was found over all.
pub(super) struct Checked {
    pub(super) is_failed: bool,
    pub(super) is_unavailable: bool,
}

/// What came of one installation.
enum Verdict {
    Works(String),
    /// It works; these are held against what is promised.
    Measured(Vec<Figure>),
    NotRun(String),
    Fails(anyhow::Error),
}

/// Installs and uses each of these, and prints what came. `is_own_build`: target/ has what was built.
pub(super) fn run(made: &[Made], is_own_build: bool) -> anyhow::Result<Checked> {
    let mut checked = Checked { is_failed: false, is_unavailable: made.is_empty() };
    for one in made {
        let contents = unpack::check(one.form, one.architecture, &one.file);
        let contents = contents.map_or_else(Verdict::Fails, Verdict::Works);
        let form = format!("{:?}", one.form).to_lowercase();
        checked.add(one.architecture.rust(), &format!("{form}'s contents"), contents)?;
        if !one.architecture.is_native() {
            checked.add(
                one.architecture.rust(),
                &format!("{form} under qemu, taken apart"),
                tool::emulated(one),
            )?;
            continue;
        }
        for check in checks(one.form) {
            checked.add(one.architecture.rust(), check.name, (check.run)(&one.file))?;
        }
    }
    if is_own_build {
        let native = made.iter().map(|one| one.architecture).find(|architecture| architecture.is_native());
        if let Some(native) = native {
            checked.add(native.rust(), "cargo install, of what is built", tool::cargo_install(native))?;
        }
    }
    Ok(checked)
}

impl Checked {
    /// Prints a verdict as it comes; an error is an interruption.
    fn add(&mut self, architecture: &str, name: &str, verdict: Verdict) -> anyhow::Result<()> {
        let head = format!("check    {architecture:8} {name}");
        match verdict {
            Verdict::Works(said) => print(&format!("{head}: works: {said}\n"))?,
            Verdict::Measured(figures) => {
                let is_kept = |kept| figures.iter().all(|figure| figure.kept() != kept);
                let (beyond, unknown) = (!is_kept(Kept::No), !is_kept(Kept::Unknown));
                self.is_failed |= beyond;
                self.is_unavailable |= unknown;
                let verdict = if beyond { "FAILED: it works, beyond a bound" } else { "works" };
                let lines: String =
                    figures.iter().map(|figure| format!("{:18}{figure}\n", "")).collect::<Vec<_>>().concat();
                print(&format!("{head}: {verdict}\n{lines}"))?;
            }
            Verdict::NotRun(reason) => {
                self.is_unavailable = true;
                print(&format!("{head}: not run: {reason}\n"))?;
            }
            Verdict::Fails(error) if error.is::<Interrupted>() => return Err(error),
            Verdict::Fails(error) => {
                self.is_failed = true;
                print(&format!("{head}: FAILED: {error:#}\n"))?;
            }
        }
        Ok(step::check_stop()?)
    }
}

/// A way to try a form.
struct Check {
    name: &'static str,
    run: fn(&Path) -> Verdict,
}

/// The ways to try this one.
fn checks(form: Form) -> Vec<Check> {
    let check = |name, run| Check { name, run };
    match form {
        Form::Tarball => {
            vec![check("tarball in a root with busybox and musl", |file| installed(Place::bare(), file))]
        }
        Form::Deb => vec![
            check("deb in an empty Debian", |file| installed(Place::debian(), file)),
            check("deb by lintian", tool::lintian),
        ],
        Form::Wheel => vec![
            check("wheel in a virtual environment", |file| installed(Place::virtual_environment(), file)),
            check("wheel by uvx", tool::uvx),
            check("wheel by twine", tool::twine),
            check("wheel by auditwheel", tool::auditwheel),
        ],
        Form::Image => vec![
            check("image's files as a root", |file| installed(Place::image(), file)),
            check("image by buildah run", tool::buildah),
        ],
    }
}

fn installed(place: anyhow::Result<Result<Place, String>>, file: &Path) -> Verdict {
    match place {
        Ok(Ok(place)) => use_in(&place, file).map_or_else(Verdict::Fails, Verdict::Measured),
        Ok(Err(reason)) => Verdict::NotRun(reason),
        Err(error) => Verdict::Fails(error),
    }
}

/// Installs the file and does there what a user does first; an error is the first thing that does not work.
fn use_in(place: &Place, file: &Path) -> anyhow::Result<Vec<Figure>> {
    let start = Instant::now();
    place.install(file).context("it was not installed")?;
    let installed = start.elapsed();
    let mut words = vec!["fathom", "audit", "--"];
    words.extend(place.audited());
    let audit = place.run(&words)?;
    let found = start.elapsed();
    // 1 is a finding about the program, which may have some.
    let shown = words.join(" ");
    ensure!(matches!(audit.code, Some(0 | 1)), "`{shown}` ended with {audit}");
    ensure!(audit.text.contains("file calls"), "`{shown}` said {audit}");
    let bench =
        ["fathom", "bench", "open-close", "--methods", "native:open", "--time", "0.3", "-o", "r.json"];
    let bench = place.run(&bench)?;
    ensure!(bench.code == Some(0) && bench.text.contains("native:open"), "`fathom bench` ended with {bench}");
    let version = place.run(&["fathom", "--version"])?;
    ensure!(
        version.text.trim() == format!("fathom {}", super::VERSION),
        "`fathom --version` ended with {version}"
    );
    Ok(vec![
        Figure::first_finding(found, &format!("installed after {:.2} s", installed.as_secs_f64())),
        Figure::version(&place.version_times()?),
    ])
}
