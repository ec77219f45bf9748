//! `cargo xtask dist`: what a user installs without a toolchain, built from a checkout into
//! target/dist. Every form holds the same static program; each says what was made, or why not.

mod check;
mod deb;
mod image;
mod licences;
mod share;
mod stage;
mod unpack;
mod wheel;

use crate::calibrate::Interrupted;
use crate::static_build::{Architecture, ROOT, target_folder};
use crate::step;
use anyhow::Context;
use sha2::{Digest, Sha256};
use stage::Pages;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Of every form.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A form in which Fathom is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// The program, manual pages, completions and licences in a .tar.xz
    Tarball,
    /// A Python wheel, for pip and uvx: needs maturin
    Wheel,
    /// A Debian package: needs dpkg-deb
    Deb,
    /// A container image of the program alone, as an OCI archive: needs podman, buildah or docker
    Image,
}

/// Of a step besides the build; packing takes seconds, a Debian root a minute or two.
const STEP_LIMIT: Duration = Duration::from_mins(15);

/// What a user downloads has at most so many bytes.
const DOWNLOAD_MOST: u64 = 10_000_000;

const FORMS: [Form; 4] = [Form::Tarball, Form::Wheel, Form::Deb, Form::Image];

/// Arguments of `dist`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only these forms; one that cannot be made here then fails
    #[arg(long, value_enum, value_name = "FORM", value_delimiter = ',')]
    only: Vec<Form>,

    /// Only for these architectures; one that cannot be built here then fails
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    target: Vec<Architecture>,

    /// Then install what was made into empty roots and a virtual environment, and use it there
    #[arg(long)]
    check: bool,

    /// Put this static program into the forms, instead of building one; of one architecture
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,

    /// Write them here instead of to target/dist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What became of a form.
enum Outcome {
    Made(PathBuf),
    /// Something that it needs is not here.
    Unavailable(String),
    Failed(anyhow::Error),
}

/// A form that was made.
struct Made {
    form: Form,
    architecture: Architecture,
    file: PathBuf,
}

/// Makes every form that is asked for, and prints what came of each.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    step::listen()?;
    let out = arguments.out.clone().unwrap_or_else(|| target_folder().join("dist"));
    std::fs::create_dir_all(&out).with_context(|| format!("failed to make {}", out.display()))?;
    let out = out.canonicalize()?;
    let program = arguments.program.as_deref().map(|program| {
        program.canonicalize().with_context(|| format!("failed to use {}", program.display()))
    });
    let program = program.transpose()?;
    let forms = if arguments.only.is_empty() { &FORMS[..] } else { &arguments.only };
    let targets = targets(arguments)?;
    let is_asked_for = !(arguments.only.is_empty() && arguments.target.is_empty());
    let pages = Pages::write(program.as_deref())?;
    let (mut made, mut is_failed, mut is_unavailable) = (Vec::new(), false, false);
    for architecture in targets {
        let staged = stage::Tree::new(architecture, &pages, program.as_deref());
        step::check_stop()?;
        for &form in forms {
            let outcome = match &staged {
                Ok(tree) => make(form, tree, &out)?,
                Err(reason) => Outcome::Unavailable(format!("{reason:#}")),
            };
            print(&line(form, architecture, &outcome)?)?;
            match outcome {
                Outcome::Made(file) => {
                    is_failed |= std::fs::metadata(&file)?.len() > DOWNLOAD_MOST;
                    made.push(Made { form, architecture, file });
                }
                Outcome::Unavailable(_) if !is_asked_for => is_unavailable = true,
                Outcome::Unavailable(_) | Outcome::Failed(_) => is_failed = true,
            }
        }
    }
    if arguments.check {
        let checked = check::run(&made, program.is_none())?;
        is_failed |= checked.is_failed;
        is_unavailable |= checked.is_unavailable;
    }
    Ok(match (is_failed, is_unavailable) {
        (true, _) => ExitCode::FAILURE,
        (false, true) => ExitCode::from(3),
        (false, false) => ExitCode::SUCCESS,
    })
}

/// A program that was given is of one architecture: this machine's, unless another is named.
fn targets(arguments: &Arguments) -> anyhow::Result<Vec<Architecture>> {
    let asked = &arguments.target;
    if arguments.program.is_none() {
        return Ok(if asked.is_empty() { Architecture::ALL.to_vec() } else { asked.clone() });
    }
    anyhow::ensure!(asked.len() <= 1, "--program is of one architecture: name one --target");
    let native = Architecture::ALL.into_iter().find(|target| target.is_native());
    let one = asked.first().copied().or(native);
    Ok(vec![one.context("this machine's architecture is none that is distributed: name a --target")?])
}

/// Makes a form beside `out` and moves it there whole; an error is an interruption.
fn make(form: Form, tree: &stage::Tree, out: &Path) -> anyhow::Result<Outcome> {
    let missing = match form {
        Form::Tarball => None,
        Form::Wheel => wheel::missing(),
        Form::Deb => deb::missing(),
        Form::Image => image::missing(),
    };
    step::check_stop()?;
    if let Some(missing) = missing {
        return Ok(Outcome::Unavailable(missing));
    }
    let fresh = tempfile::Builder::new().prefix(".making-").tempdir_in(out)?;
    let made = match form {
        Form::Tarball => stage::tarball(tree, fresh.path()),
        Form::Wheel => wheel::make(tree, fresh.path()),
        Form::Deb => deb::make(tree, fresh.path()),
        Form::Image => image::make(tree, fresh.path()),
    };
    let kept = made.and_then(|file| {
        let kept = out.join(file.file_name().context("what was made has no name")?);
        std::fs::rename(&file, &kept).with_context(|| format!("failed to write {}", kept.display()))?;
        Ok(kept)
    });
    match kept {
        Ok(file) => Ok(Outcome::Made(file)),
        Err(error) if error.is::<Interrupted>() => Err(error),
        Err(error) => Ok(Outcome::Failed(error)),
    }
}

/// A line of the answer; the checksum is written beside what was made.
fn line(form: Form, architecture: Architecture, outcome: &Outcome) -> anyhow::Result<String> {
    let head = format!("{:8} {:8}", format!("{form:?}").to_lowercase(), architecture.rust());
    Ok(match outcome {
        Outcome::Made(file) => {
            let content =
                std::fs::read(file).with_context(|| format!("failed to read {}", file.display()))?;
            let sum =
                Sha256::digest(&content).iter().fold(String::new(), |sum, byte| format!("{sum}{byte:02x}"));
            let name = file.file_name().context("what was made has no name")?.to_string_lossy();
            let sums = file.with_file_name(format!("{name}.sha256"));
            std::fs::write(sums, format!("{sum}  {name}\n"))?;
            let bytes = content.len() as u64;
            let (megabytes, most) = (bytes as f64 / 1e6, DOWNLOAD_MOST / 1_000_000);
            let made = format!("{head} made: {} ({megabytes:.2} MB)", file.display());
            let verdict = if bytes > DOWNLOAD_MOST {
                format!("\n{:17} FAILED: too large, a download has at most {most} MB", "")
            } else {
                String::new()
            };
            format!("{made}{verdict}\n{:17} sha256 {sum}\n", "")
        }
        Outcome::Unavailable(reason) => format!("{head} not made: {reason}\n"),
        Outcome::Failed(error) => format!("{head} FAILED: {error:#}\n"),
    })
}

fn print(text: &str) -> anyhow::Result<()> {
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// Runs a script of sh with arguments `$1`, `$2` …; what it printed is in the error.
fn sh(script: &str, arguments: &[&Path]) -> anyhow::Result<String> {
    let mut shell = Command::new("sh");
    shell.args(["-euc", script, "sh"]).args(arguments).current_dir(ROOT);
    shell.env("SOURCE_DATE_EPOCH", source_date()?).env("LC_ALL", "C.UTF-8");
    // What is quoted is plain text.
    shell.env("NO_COLOR", "1").env("TERM", "dumb");
    let ended = step::run(&mut shell, STEP_LIMIT)?;
    let tail = ended.errors.trim_end().lines().rev().take(12).collect::<Vec<_>>();
    let tail: Vec<_> = tail.into_iter().rev().collect();
    anyhow::ensure!(ended.status.success(), "{}\n{}", ended.status, tail.join("\n"));
    Ok(ended.text)
}

/// The time that files get, so that the same commit gives the same bytes: its own.
fn source_date() -> anyhow::Result<String> {
    if let Ok(date) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(date);
    }
    let mut git = Command::new("git");
    let output = git.args(["log", "-1", "--format=%ct"]).current_dir(ROOT).output();
    let date = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let date = date.ok().filter(|date| !date.is_empty());
    date.context("what is the sources' time? This is no git checkout: set SOURCE_DATE_EPOCH")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_has_its_size_and_a_checksum_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fathom.tar.gz");
        std::fs::write(&file, "abc").unwrap();
        let said = line(Form::Tarball, Architecture::X86, &Outcome::Made(file)).unwrap();
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert!(said.contains(sum) && said.contains("(0.00 MB)\n"), "{said}");
        let beside = std::fs::read_to_string(folder.path().join("fathom.tar.gz.sha256")).unwrap();
        assert_eq!(beside, format!("{sum}  fathom.tar.gz\n"));
    }

    #[test]
    fn what_was_not_made_says_why() {
        let outcome = Outcome::Unavailable("maturin is missing".to_owned());
        let said = line(Form::Wheel, Architecture::Arm, &outcome).unwrap();
        assert_eq!(said, "wheel    aarch64  not made: maturin is missing\n");
    }

    #[test]
    fn a_script_that_fails_says_what_it_said() {
        let error = sh("echo \"no $1\" >&2; exit 7", &[Path::new("space")]).unwrap_err().to_string();
        assert_eq!(error, "exit status: 7\nno space");
    }
}
