//! `fathom audit`: what a command, or a log of strace's, wastes or risks on its file path.

mod capture;
mod code;
mod container;
mod diff;
mod listener;
mod put;
mod settings;
mod source;
mod watched_container;

pub(super) use capture::{Ground, to_command_on};
pub(in crate::command) use listener::{End, Judge, Listener, Start};
pub(super) use settings::{Settings, budget};
pub(in crate::command) use source::{listen, listen_to_file};

use crate::arguments::{Audit as Words, AuditCommand};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::kept_prices::Sought;
use crate::output;
use fathom_audit::{Audit, Auditor, FactKind, Finding, PriceList as Priced};
use fathom_collect::only_reader;
use fathom_model::Reading;
use fathom_report::{file_waits_in_words, latencies_in_words, render_audit_rules, waits_in_words};
use std::path::PathBuf;

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    if let Some(AuditCommand::Diff(words)) = &words.subcommand {
        return diff::run(words);
    }
    if words.rules {
        output::data(&render_audit_rules(&put::text_options(words)))?;
        return Ok(Exit::Done);
    }
    let settings = Settings::new(words)?;
    put::check(words)?;
    if words.from.is_none() && words.source.strace.is_none() {
        check_calls(&settings)?;
    }
    let mut prices = Sought::asked_or_kept(words.prices.as_deref())?;
    let Audited { mut audit, interrupted } = audited(words, &settings, &mut prices)?;
    // Before they are priced: what is too small to be shown is in no sum above what is.
    audit.set_trifles_apart();
    match &prices.found() {
        Reading::Value((file, list)) => {
            audit.price(&Priced(&list.prices));
            audit.say(FactKind::Prices, format!("untraced, of {}, {}", list.created, file.display()));
        }
        Reading::Unavailable(reason) => audit.say(FactKind::Prices, reason),
    }
    settings.tell(&mut audit);
    audit.settle(&settings.budgets);
    let exit = exit_of(&audit, interrupted);
    put::put(words, audit)?;
    Ok(exit)
}

/// Of what is watched here: a budget on a call that this machine lacks would be met whatever happens.
fn check_calls(settings: &Settings) -> anyhow::Result<()> {
    let named = settings
        .budgets
        .iter()
        .flat_map(|budget| budget.named_calls().into_iter().map(move |call| (budget, call)));
    for (budget, call) in named {
        if let Some(reason) = fathom_trace::why_call_is_missing(call) {
            return Err(Hinted::error(
                format!("the budget `{}` counts nothing on this machine: {reason}", budget.text()),
                "name the family of the call, which holds on every machine; docs/budgets.md lists them",
            ));
        }
    }
    Ok(())
}

/// Why nothing is known of waits.
const NO_WAITS: &str = "not known: no call says how long its thread waited, as those watched by the ring do";
/// So many processes of a container are named in text.
const SHOWN_PROCESSES: usize = 6;

/// What the words name, judged, without prices.
struct Audited {
    audit: Audit,
    /// A signal to Fathom ended the command.
    interrupted: bool,
}

fn audited(words: &Words, settings: &Settings, prices: &mut Sought) -> anyhow::Result<Audited> {
    let mut judge =
        Judge { auditor: auditor(words, settings), start: Start::default(), prices: Some(prices) };
    let mut end = match &words.from {
        Some(path) => listen_to_file(path, &mut judge)?,
        None => listen(&words.source, &mut judge)?,
    };
    let Judge { auditor, start, .. } = judge;
    let mut explain = std::mem::take(&mut end.stacks).into_explain();
    end.say_variables(|name| only_reader(name).is_none_or(|runtime| auditor.has_seen_runtime(runtime)));
    let mut audit = auditor.finish_for_good(&mut explain);
    let mut of_stacks = std::mem::take(&mut audit.about);
    audit.command = start.command(&end);
    audit.created.clone_from(&start.created);
    audit.say(FactKind::Subject, start.subject);
    for directory in &words.under {
        audit.say(FactKind::Under, format!("only what concerns files below {}", directory.display()));
    }
    if let Some(watched) = end.container.take() {
        let container = watched.described(std::mem::take(&mut audit.opens));
        audit.say(FactKind::Container, container.processes_in_words(SHOWN_PROCESSES));
        if let Some(layers) = container.layers_in_words() {
            audit.say(FactKind::Layers, layers);
        }
        audit.container = Some(container);
    }
    if words.waits
        && let Some(tree) = audit.tree.take()
    {
        let told = waits_in_words(&tree);
        audit.say(FactKind::Waited, told.unwrap_or_else(|| NO_WAITS.to_owned()));
        audit.waits = tree.waits;
        audit.latencies = tree.latencies;
        for text in audit.latencies.iter().filter_map(latencies_in_words).collect::<Vec<_>>() {
            audit.say(FactKind::Latency, text);
        }
    } else if let Some(waits) = audit.waited.take().filter(|_| audit.tree.is_none()) {
        audit.say(FactKind::Waited, file_waits_in_words(&waits));
    }
    audit.about.append(&mut end.facts);
    audit.about.append(&mut of_stacks);
    audit.admit(std::mem::take(&mut end.gaps));
    if let Some(window_ns) = end.window_ns {
        audit.window_ns = Some(window_ns);
        audit.judge();
    }
    Ok(Audited { audit, interrupted: end.interrupted })
}

/// One that tells of what the words ask for. A directory is known by the name that was given,
/// and by its real one.
fn auditor(words: &Words, settings: &Settings) -> Auditor {
    let names = |directory: &PathBuf| {
        [std::path::absolute(directory), std::fs::canonicalize(directory)].into_iter().flatten()
    };
    let names = words.under.iter().flat_map(names);
    let auditor = Auditor::new().with_budgets(&settings.budgets);
    let is_boxed = words.source.container.is_some() || words.source.cgroup.is_some();
    let auditor = if is_boxed { auditor.counting_opens() } else { auditor };
    let auditor = if words.tree || words.waits { auditor.counting_tree() } else { auditor };
    let auditor = auditor.with_tolerances(settings.tolerances.clone());
    let auditor = auditor.with_sampled_stacks(words.source.cheap_stacks);
    let auditor = auditor.with_rules(settings.rules.clone());
    names.fold(auditor, |auditor, name| auditor.telling_below(&name.to_string_lossy()))
}

/// What was not seen is no good news: without a finding it leaves open whether there is one.
fn exit_of(audit: &Audit, interrupted: bool) -> Exit {
    if interrupted {
        Exit::Interrupted
    } else if audit.events == 0 && audit.gaps.is_empty() {
        Exit::NothingRan
    } else if audit.breaks_budgets() || audit.findings.iter().any(Finding::matters) {
        Exit::Findings
    } else if audit.is_partly_unknown() {
        Exit::Inconclusive
    } else {
        Exit::Done
    }
}
