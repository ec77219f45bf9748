//! A first look at all events: what has to be known before the first one goes out.

use super::processes::{Processes, made};
use fathom_events::{CallOutcome, FileAction, FileEvent, PathTable, Target};
use std::collections::BTreeMap;

/// What a look at all events found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventSurvey {
    /// How many there are.
    pub events: u64,
    /// Those of which the source saw beginning and end.
    pub with_duration: u64,
    /// The latest time, in ns since the trace began.
    pub last_ns: u64,
    /// True where any event has a time: a log may have none.
    pub has_times: bool,
    /// How many events each thread has, by its process (by number among all) and the kernel's number.
    pub(super) threads: BTreeMap<(u32, u32), u64>,
    /// The program that each process executed last, in the order in which processes were met.
    pub(super) programs: Vec<Option<String>>,
}

/// Looks at events as they come.
#[derive(Debug, Default)]
pub struct EventSurveyor {
    survey: EventSurvey,
    processes: Processes,
}

impl EventSurveyor {
    /// One that knows of a process which ran before.
    pub fn new(running: Option<&fathom_events::RunningProcess>) -> Self {
        let mut surveyor = Self::default();
        if let Some(running) = running {
            let (process, _) = surveyor.processes.meet(running.process);
            surveyor.set_program(process, running.program.clone());
        }
        surveyor
    }

    /// Takes the next event in.
    pub fn observe(&mut self, event: &FileEvent, paths: &PathTable) {
        let survey = &mut self.survey;
        survey.events += 1;
        survey.with_duration += u64::from(event.took_ns.is_some());
        survey.last_ns = survey.last_ns.max(event.at_ns);
        survey.has_times |= event.at_ns > 0;
        let (process, _) = self.processes.meet(event.process);
        *survey.threads.entry((process, event.thread)).or_default() += 1;
        if let Some((pid, _)) = made(event) {
            self.processes.end(pid);
            let child = self.processes.begin(pid, Some(process));
            let of_maker = self.survey.programs.get(process as usize).cloned().flatten();
            self.set_program(child, of_maker);
        }
        match (&event.action, event.outcome) {
            (FileAction::Execute { target: Target::Path { path, .. } }, CallOutcome::Value(_)) => {
                self.set_program(process, Some(super::name::shown(paths.path(*path))));
            }
            (FileAction::Exit { whole: true, .. }, _) => self.processes.end(event.process),
            _ => {}
        }
    }

    /// What was found.
    pub fn finish(mut self) -> EventSurvey {
        self.survey.programs.resize(self.processes.len(), None);
        self.survey
    }

    fn set_program(&mut self, process: u32, program: Option<String>) {
        let programs = &mut self.survey.programs;
        if programs.len() <= process as usize {
            programs.resize(process as usize + 1, None);
        }
        programs[process as usize] = program;
    }
}

impl EventSurvey {
    /// The program of a process, by its number among all.
    pub(super) fn program(&self, process: u32) -> Option<&str> {
        self.programs.get(process as usize)?.as_deref()
    }

    /// The last part of its path.
    pub(super) fn program_name(&self, process: u32) -> Option<&str> {
        let program = self.program(process)?;
        program.rsplit('/').next().filter(|name| !name.is_empty())
    }
}
