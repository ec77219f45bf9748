//! Events come one by one; what is left at the end are findings. Memory is bounded by what
//! lives: processes, open files, the paths that were named.

use crate::audit::{AUDIT_VERSION, Audit};
use crate::call_key::{Amount, CallKey, On};
use crate::cases::{Case, Group};
use crate::finding::{Finding, FindingPlace, Owner};
use crate::history::History;
use crate::knowledge::Knowledge;
use crate::moment::{Moment, When};
use crate::rule::{Guards, Rule, RuleFacts, Words, rule_facts};
use crate::world::{FileNumber, OpenFile, PlaceId, Subject, World};
use fathom_events::{FileAction, FileEvent, FileKind, PathTable, Target};
use fathom_model::Reading;
use std::collections::HashMap;

/// Judges events as they come.
#[derive(Debug)]
pub struct Auditor {
    world: World,
    history: History,
    knowledge: Knowledge,
    rules: Vec<(&'static RuleFacts, Box<dyn Rule>)>,
    calls: HashMap<CallKey, Amount>,
    events: u64,
}

impl Default for Auditor {
    fn default() -> Self {
        Self::new()
    }
}

impl Auditor {
    /// One that knows nothing yet. Paths relative to a directory it was not told of begin
    /// with `.`.
    pub fn new() -> Self {
        Self::with_guards(Guards::default())
    }

    /// One that knows the absolute path of the directory in which the program was started.
    #[must_use]
    pub fn starting_in(self, directory: &str) -> Self {
        Self { world: World::starting_in(directory), ..self }
    }

    pub(crate) fn with_guards(guards: Guards) -> Self {
        let rules = rule_facts().iter().map(|rule| (rule, (rule.begin)(guards))).collect();
        Self {
            world: World::default(),
            history: History::default(),
            knowledge: Knowledge::load(),
            rules,
            calls: HashMap::new(),
            events: 0,
        }
    }

    /// Takes in the next event.
    pub fn observe(&mut self, event: &FileEvent, paths: &PathTable) {
        self.events += 1;
        let number = self.events;
        self.world.meet(event);
        let subject = Subject::of(&event.action);
        let place = subject.path.and_then(|target| self.world.place_of(event, target, paths));
        let other_place = subject.other_path.and_then(|target| self.world.place_of(event, target, paths));
        if let Some(descriptor) = subject.descriptor {
            self.world.meet_descriptor(event, number, descriptor);
        }
        let file = self.file_of(event, subject.descriptor);
        let on = file.and_then(|file| self.world.file(file)).and_then(|file| priced_kind(file, &self.world));
        let components = subject.path.map(|target| components_of(target, paths));
        let (key, bytes) = CallKey::of(event, components, on);
        self.calls.entry(key).or_default().add(bytes);
        self.world.begin(event, number, place, key);
        let file = self.file_of(event, made_or(event, subject.descriptor)).or(file);
        let ended = self.ended(event, file);
        let thread_call = self.world.thread_calls(event.thread);
        let moment = Moment {
            event,
            when: When { number, thread_call, at_ns: event.at_ns },
            place,
            other_place,
            file: file.and_then(|file| self.world.file(file)),
            is_loaders: self.world.is_loading(event, place),
            key,
            bytes,
            world: &self.world,
            paths,
            history: &self.history,
            ended: &ended,
        };
        for (_, rule) in &mut self.rules {
            rule.observe(&moment);
        }
        let file_place = moment.file.and_then(|file| file.place);
        self.history.push(event, number, place, (file, file_place));
        if matches!(event.action, FileAction::Exit { .. }) {
            self.history.forget(event.thread);
        }
        self.world.end(event, number, (place, other_place), file, paths);
        self.tell_runtime(event, place);
    }

    /// What was found. Findings have no price yet: [`Audit::price`] gives them one.
    pub fn finish(mut self) -> Audit {
        let mut findings = Vec::new();
        for (facts, rule) in &mut self.rules {
            rule.finish(&self.world);
            for (words, cases) in rule.cases() {
                findings.extend(
                    cases.iter().map(|(group, case)| {
                        finding(facts, words, (group, case), &self.world, &self.knowledge)
                    }),
                );
            }
        }
        let mut calls: Vec<_> = self.calls.into_iter().collect();
        calls.sort_unstable_by_key(|(key, _)| *key);
        let mut audit = Audit {
            schema_version: AUDIT_VERSION,
            about: Vec::new(),
            events: self.events,
            processes: self.world.processes_seen,
            files_opened: self.world.files_opened,
            calls: calls.into_iter().map(|(key, amount)| key.condition(amount)).collect(),
            findings,
        };
        audit.rank();
        audit
    }

    fn file_of(&self, event: &FileEvent, descriptor: Option<i32>) -> Option<FileNumber> {
        self.world.descriptor(event.thread, event.process, descriptor?).map(|entry| entry.file)
    }

    /// Open files that this event ends.
    fn ended(&self, event: &FileEvent, file: Option<FileNumber>) -> Vec<FileNumber> {
        let is_last = |file: &OpenFile| file.is_last_reference();
        match event.action {
            FileAction::Close { .. } => file
                .and_then(|file| self.world.file(file))
                .filter(|file| is_last(file))
                .map(|file| file.number)
                .into_iter()
                .collect(),
            FileAction::Exit { whole: true, .. } => {
                let open = self.world.descriptors(event.process);
                open.filter(|(_, _, file)| is_last(file)).map(|(_, _, file)| file.number).collect()
            }
            FileAction::Execute { .. } if event.outcome.value().is_some() => {
                let open = self.world.descriptors(event.process).filter(|(_, entry, _)| entry.close_on_exec);
                open.filter(|(_, _, file)| is_last(file)).map(|(_, _, file)| file.number).collect()
            }
            _ => Vec::new(),
        }
    }

    fn tell_runtime(&mut self, event: &FileEvent, place: Option<PlaceId>) {
        let Some(place) = place.filter(|_| event.outcome.value().is_some()) else { return };
        let runtime = match event.action {
            FileAction::Execute { .. } => self.knowledge.runtime_of_program(self.world.places.name(place)),
            FileAction::Open { .. } => self.knowledge.runtime_of_open(self.world.places.path(place)),
            _ => None,
        };
        if let Some(runtime) = runtime {
            self.world.set_runtime(event.process, runtime);
        }
    }
}

/// The descriptor an open made; else the one the call is about.
fn made_or(event: &FileEvent, descriptor: Option<i32>) -> Option<i32> {
    if matches!(event.action, FileAction::Open { .. }) { event.outcome.descriptor() } else { descriptor }
}

fn components_of(target: &Target, paths: &PathTable) -> u32 {
    let Target::Path { path, .. } = target else { return 0 };
    let bytes = paths.path(*path).as_encoded_bytes();
    let words = bytes.split(|byte| *byte == b'/').filter(|word| !word.is_empty());
    u32::try_from(words.count()).unwrap_or(u32::MAX)
}

/// What prices tell apart.
fn priced_kind(file: &OpenFile, world: &World) -> Option<On> {
    if file.place.is_some_and(|place| world.places.is_excluded(place)) {
        return Some(On::Other);
    }
    match file.kind {
        Some(FileKind::Regular) => Some(On::Regular),
        Some(FileKind::Directory) => Some(On::Directory),
        Some(_) => Some(On::Other),
        None => None,
    }
}

fn finding(
    facts: &RuleFacts,
    words: &Words,
    (group, case): (&Group, &Case),
    world: &World,
    knowledge: &Knowledge,
) -> Finding {
    let known = knowledge.of(facts.id, group.runtime);
    let owner = if group.is_loaders {
        Owner::Loader
    } else if group.is_libcs {
        Owner::Libc
    } else {
        known.owner.unwrap_or(Owner::Yours)
    };
    Finding {
        rule: facts.id,
        title: words.title.to_owned(),
        class: words.class,
        severity: words.severity,
        count: case.count,
        per_file_opened: (world.files_opened > 0).then(|| case.count as f64 / world.files_opened as f64),
        avoidable: case.avoidable(),
        example: case.example.clone(),
        place: FindingPlace {
            paths: case.paths.words(world),
            program: group.program.map(|program| world.places.path(program).to_owned()),
            process: case.process,
            stack: group.stack,
            frames: Vec::new(),
        },
        owner,
        price: Reading::unavailable("no prices were given"),
        fix: known.fix.unwrap_or(words.fix).to_owned(),
        doubt: words.doubt.to_owned(),
        references: known.references,
        suppressed: None,
    }
}
