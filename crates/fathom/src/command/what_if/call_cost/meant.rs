//! The first run, which is only watched: which calls are meant, and which of them may be treated.

use super::Asked;
use super::trial::{Behavior, Ground, Order};
use super::written::Written;
use crate::command::audit::{Judge, Listener, Start};
use fathom_audit::{Auditor, CallsChosen, CostQuestion};
use fathom_events::{CallName, ControlCommand, FileAction, FileEvent, PathId, PathTable, Target};
use fathom_trace::{Question, Questions, is_answerable, is_repeatable};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the first run showed.
pub(super) struct Meant {
    pub(super) chosen: CallsChosen,
    /// By name: how many are meant, and how many of them may be treated.
    pub(super) by_name: BTreeMap<CallName, (u64, u64)>,
    pub(super) questions: BTreeSet<Question>,
    /// Opens that are meant and succeeded, by name.
    opened: BTreeMap<CallName, u64>,
    /// Those that are meant and ask about a descriptor, by name.
    on_descriptor: BTreeMap<CallName, u64>,
    pub(super) behavior: Behavior,
    pub(super) gaps: Vec<String>,
    pub(super) written: Written,
    /// What was in these files after it.
    pub(super) left: Vec<u64>,
    /// How long it took, the listening included.
    pub(super) took: Duration,
    /// The program's own calls, by name, and those of its first thread as a number.
    pub(super) calls: BTreeMap<CallName, u64>,
    pub(super) order: u64,
    /// Which share of the calls that may be treated was made by another thread than most about then, 0 to 1.
    pub(super) beside_share: f64,
    /// Why no answer may be taken from memory, whatever is known of it.
    pub(super) unseen_changes: Option<&'static str>,
}

/// A call that may turn out to be meant.
struct Heard {
    call: CallName,
    question: Option<Question>,
    is_open: bool,
    made_descriptor: bool,
    /// It looks no path up.
    on_descriptor: bool,
    /// The name that it is about, or by which its descriptor was opened.
    name: Option<PathId>,
    thread: u32,
}

const WRITES_THROUGH_MEMORY: &str = "it maps a file to write to it, which no call tells";

impl Meant {
    /// How many of the calls of this name make a descriptor, 0 to 1.
    pub(super) fn opened_share(&self, call: &str) -> f64 {
        self.share(call, &self.opened)
    }

    /// How many of them ask about a descriptor, 0 to 1.
    pub(super) fn descriptor_share(&self, call: &str) -> f64 {
        self.share(call, &self.on_descriptor)
    }

    fn share(&self, call: &str, of: &BTreeMap<CallName, u64>) -> f64 {
        let all = self.by_name.get(call).map_or(0, |(all, _)| *all);
        let some = of.get(call).copied().unwrap_or(0);
        if all == 0 { 0.0 } else { some as f64 / all as f64 }
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
        way: match (asked.question, asked.elide) {
            (CostQuestion::Slower, _) => Way::Delayed,
            (_, true) => Way::Answered,
            _ => Way::Again,
        },
        written: Written::default(),
        special: HashSet::new(),
        names: HashMap::new(),
        mapped: HashSet::new(),
        unseen_changes: None,
        directory: &ground.directory,
        questions: Questions::new(),
        heard: Vec::new(),
        went_elsewhere: false,
        locks: false,
    };
    let (begun, mut order, mut calls) =
        (Instant::now(), Order::new(ground), BTreeMap::<CallName, u64>::new());
    let (end, _) = ground.traced(None, &mut |event, paths| {
        order.take(&event, paths);
        *calls.entry(event.call).or_default() += 1;
        hearing.take(&event, paths);
        judge.take(event, paths);
    })?;
    let took = begun.elapsed();
    let (audit, chosen) = judge.auditor.finish_with_chosen(&mut |_| Vec::new());
    let mut gaps: Vec<_> =
        audit.gaps.iter().map(|gap| format!("{}: {}", gap.kind.word(), gap.text)).collect();
    gaps.extend(end.unseen.iter().filter(|unseen| unseen.hides_calls()).map(ToString::to_string));
    let Hearing { heard, locks, written, mut unseen_changes, mapped, way, .. } = hearing;
    let is_mapped =
        |heard: &Heard| way == Way::Answered && heard.name.is_some_and(|name| mapped.contains(&name));
    let left = written.now(&ground.hashes)?;
    let (mut by_name, mut questions) = (BTreeMap::<CallName, (u64, u64)>::new(), BTreeSet::new());
    let mut opened = BTreeMap::<CallName, u64>::new();
    let mut on_descriptor = BTreeMap::<CallName, u64>::new();
    let (mut is_left_by_mapping, mut threads) = (false, Vec::new());
    for number in &chosen.numbers {
        let at = usize::try_from(number - 1).ok().and_then(|at| heard.get(at));
        let Some(heard @ Heard { call, question, is_open, made_descriptor, .. }) = at else { continue };
        *opened.entry(call).or_default() += u64::from(*made_descriptor);
        *on_descriptor.entry(call).or_default() += u64::from(heard.on_descriptor);
        let counted = by_name.entry(call).or_default();
        counted.0 += 1;
        // To close a file lets go of the process's record locks on it, however it was opened.
        if question.is_some() && is_mapped(heard) {
            is_left_by_mapping = true;
        } else if let Some(question) = question.filter(|_| !(locks && *is_open)) {
            counted.1 += 1;
            threads.push(heard.thread);
            questions.insert(question);
        }
    }
    if questions.is_empty() && is_left_by_mapping {
        unseen_changes = Some(WRITES_THROUGH_MEMORY);
    }
    Ok(Meant {
        chosen,
        by_name,
        questions,
        opened,
        on_descriptor,
        behavior: ground.behavior(end.status)?,
        gaps,
        written,
        left,
        took,
        calls,
        order: order.number(),
        beside_share: beside_share(&threads),
        unseen_changes,
    })
}

/// Which share of calls is not of the thread that makes most of those about then, by the threads of all in order.
fn beside_share(threads: &[u32]) -> f64 {
    const ABOUT_THEN: usize = 200;
    let beside = threads.chunks(ABOUT_THEN).map(|calls| {
        let mut by_thread = HashMap::<u32, usize>::new();
        for thread in calls {
            *by_thread.entry(*thread).or_default() += 1;
        }
        calls.len() - by_thread.into_values().max().unwrap_or(0)
    });
    beside.sum::<usize>() as f64 / threads.len().max(1) as f64
}

/// What is to be done with calls that are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Again,
    Delayed,
    Answered,
}

/// Hears every event, in order.
struct Hearing<'a> {
    way: Way,
    written: Written,
    /// Descriptors, by process, of what the kernel makes up: what it says changes by itself.
    special: HashSet<(u32, i32)>,
    /// Names by which descriptors were opened, by process, and names of files that are written through memory.
    names: HashMap<(u32, i32), PathId>,
    mapped: HashSet<PathId>,
    unseen_changes: Option<&'static str>,
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
        self.written.take(event, paths, Some(self.directory).filter(|_| !self.went_elsewhere));
        self.follow(event, paths);
        let is_fit = match self.way {
            Way::Delayed => true,
            Way::Again => {
                is_repeatable(event)
                    && (!is_open || event.outcome.value().is_none() || self.is_plain(event, paths))
            }
            Way::Answered => is_answerable(event) && !self.is_special(event, paths),
        };
        let question = question.filter(|_| is_fit);
        let made_descriptor = is_open && event.outcome.descriptor().is_some();
        let is_open = is_open && self.way == Way::Again;
        let descriptor = match event.action.targets()[0] {
            Some(Target::Descriptor(descriptor)) => Some(*descriptor),
            _ => event.action.descriptor(),
        };
        let name = match event.action.targets()[0] {
            Some(Target::Path { path, .. }) => Some(*path),
            _ => descriptor.and_then(|descriptor| self.names.get(&(event.process, descriptor)).copied()),
        };
        let on_descriptor = descriptor.is_some();
        let (call, thread) = (event.call, event.thread);
        self.heard.push(Heard { call, question, is_open, made_descriptor, on_descriptor, name, thread });
    }

    /// Keeps in mind what changes files without a call, and which descriptors are of no plain file.
    fn follow(&mut self, event: &FileEvent, paths: &PathTable) {
        const SHARED_AND_WRITTEN: (u32, u32) = (0x01, 0x2);
        match &event.action {
            FileAction::Map { descriptor: Some(_), protection, flags, .. }
                if flags & SHARED_AND_WRITTEN.0 != 0
                    && protection & SHARED_AND_WRITTEN.1 != 0
                    && event.outcome.value().is_some() =>
            {
                let descriptor = event.action.descriptor().unwrap_or(-1);
                match self.names.get(&(event.process, descriptor)) {
                    Some(name) => drop(self.mapped.insert(*name)),
                    None => self.unseen_changes = Some(WRITES_THROUGH_MEMORY),
                }
            }
            _ if event.call == "io_uring_setup" => {
                self.unseen_changes = Some("it works through io_uring, which no call tells");
            }
            FileAction::Open { .. } => {
                if let Some(descriptor) = event.outcome.descriptor() {
                    let key = (event.process, descriptor);
                    match event.action.targets()[0] {
                        Some(Target::Path { path, .. }) => drop(self.names.insert(key, *path)),
                        _ => drop(self.names.remove(&key)),
                    }
                    if self.is_special(event, paths) {
                        self.special.insert(key);
                    } else {
                        self.special.remove(&key);
                    }
                }
            }
            _ => {}
        }
    }

    /// True of what is, or may be, no file or directory that only calls change.
    fn is_special(&self, event: &FileEvent, paths: &PathTable) -> bool {
        let target = event.action.targets()[0];
        let descriptor = match target {
            Some(Target::Path { directory, path, .. }) => {
                let path = Path::new(paths.path(*path));
                let made_up = ["/proc", "/sys", "/dev"].iter().any(|special| path.starts_with(special));
                return made_up || path.is_relative() && self.special.contains(&(event.process, *directory));
            }
            Some(Target::Descriptor(descriptor)) => Some(*descriptor),
            None => event.action.descriptor(),
        };
        descriptor.is_none_or(|descriptor| self.special.contains(&(event.process, descriptor)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_take_turns_for_long_are_one_at_a_time() {
        let one_after_the_other = [vec![1; 2000], vec![2; 3000]].concat();
        assert!(beside_share(&one_after_the_other) < 0.05);
        let at_once: Vec<_> = (0..5000).map(|at| at % 2).collect();
        assert!(beside_share(&at_once) > 0.4);
        assert!(beside_share(&[]) < f64::EPSILON);
    }
}
