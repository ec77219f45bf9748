//! Where a case is run: each program in a fresh folder with fresh data, under
//! `fathom audit`.

use crate::case::{Case, Part};
use crate::language::Build;
use fathom_audit::{Audit, Auditor, CallTree, FactKind, Guard, PathSet, RuleChoice, RuleId};
use fathom_events::{MountTable, TraceReader};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What runs cases.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The program under test.
    pub fathom: PathBuf,
    /// How calls are watched, in the words of `--capture`.
    pub capture: String,
    /// Where folders are made; each case makes one of its own, and leaves it.
    pub scratch: PathBuf,
}

/// What was seen of one program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// How often each rule counted.
    pub found: BTreeMap<RuleId, u64>,
    /// What the program printed.
    pub printed: String,
    /// How it ended: `exit 0`.
    pub ended: String,
    /// The findings, as they were told.
    pub told: Vec<String>,
}

/// A program that could not be looked at.
#[derive(Debug, thiserror::Error)]
#[error("{case}, {part}: {reason}")]
pub struct BenchError {
    pub(crate) case: String,
    pub(crate) part: &'static str,
    pub(crate) reason: String,
}

/// In seconds; nothing of the corpus takes this long on the slowest machine.
const TIME_LIMIT: &str = "120";

impl Bench {
    /// Builds and runs one program of a case.
    pub fn run(&self, case: &Case, part: Part) -> Result<Seen, BenchError> {
        self.look(case, part).map_err(|reason| BenchError {
            case: case.name.clone(),
            part: part.stem(),
            reason,
        })
    }

    /// How often the rule would accuse the look-alike without the guard that spares it.
    pub fn count_without(&self, case: &Case, guard: Guard) -> Result<u64, BenchError> {
        self.judge_without(case, guard).map_err(|reason| BenchError {
            case: case.name.clone(),
            part: "look_alike without its guard",
            reason,
        })
    }

    /// How an audit of a program ended, in each of so many runs, by Fathom's own exit code.
    pub fn exit_codes(&self, case: &Case, part: Part, runs: u32) -> Result<Vec<i32>, BenchError> {
        let run = |number| self.exit_code(case, part, &format!("{}-{number}", part.stem()));
        (0..runs).map(run).collect::<Result<_, _>>().map_err(|reason| BenchError {
            case: case.name.clone(),
            part: part.stem(),
            reason,
        })
    }

    fn exit_code(&self, case: &Case, part: Part, name: &str) -> Result<i32, String> {
        let stage = self.stage(case, part, name)?;
        let mut command = self.command(&stage);
        command.args(["audit", "--capture", &self.capture, "--under", ".", "--"]).args(&stage.words);
        let output = command.env_remove("LD_LIBRARY_PATH").stdin(Stdio::null()).output();
        let output = output.map_err(|error| error.to_string())?;
        output.status.code().ok_or_else(|| output.status.to_string())
    }

    fn look(&self, case: &Case, part: Part) -> Result<Seen, String> {
        let stage = self.stage(case, part, part.stem())?;
        let told = stage.folder.join("audit.json");
        let mut command = self.command(&stage);
        command.args(["audit", "--capture", &self.capture, "--format", "json", "-o"]).arg(&told);
        if case.words.everywhere {
            command.args(["--only", &case.words.rule.to_string()]);
        } else {
            command.args(["--under", "."]);
        }
        let printed = finished(command.arg("--").args(&stage.words))?;
        let text = fs::read_to_string(&told).map_err(|error| format!("{}: {error}", told.display()))?;
        let audit: Audit = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(seen(&audit, printed))
    }

    fn judge_without(&self, case: &Case, guard: Guard) -> Result<u64, String> {
        let stage = self.stage(case, Part::LookAlike, "without")?;
        let kept = stage.folder.join("trace");
        let mut command = self.command(&stage);
        command.args(["trace", "--capture", &self.capture, "-o"]).arg(&kept);
        finished(command.arg("--").args(&stage.words))?;
        let file = File::open(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
        let mut events = TraceReader::new(BufReader::new(file)).map_err(|error| error.to_string())?;
        let work = stage.work.to_string_lossy();
        let choice = RuleChoice { only: vec![case.words.rule], ..RuleChoice::default() };
        let mut auditor = Auditor::without_guard(guard).with_rules(choice).starting_in(&work).counting_tree();
        if !case.words.everywhere {
            auditor = auditor.telling_below(&work);
        }
        if let Some(mounts) = &events.header().mounts {
            auditor = auditor.with_mounts(MountTable::parse(mounts));
        }
        while let Some(event) = events.next_event().map_err(|error| error.to_string())? {
            auditor.observe(&event, events.paths());
        }
        let Audit { findings, tree, events, .. } = auditor.finish();
        check_tree(tree.as_ref(), events)?;
        let own = findings.iter().filter(|finding| finding.rule == case.words.rule);
        Ok(own.map(|finding| finding.count).sum())
    }

    /// Builds a program and makes its data.
    pub(crate) fn stage(&self, case: &Case, part: Part, name: &str) -> Result<Stage, String> {
        let scratch = fs::canonicalize(&self.scratch).map_err(|error| error.to_string())?;
        let folder = scratch.join(&case.name).join(name);
        let build = scratch.join(&case.name).join(part.stem()).join("build");
        let [work, home] = ["work", "home"].map(|name| folder.join(name));
        for path in [&build, &work, &home] {
            fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let source = fs::canonicalize(case.source(part)).map_err(|error| error.to_string())?;
        let words = case.words.language.build(&source, &build, Build::Strict)?;
        if case.setup().is_file() {
            let setup = fs::canonicalize(case.setup()).map_err(|error| error.to_string())?;
            finished(Command::new("sh").arg(setup).current_dir(&work))?;
        }
        Ok(Stage { folder, work, home, words })
    }

    /// Fathom, where the program is to run.
    pub(crate) fn command(&self, stage: &Stage) -> Command {
        let mut command = Command::new("timeout");
        command.args([TIME_LIMIT.as_ref(), self.fathom.as_os_str()]).current_dir(&stage.work);
        command.env("HOME", &stage.home).env("XDG_DATA_HOME", &stage.home).env("LC_ALL", "C.UTF-8");
        command
    }
}

/// A program that was built, with its data.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) folder: PathBuf,
    pub(crate) work: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) words: Vec<OsString>,
}

fn seen(audit: &Audit, printed: String) -> Seen {
    let mut seen = Seen { printed, ..Seen::default() };
    for finding in audit.findings_and_trifles() {
        *seen.found.entry(finding.rule).or_default() += finding.count;
        let calls: Vec<_> = finding.example.iter().map(|call| format!("        {}", call.text)).collect();
        let (rule, count, title) = (finding.rule, finding.count, &finding.title);
        let paths = finding.place.paths.as_ref().map_or_else(|| "?".to_owned(), PathSet::pattern);
        seen.told.push(format!("{rule} {count} times, {title}: {paths}\n{}", calls.join("\n")));
    }
    audit.fact(FactKind::Ended).unwrap_or_default().clone_into(&mut seen.ended);
    seen
}

/// Every call is in one row, and of 99 in 100 it is known what they ask for.
fn check_tree(tree: Option<&CallTree>, events: u64) -> Result<(), String> {
    let tree = tree.ok_or("there is no tree of calls")?;
    let sum: u64 = tree.rows.iter().map(|row| row.sums.calls).sum();
    if sum != events || tree.sums.calls != events {
        return Err(format!("rows of the tree have {sum} calls of {events}"));
    }
    if tree.unattributed * 100 > events {
        return Err(format!("{} of {events} calls are not attributed", tree.unattributed));
    }
    Ok(())
}

/// Standard output of a command. Fathom's exit says whether there were findings and whether all was
/// seen: 0, 1 and 3 are
/// fine.
pub(crate) fn finished(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.env_remove("LD_LIBRARY_PATH").stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`{program}`: {error}"))?;
    let may_find = program == "timeout";
    match output.status.code() {
        Some(0) => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Some(1 | 3) if may_find => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        _ => {
            Err(format!("`{program}`: {}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
        }
    }
}
