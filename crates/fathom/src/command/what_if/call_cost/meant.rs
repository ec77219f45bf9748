//! The first run, which is only watched: which calls are meant, and which of them may be treated.

use super::Asked;
use super::trial::{Behavior, Ground};
use crate::command::audit::{Judge, Listener, Start};
use fathom_audit::{Auditor, CallsChosen, CostQuestion};
use fathom_events::{CallName, ControlCommand, FileAction, FileEvent, PathTable, Target};
use fathom_trace::{Question, Questions, is_repeatable};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the first run showed.
pub(super) struct Meant {
    pub(super) chosen: CallsChosen,
    /// By name: how many are meant, and how many of them may be treated.
    pub(super) by_name: BTreeMap<CallName, (u64, u64)>,
    pub(super) questions: BTreeSet<Question>,
    /// Opens that are meant and succeeded, by name.
    opened: BTreeMap<CallName, u64>,
    pub(super) behavior: Behavior,
    pub(super) gaps: Vec<String>,
}

/// A call that may turn out to be meant.
struct Heard {
    call: CallName,
    question: Option<Question>,
    is_open: bool,
    made_descriptor: bool,
}

impl Meant {
    /// How many of the calls of this name make a descriptor, 0 to 1.
    pub(super) fn opened_share(&self, call: &str) -> f64 {
        let all = self.by_name.get(call).map_or(0, |(all, _)| *all);
        let opened = self.opened.get(call).copied().unwrap_or(0);
        if all == 0 { 0.0 } else { opened as f64 / all as f64 }
    }
}

/// Runs the command once, watched by the same instrument.
pub(super) fn look(ground: &Ground<'_>, asked: &Asked) -> anyhow::Result<Meant> {
    let directory = ground.directory.to_string_lossy().into_owned();
    let chosen = asked.about.clone().seen_from(&directory);
    let auditor = Auditor::new().asking_about(chosen);
    let mut judge = Judge { auditor, start: Start::default(), prices: None };
    judge.begin(&Start {
        command: ground.shown.clone(),
        directory: Some(directory),
        mounts: std::fs::read_to_string("/proc/self/mountinfo").ok(),
        ..Start::default()
    })?;
    let mut hearing = Hearing {
        is_delay: asked.question == CostQuestion::Slower,
        directory: &ground.directory,
        questions: Questions::new(),
        heard: Vec::new(),
        went_elsewhere: false,
        locks: false,
    };
    let (end, _) = ground.traced(None, &mut |event, paths| {
        hearing.take(&event, paths);
        judge.take(event, paths);
    })?;
    let (audit, chosen) = judge.auditor.finish_with_chosen(&mut |_| Vec::new());
    let mut gaps: Vec<_> =
        audit.gaps.iter().map(|gap| format!("{}: {}", gap.kind.word(), gap.text)).collect();
    gaps.extend(end.unseen.iter().filter(|unseen| unseen.hides_calls()).map(ToString::to_string));
    let Hearing { heard, locks, .. } = hearing;
    let (mut by_name, mut questions) = (BTreeMap::<CallName, (u64, u64)>::new(), BTreeSet::new());
    let mut opened = BTreeMap::<CallName, u64>::new();
    for number in &chosen.numbers {
        let at = usize::try_from(number - 1).ok().and_then(|at| heard.get(at));
        let Some(Heard { call, question, is_open, made_descriptor }) = at else { continue };
        *opened.entry(call).or_default() += u64::from(*made_descriptor);
        let counted = by_name.entry(call).or_default();
        counted.0 += 1;
        // To close a file lets go of the process's record locks on it, however it was opened.
        if let Some(question) = question.filter(|_| !(locks && *is_open)) {
            counted.1 += 1;
            questions.insert(question);
        }
    }
    Ok(Meant { chosen, by_name, questions, opened, behavior: ground.behavior(end.status)?, gaps })
}

/// Hears every event, in order.
struct Hearing<'a> {
    is_delay: bool,
    directory: &'a Path,
    questions: Questions,
    heard: Vec<Heard>,
    /// Some process changed its directory: relative paths may mean others than they seem to.
    went_elsewhere: bool,
    locks: bool,
}

impl Hearing<'_> {
    fn take(&mut self, event: &FileEvent, paths: &PathTable) {
        let question = self.questions.ask(event, paths);
        self.went_elsewhere |= matches!(event.action, FileAction::ChangeDirectory { .. });
        self.locks |= matches!(event.action, FileAction::Control { command: ControlCommand::Lock, .. });
        let is_open = matches!(event.action, FileAction::Open { .. });
        let is_fit = self.is_delay
            || is_repeatable(event)
                && (!is_open || event.outcome.value().is_none() || self.is_plain(event, paths));
        let question = question.filter(|_| is_fit);
        let made_descriptor = is_open && event.outcome.descriptor().is_some();
        let is_open = is_open && !self.is_delay;
        self.heard.push(Heard { call: event.call, question, is_open, made_descriptor });
    }

    /// True of an open of a file or directory to which opening does nothing: no pipe, no device, and
    /// nothing whose opening runs code of the kernel's.
    fn is_plain(&self, event: &FileEvent, paths: &PathTable) -> bool {
        let FileAction::Open { target: Target::Path { directory, path, .. }, .. } = event.action else {
            return false;
        };
        let path = PathBuf::from(paths.path(path));
        let is_elsewhere = self.went_elsewhere || directory != Target::CURRENT_DIRECTORY;
        if path.is_relative() && is_elsewhere {
            return false;
        }
        let Ok(real) = self.directory.join(path).canonicalize() else { return false };
        let is_special = ["/proc", "/sys", "/dev"].iter().any(|special| real.starts_with(special));
        let is_file = std::fs::metadata(&real).is_ok_and(|facts| facts.is_file() || facts.is_dir());
        is_file && !is_special
    }
}
