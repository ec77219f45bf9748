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
const CHECKS: [&str; 19] = [
    "opens",
    "overflow",
    "firstScreen",
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

/// What has speedscope's own page import a profile, where there are a browser and its npm package.
pub(crate) fn speedscope() -> Result<PathBuf, String> {
    probe()?;
    let scripts = scripts().as_ref().map_err(Clone::clone)?;
    let is_there = scripts.join("node_modules/speedscope").is_dir();
    is_there.then(|| scripts.join("speedscope.mjs")).ok_or_else(|| {
        format!("{} has no package speedscope (`npm ci` there installs it)", scripts.display())
    })
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
    let checks =
        CHECKS.iter().filter(|name| !["firstScreen", "languages", "pictures", "quiet"].contains(*name));
    let checks: Vec<&str> = checks.copied().chain(["severity"]).collect();
    let output = check.args(["--only", &checks.join(",")]).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    // And what was heard meanwhile.
    assert_eq!(said.lines().filter(|line| line.starts_with("ok ")).count(), checks.len() + 1, "{said}");
}

#[test]
#[ignore = "long"]
fn the_first_screen_holds_answer_and_picture_of_any_record() {
    if !has(Capability::Browser) {
        return;
    }
    let sandbox = Sandbox::new();
    // Lines, a course over time, many methods, several comparisons, several experiments.
    let pages = [
        kept_page(&sandbox, &["small-sweep"]),
        kept_page(&sandbox, &["write-sustained"]),
        kept_page(&sandbox, &["open-all"]),
        kept_page(&sandbox, &["hash-go"]),
        kept_page(&sandbox, &["hash-go", "embed", "open-all"]),
    ];
    for page in pages {
        holds(&sandbox, &page, &["firstScreen", "overflow"]);
    }
}

#[test]
#[ignore = "long"]
fn a_clipped_whisker_has_an_arrow_and_a_flame_graph_zooms() {
    if !has(Capability::Browser) {
        return;
    }
    let sandbox = Sandbox::new();
    holds(&sandbox, &wide_page(&sandbox), &["arrows", "overflow"]);
    holds(&sandbox, &kept_page(&sandbox, &["hash-go"]), &["flames"]);
}

/// Checks that find something to look at and no fault.
fn holds(sandbox: &Sandbox, page: &Path, checks: &[&str]) {
    let output = script(sandbox, "check.mjs", page).args(["--only", &checks.join(",")]).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{}: {said}{}", page.display(), String::from_utf8_lossy(&output.stderr));
    for check in checks {
        assert!(said.contains(&format!("ok {check}: ")), "{}: {said}", page.display());
    }
}

fn kept_page(sandbox: &Sandbox, names: &[&str]) -> PathBuf {
    let records = names
        .iter()
        .map(|name| workspace().join(format!("docs/experiments/records/{name}.json")).display().to_string());
    let records = records.collect::<Vec<_>>().join(" ");
    let page = format!("{}.html", names.join("-"));
    sandbox.fathom(&format!("report {records} --redact=never -o {page}")).assert().code(0);
    sandbox.file(&page)
}

/// The sample with an interval that reaches far beyond all others.
fn wide_page(sandbox: &Sandbox) -> PathBuf {
    let text = fs::read_to_string(workspace().join("docs/samples/open-go.json")).unwrap();
    let mut record: serde_json::Value = serde_json::from_str(&text).unwrap();
    let summaries = &mut record["experiments"][0]["comparisons"][0]["summaries"];
    let time = summaries[0].pointer_mut("/value/time_ns").unwrap();
    time["high"] = serde_json::json!(time["value"].as_f64().unwrap() * 60.0);
    fs::write(sandbox.file("wide.json"), record.to_string()).unwrap();
    sandbox.fathom("report wide.json --redact=never -o wide.html").assert().code(0);
    sandbox.file("wide.html")
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
    let audit = workspace().join("crates/report/tests/audits/sample.json");
    sandbox.fathom(&format!("report {} -o audit.html", audit.display())).assert().code(0);
    let mut test = script(&sandbox, "self-test.mjs", &page);
    test.arg(wide_page(&sandbox)).arg(kept_page(&sandbox, &["hash-go"])).arg(sandbox.file("audit.html"));
    let output = test.arg("--compare").arg(kept).output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for name in CHECKS.into_iter().chain(["severity", "arrows", "flames"]) {
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
