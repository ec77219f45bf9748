//! `fathom report` in a real browser: what the checks of tests/browser make of a
//! page, and that each of them can fail.

use crate::capability::{Capability, has};
use crate::report::kept_records;
use crate::sandbox::{Sandbox, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What has to be found on a page of the sample record: a check that finds nothing to look
/// at says `none`.
const CHECKS: [&str; 18] = [
    "opens",
    "overflow",
    "headings",
    "sorts",
    "filters",
    "languages",
    "folds",
    "deepLinks",
    "themes",
    "tips",
    "copies",
    "readable",
    "downloads",
    "paper",
    "pdf",
    "accessible",
    "pictures",
    "quiet",
];

/// Whether pages can be looked at here: a browser, Node.js with the packages of
/// tests/browser, poppler's tools, xz, and the fonts of the kept pictures.
pub(crate) fn probe() -> Result<(), String> {
    let find = "${FATHOM_CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}";
    run("sh", &["-c", &format!("\"{find}\" --version")], Path::new("."))?;
    run("pdftotext", &["-v"], Path::new("."))?;
    run("xz", &["--version"], Path::new("."))?;
    // Those of the kept pictures.
    run("sh", &["-c", "fc-match 'Liberation Sans' | grep -q Liberation"], Path::new("."))?;
    scripts().as_ref().map(drop).map_err(Clone::clone)
}

#[test]
#[ignore = "long"]
fn a_report_holds_in_a_browser_on_a_phone_and_on_paper() {
    if !has(Capability::Browser) {
        return;
    }
    let sandbox = Sandbox::new();
    let page = sample_page(&sandbox);
    let kept = scripts().as_ref().unwrap().join("kept");
    let mut check = script(&sandbox, "check.mjs", &page);
    let output = check.arg("--compare").arg(kept).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let passed: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("ok ")?.split_once(':'))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(passed, CHECKS, "{said}");
}

#[test]
#[ignore = "long"]
fn slowly_a_report_of_the_full_catalog_opens_at_once_and_asks_for_nothing() {
    if !has(Capability::Browser) {
        return;
    }
    let sandbox = Sandbox::new();
    let records = kept_records().iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    sandbox.fathom(&format!("report {} --redact=never -o report.html", records.join(" "))).assert().code(0);
    let mut check = script(&sandbox, "check.mjs", &sandbox.file("report.html"));
    let output = check.args(["--only", "opens,overflow,headings,sorts,folds,downloads"]).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().filter(|line| line.starts_with("ok ")).count(), 7, "{said}");
}

#[test]
#[ignore = "long"]
fn an_audit_holds_in_a_browser_on_a_phone_and_on_paper() {
    if !has(Capability::Browser) {
        return;
    }
    let sandbox = Sandbox::new();
    let audit = workspace().join("crates/report/tests/audits/sample.json");
    sandbox.fathom(&format!("report {} -o audit.html", audit.display())).assert().code(0);
    let mut check = script(&sandbox, "check.mjs", &sandbox.file("audit.html"));
    // Those of a page without pictures and methods.
    let checks = CHECKS.iter().filter(|name| !["languages", "pictures", "quiet"].contains(*name));
    let output = check.args(["--only", &checks.copied().collect::<Vec<_>>().join(",")]).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().filter(|line| line.starts_with("ok ")).count(), CHECKS.len() - 2, "{said}");
}

/// Two minutes that tell of the checks, not of the pages: for who changes tests/browser.
#[test]
#[ignore = "long"]
fn by_hand_each_check_of_the_browser_can_fail() {
    if !has(Capability::Browser) {
        return;
    }
    let sandbox = Sandbox::new();
    let page = sample_page(&sandbox);
    let kept = scripts().as_ref().unwrap().join("kept");
    let output = script(&sandbox, "self-test.mjs", &page).arg("--compare").arg(kept).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for name in CHECKS {
        assert!(said.contains(&format!("seen {name}: ")), "{name}: {said}");
    }
}

fn sample_page(sandbox: &Sandbox) -> PathBuf {
    let record = workspace().join("docs/samples/open-go.json");
    sandbox.fathom(&format!("report {} --redact=never -o report.html", record.display())).assert().code(0);
    sandbox.file("report.html")
}

fn script(sandbox: &Sandbox, name: &str, page: &Path) -> assert_cmd::Command {
    let mut node = sandbox.command("node");
    node.arg(scripts().as_ref().unwrap().join(name)).arg(page);
    node
}

/// tests/browser with its packages: where it stands, when they are installed there, else a
/// copy beside the build.
fn scripts() -> &'static Result<PathBuf, String> {
    static SCRIPTS: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    SCRIPTS.get_or_init(|| {
        let source = workspace().join("tests/browser");
        if source.join("node_modules/playwright-core").is_dir() {
            return Ok(source);
        }
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
        copy_files(&source, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
        if !copy.join("node_modules/playwright-core").is_dir() {
            run("npm", &["ci", "--no-audit", "--no-fund"], &copy)?;
        }
        Ok(copy)
    })
}

fn copy_files(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_files(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn run(program: &str, words: &[&str], folder: &Path) -> Result<(), String> {
    let output = Command::new(program).args(words).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`{program}`: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    output.status.success().then_some(()).ok_or_else(|| format!("`{program}`: {}: {said}", output.status))
}
