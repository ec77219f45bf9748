//! `fathom ci`: the commands of a project on two sides of a change, and what of their calls changed.

mod put;
mod runs;
mod sides;

use crate::arguments::{Ci as Words, CiFailOn};
use crate::command::Hinted;
use crate::command::audit::Settings;
use crate::command::counted_run::Counting;
use crate::command::project_command::commands_of;
use crate::command::stop::{Interrupted, Stop};
use crate::exit::Exit;
use crate::{kept_prices, output};
use fathom_audit::{
    BudgetVerdict, CHANGE_REPORT_VERSION, ChangeReport, ChangeReportKind, ChangeVerdict, CommandChange,
    FindingChange, FindingDifference, PriceList as Priced,
};
use fathom_collect::machine;
use fathom_model::Reading;
use runs::Runner;
use sides::Sides;
use std::time::Duration;

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    match compared(words) {
        Err(error) if error.is::<Interrupted>() => Ok(Exit::Interrupted),
        other => other,
    }
}

fn compared(words: &Words) -> anyhow::Result<Exit> {
    put::check(words)?;
    let settings = Settings::of_project(words.config.as_deref())?;
    let stop = Stop::listen()?;
    let prices = kept_prices::asked_or_kept(words.prices.as_deref(), &machine())?;
    let (prices, are) = match &prices {
        Reading::Value((file, list)) => {
            (&list.prices[..], format!("untraced, of {}, {}", list.created, file.display()))
        }
        Reading::Unavailable(reason) => (&[][..], reason.clone()),
    };
    if words.fail_on.contains(&CiFailOn::Dearer) && prices.is_empty() {
        return Err(Hinted::error(
            format!("`--fail-on dearer` needs prices: {are}"),
            "`fathom prices` takes them, `--prices FILE` names some",
        ));
    }
    let created = jiff::Timestamp::now().to_string();
    let limit = Duration::from_secs(words.limit.into());
    let project = settings.project.as_ref();
    let commands = commands_of(&words.command, project)?;
    // The checkouts are removed when this is dropped, whatever happens.
    let sides = Sides::of(words, project, &stop, limit)?;
    if commands.is_empty() && !sides.are_traces() {
        return Err(Hinted::error(
            "there is no command to run on both sides",
            "name one after `--`, or in .fathom.toml: [[command]] with `name` and `run` (docs/ci.md)",
        ));
    }
    sides.build(project, &stop, limit)?;
    let prices = Priced(prices);
    let counting =
        Counting { settings: &settings, prices: &prices, stop: &stop, limit, stacks: words.stacks };
    let runner = Runner { words, sides: &sides, counting };
    let commands = if sides.are_traces() {
        vec![runner.compare_traces()?]
    } else {
        let mut changes = Vec::new();
        for (number, command) in commands.iter().enumerate() {
            output::note(&format!("{} of {}: {}", number + 1, commands.len(), command.name));
            changes.push(runner.compare(command)?);
        }
        changes
    };
    let report = ChangeReport {
        kind: ChangeReportKind::ChangeReport,
        schema_version: CHANGE_REPORT_VERSION,
        fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
        created,
        base: sides.base.described(),
        head: sides.head.described(),
        prices: are,
        commands,
        redacted: None,
    };
    let report = sides.without_their_directories(report)?;
    put::put(words, &report)?;
    Ok(exit_of(words, &report))
}

/// What failed is said; what is not known passes for nothing good.
fn exit_of(words: &Words, report: &ChangeReport) -> Exit {
    let mut failures = Vec::new();
    let mut is_unknown = false;
    for command in &report.commands {
        let reasons = words.fail_on.iter().filter_map(|change| failure(*change, command));
        let unmet = command.budgets.iter().filter(|budget| budget.verdict == BudgetVerdict::NotMet);
        let unmet = unmet.map(|budget| format!("budget not met: {}", budget.budget));
        failures.extend(reasons.chain(unmet).map(|reason| format!("{}: {reason}", command.name)));
        is_unknown |= matches!(command.verdict, ChangeVerdict::NotKnown(_))
            || !command.gaps.is_empty()
            || command.budgets.iter().any(|budget| budget.verdict == BudgetVerdict::NotKnown);
    }
    for failure in &failures {
        output::note(&format!("failed: {failure}"));
    }
    match (failures.is_empty(), is_unknown) {
        (false, _) => Exit::Findings,
        (true, true) => Exit::Inconclusive,
        (true, false) => Exit::Done,
    }
}

/// What happened of what must not, in words.
fn failure(change: CiFailOn, command: &CommandChange) -> Option<String> {
    if matches!(command.verdict, ChangeVerdict::NotKnown(_)) {
        return None;
    }
    let findings = |is: fn(&FindingDifference) -> bool| {
        command.findings.iter().filter(|finding| !finding.suppressed && is(finding)).count()
    };
    match change {
        CiFailOn::NewFindings => {
            let new = findings(|finding| finding.change == FindingChange::New);
            (new > 0).then(|| format!("new findings: {new}"))
        }
        CiFailOn::MoreFindings => {
            let more = findings(|finding| matches!(finding.change, FindingChange::New | FindingChange::More));
            (more > 0).then(|| format!("findings that are new or more frequent: {more}"))
        }
        CiFailOn::MoreCalls => {
            let more = command.calls.more_calls();
            (more > 0).then(|| format!("{more} more calls per run"))
        }
        CiFailOn::Dearer => {
            let ns = command.calls.price_ns().filter(|ns| *ns > 0.0);
            ns.map(|ns| format!("{ns:.0} ns more per run by the price list"))
        }
        CiFailOn::AnyChange => {
            let changes = command.calls.changes.len();
            (changes > 0).then(|| format!("counts that changed: {changes}"))
        }
    }
}
