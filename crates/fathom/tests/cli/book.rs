//! The pages of docs/tutorial and docs/how-to, done as a reader would do them: each
//! page in a folder of its own, from its first line to its last.
//!
//! - A fence ` ```LANGUAGE FILE ` is a file that the reader writes.
//! - A fence ` ```console ` holds commands, each after `$ `, and below each what it prints.
//!   A command ends with 0, or as the comment `# exit code N` behind it says.
//! - A fence ` ```text ` quotes the command before it once more.
//! - Each quoted line has to be among the lines printed, but for blanks; `…` stands for
//!   lines left out. Where `measured` stands in the fence, figures may be others: numbers,
//!   their units, and which method is marked as faster.
//! - Other fences are not run.
//!
//! What takes long is run in less time: see `shortened`.

mod quotation;
mod step;

use crate::capability::{Capability, has};
use crate::sandbox::{Sandbox, workspace};
use quotation::Quotation;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use step::{Step, steps};

/// The pages, and what each needs of the machine.
const PAGES: [(&str, &[Capability]); 17] = [
    ("tutorial/first-bench", &[Capability::Python]),
    ("tutorial/first-count", &[]),
    ("tutorial/first-audit", &[Capability::SystemPython]),
    ("tutorial/write-a-driver", &[Capability::Python]),
    ("tutorial/write-a-claim", &[]),
    ("how-to/before-and-after", &[Capability::Perl]),
    ("how-to/gate-in-ci", &[]),
    ("how-to/audit-in-ci", &[]),
    ("how-to/slow-start", &[]),
    ("how-to/cold-files", &[Capability::Disk]),
    ("how-to/places", &[]),
    ("how-to/your-own-files", &[Capability::Go]),
    ("how-to/noisy-results", &[]),
    ("how-to/export", &[]),
    ("how-to/report", &[]),
    ("how-to/find-the-commit", &[]),
    ("how-to/what-if", &[Capability::SystemPython]),
];

/// Pages with nothing to type.
const ONLY_READ: [&str; 6] = [
    "how-to/choose-for-ci",
    "how-to/commands",
    "how-to/live-view",
    "how-to/own-functions",
    "how-to/publish",
    "how-to/top",
];

/// Does what a page says; `prepare` makes what the page takes for given.
fn follow(page: &str, prepare: impl Fn(&Sandbox)) {
    let (_, needs) = PAGES.iter().find(|(name, _)| *name == page).expect("a listed page");
    if !needs.iter().all(|&capability| has(capability)) {
        return;
    }
    let path = workspace().join(format!("docs/{page}.md"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let sandbox = Sandbox::new();
    prepare(&sandbox);
    let mut printed = String::new();
    let mut checked = 0;
    for step in steps(&text) {
        let quoted = match step {
            Step::Write { file, text } => {
                sandbox.write(&file, &text);
                continue;
            }
            Step::Run { command, code, quoted } => {
                printed = run(&sandbox, page, &command, code, &quoted);
                quoted
            }
            Step::Quote(quoted) => quoted,
        };
        checked += quoted.lines();
        quoted.assert_printed(page, &printed);
    }
    assert!(checked > 0, "{page} quotes nothing");
    sandbox.assert_nothing_left();
}

/// For how long a bench takes times at first …
const LEAST_TIME_S: f64 = 0.3;
/// … and at last.
const MOST_TIME_S: f64 = 60.0;

/// Runs a command as a shell would, and returns all that it printed.
fn run(sandbox: &Sandbox, page: &str, command: &str, code: i32, quoted: &Quotation) -> String {
    let mut time_s = LEAST_TIME_S;
    loop {
        let output = sandbox.shell(&shortened(command, time_s));
        let printed = [&output.stdout[..], &output.stderr[..]].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        // Beside load few runs fit into that time, and a page shows the answer that more of them give.
        let has_too_few_runs = command.contains("--time 3") && quoted.first_missing(&printed).is_some();
        if !has_too_few_runs || time_s > MOST_TIME_S {
            assert_eq!(output.status.code(), Some(code), "{page}: {command}\n{printed}");
            return printed;
        }
        time_s *= 2.0;
    }
}

/// The same in less time, where only precision is lost.
fn shortened(command: &str, bench_s: f64) -> String {
    let command = command.replace("prices --quick", "prices --seconds 1");
    let time = format!("--time {bench_s}");
    if command.contains("fathom bench") { command.replace("--time 3", &time) } else { command }
}

#[test]
fn every_page_of_tutorial_and_how_to_is_followed() {
    let mut written = BTreeSet::new();
    for folder in ["tutorial", "how-to"] {
        for entry in fs::read_dir(workspace().join("docs").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            written.insert(format!("{folder}/{}", path.file_stem().unwrap().to_str().unwrap()));
        }
    }
    let known = PAGES.iter().map(|(page, _)| *page).chain(ONLY_READ);
    assert_eq!(written, known.map(str::to_owned).collect());
    for page in ONLY_READ {
        let text = fs::read_to_string(workspace().join(format!("docs/{page}.md"))).unwrap();
        assert!(steps(&text).is_empty(), "{page} has something to type");
    }
}

#[test]
fn files_of_ones_own_are_measured_as_the_page_says() {
    follow("how-to/your-own-files", |_| ());
}

#[test]
fn the_first_bench_goes_as_its_page_says() {
    follow("tutorial/first-bench", |_| ());
}

#[test]
#[ignore = "long"]
fn the_first_count_goes_as_its_page_says() {
    follow("tutorial/first-count", |_| ());
}

#[test]
fn the_first_audit_goes_as_its_page_says() {
    follow("tutorial/first-audit", |_| ());
}

#[test]
fn an_audit_in_ci_goes_as_its_page_says() {
    follow("how-to/audit-in-ci", |_| ());
}

#[test]
fn finding_who_makes_a_start_slow_goes_as_its_page_says() {
    follow("how-to/slow-start", |_| ());
}

#[test]
#[ignore = "long"]
fn writing_a_driver_goes_as_its_page_says() {
    follow("tutorial/write-a-driver", |_| ());
}

#[test]
fn writing_a_claim_goes_as_its_page_says() {
    follow("tutorial/write-a-claim", |_| ());
}

#[test]
fn finding_a_commit_goes_as_its_page_says() {
    follow("how-to/find-the-commit", |_| ());
}

#[test]
fn asking_what_if_goes_as_its_page_says() {
    follow("how-to/what-if", |_| ());
}

#[test]
fn comparing_before_and_after_goes_as_its_page_says() {
    follow("how-to/before-and-after", |sandbox| {
        let old = fs::read_to_string(workspace().join("docs/examples/driver.pl")).unwrap();
        let from = "or failed('sysopen', $_[0]);\n    close";
        let to = "or failed('sysopen', $_[0]);\n    stat($file);\n    close";
        assert_eq!(old.matches(from).count(), 1, "the documented driver opens otherwise");
        for (name, text) in [("driver-old", old.clone()), ("driver-new", old.replace(from, to))] {
            let path = sandbox.write(name, &text);
            fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        }
    });
}

#[test]
fn gating_goes_as_its_page_says() {
    follow("how-to/gate-in-ci", |_| ());
}

#[test]
fn measuring_cold_files_goes_as_its_page_says() {
    follow("how-to/cold-files", |_| ());
}

#[test]
fn measuring_in_two_places_goes_as_its_page_says() {
    follow("how-to/places", |_| ());
}

#[test]
fn reading_a_noisy_result_goes_as_its_page_says() {
    follow("how-to/noisy-results", |_| ());
}

#[test]
#[ignore = "long"]
fn making_a_report_goes_as_its_page_says() {
    follow("how-to/report", |_| ());
}

#[test]
fn exporting_goes_as_its_page_says() {
    follow("how-to/export", |_| ());
}
