//! The calls of one run by what they are called, what they are about, whose they are and how they
//! ended: what two runs are compared by.

use crate::call_key::{Amount, CallKey};
use crate::call_sites::CallSites;
use crate::finding::Owner;
use crate::glob::Glob;
use crate::moment::Moment;
use crate::path_class::PathClasses;
use crate::world::{PlaceId, World, is_of_libc};
use fathom_events::{DescriptorKind, FileAction, StackId, Target};
use fathom_model::{CallOutcome, CountedCalls};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a call names what it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CallTarget {
    /// By a path.
    Path,
    /// By a descriptor.
    Descriptor,
    /// It is about no file.
    Nothing,
}

/// What calls of two runs are matched by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct CallClass {
    /// The kernel's name of the call.
    pub call: String,
    /// How it names its file.
    pub target: CallTarget,
    /// How it ended.
    pub outcome: OutcomeClass,
    /// The path, without what differs from run to run; in parentheses what is no path.
    pub path: String,
    /// Whose call it is.
    pub owner: Owner,
    /// The program that makes it.
    pub program: String,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeClass {
    /// It succeeded.
    Succeeded,
    /// It failed with this errno.
    Failed(String),
    /// It never returned.
    NeverReturned,
}

/// A line of the user's code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct CodeLine {
    /// The function.
    pub function: Option<String>,
    /// The source's file.
    pub file: Option<String>,
    /// The line, from 1; `None` where it is not known which line of the function.
    pub line: Option<u32>,
    /// What stands there, where the source was read: lines of two versions are matched by it, since
    /// their numbers move.
    #[serde(skip)]
    pub text: Option<String>,
}

/// Reads a line of a source, given its path and the line from 1.
pub type ReadLine<'a> = dyn FnMut(&str, u32) -> Option<String> + 'a;

/// Calls of one class in one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClassedCalls {
    /// How many there were.
    pub count: u64,
    /// The same by what prices tell apart.
    pub conditions: Vec<CountedCalls>,
    /// The same by the line that makes them, where stacks were taken.
    pub lines: BTreeMap<CodeLine, u64>,
}

/// The calls of one run.
pub type RunCalls = BTreeMap<CallClass, ClassedCalls>;

/// Which calls of a run count.
#[derive(Debug, Clone, Default)]
pub struct CallFilter {
    under: Vec<Glob>,
    exclude: Vec<Glob>,
    only: Vec<String>,
}

impl CallFilter {
    /// One that lets every call count.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only calls on what lies below this directory, seen from where the command starts.
    pub fn add_under(&mut self, directory: &str) -> Result<(), String> {
        let directory = directory.trim_end_matches('/');
        for pattern in [directory.to_owned(), format!("{directory}/**")] {
            // Without `/` it would be a name anywhere.
            let pattern = if pattern.contains('/') { pattern } else { format!("{{{pattern},./{pattern}}}") };
            self.under.push(Glob::new(&pattern)?);
        }
        Ok(())
    }

    /// No calls on paths of this pattern.
    pub fn add_exclude(&mut self, pattern: &str) -> Result<(), String> {
        self.exclude.push(Glob::new(pattern)?);
        Ok(())
    }

    /// Only calls of this name or family.
    pub fn add_only(&mut self, name: &str) -> Result<(), String> {
        let calls =
            crate::budget::calls_of(name).ok_or_else(|| format!("`{name}` is no call and no family"))?;
        self.only.extend(calls);
        Ok(())
    }

    fn lets(&self, call: &str, path: Option<&str>, start: Option<&str>) -> bool {
        let is_of =
            |globs: &[Glob]| path.is_some_and(|path| globs.iter().any(|glob| glob.matches(path, start)));
        (self.only.is_empty() || self.only.iter().any(|only| only == call))
            && (self.under.is_empty() || is_of(&self.under))
            && !is_of(&self.exclude)
    }
}

/// What calls are counted by while the run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct TallyKey {
    key: CallKey,
    target: CallTarget,
    place: Option<PlaceId>,
    nameless: Nameless,
    owner: Owner,
    program: Option<PlaceId>,
    stack: Option<StackId>,
}

/// What has no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Nameless {
    Nothing,
    Inherited,
    Kind(DescriptorKind),
    Unknown,
}

/// Counts the calls of a run.
#[derive(Debug, Default)]
pub(crate) struct ClassTally {
    filter: CallFilter,
    classes: PathClasses,
    /// What came of it, at the end.
    run: RunCalls,
    calls: FxHashMap<TallyKey, Amount>,
    processes: BTreeSet<u32>,
}

impl ClassTally {
    pub(crate) fn new(filter: CallFilter, classes: PathClasses) -> Self {
        Self { filter, classes, ..Self::default() }
    }

    /// What came of it.
    pub(crate) fn into_calls(self) -> RunCalls {
        self.run
    }

    /// Takes in a call.
    pub(crate) fn observe(&mut self, moment: &Moment<'_>) {
        self.processes.extend([moment.process(), moment.thread()]);
        let action = moment.action();
        // Memory without a file is no call on the file path.
        if matches!(
            action,
            FileAction::Map { descriptor: None, .. }
                | FileAction::Unmap { .. }
                | FileAction::Remap { .. }
                | FileAction::AdviseMemory { .. }
                | FileAction::Exit { .. }
        ) {
            return;
        }
        let place = moment.any_place();
        let path = place.map(|place| moment.world.places.path(place));
        if !self.filter.lets(moment.event.call, path, moment.world.start_path()) {
            return;
        }
        let target = match (action, moment.place) {
            (FileAction::Open { .. }, _) | (_, Some(_)) => CallTarget::Path,
            (FileAction::Stat { target: Target::Descriptor(_), .. }, None) => CallTarget::Descriptor,
            (_, None) if moment.file.is_some() => CallTarget::Descriptor,
            (_, None) => CallTarget::Nothing,
        };
        let nameless = match (place, moment.file) {
            (Some(_), _) | (None, None) => Nameless::Nothing,
            (None, Some(file)) => match file.descriptor_kind {
                Some(kind) => Nameless::Kind(kind),
                None if file.is_inherited => Nameless::Inherited,
                None => Nameless::Unknown,
            },
        };
        let program = moment.world.process(moment.process()).and_then(|process| process.program);
        let key = TallyKey {
            key: moment.key,
            target,
            place,
            nameless,
            owner: owner(moment, path),
            program,
            stack: moment.event.stack,
        };
        self.calls.entry(key).or_default().add(moment.bytes);
    }

    /// The calls by their classes.
    pub(crate) fn conclude(&mut self, world: &World, sites: &mut CallSites<'_>, read: &mut ReadLine<'_>) {
        let classes = &self.classes;
        let mut run = RunCalls::new();
        let places: BTreeSet<_> =
            self.calls.keys().flat_map(|key| [key.place, key.program]).flatten().collect();
        let by_place: FxHashMap<PlaceId, String> = places
            .into_iter()
            .map(|place| (place, classes.class(world.places.path(place), &self.processes)))
            .collect();
        // The first stack of a place stands for it: which one must not depend on a hash.
        let mut calls: Vec<_> = self.calls.iter().collect();
        calls.sort_unstable_by_key(|(key, _)| (key.stack, key.place, key.key));
        for (key, amount) in calls {
            let condition = key.key.condition(*amount);
            let site = key.stack.and_then(|stack| sites.site(stack.0));
            let class = |place: PlaceId| by_place[&place].clone();
            let program = key.program.map(class).unwrap_or_default();
            let class = CallClass {
                call: condition.call.clone(),
                target: key.target,
                outcome: match &condition.outcome {
                    CallOutcome::Succeeded => OutcomeClass::Succeeded,
                    CallOutcome::Failed(errno) => OutcomeClass::Failed(errno.clone()),
                    CallOutcome::NeverReturned => OutcomeClass::NeverReturned,
                },
                path: key.place.map_or_else(|| nameless(key.nameless).to_owned(), class),
                owner: site.and_then(|_| sites.owner(site)).unwrap_or(key.owner),
                program: program.rsplit('/').next().unwrap_or_default().to_owned(),
            };
            let calls = run.entry(class).or_default();
            calls.count += amount.calls;
            calls.conditions.push(condition);
            let yours = sites.frames(site).iter().find(|frame| frame.owner == Owner::Yours);
            if let Some(frame) = yours {
                let line = CodeLine {
                    function: frame.function.clone(),
                    file: frame.file.as_deref().map(|file| classes.class(file, &self.processes)),
                    line: frame.line,
                    text: frame.file.as_deref().zip(frame.line).and_then(|(file, line)| read(file, line)),
                };
                *calls.lines.entry(line).or_default() += amount.calls;
            }
        }
        // Which of them came first depends on a hash.
        for calls in run.values_mut() {
            calls.conditions.sort_by(|one, other| {
                let key = |call: &CountedCalls| {
                    (call.flags.clone(), call.path_components, call.size_class_bytes, call.count)
                };
                key(one).cmp(&key(other))
            });
        }
        self.run = run;
    }
}

fn nameless(nameless: Nameless) -> &'static str {
    match nameless {
        Nameless::Nothing => "(no file)",
        Nameless::Inherited => "(inherited descriptor)",
        Nameless::Kind(DescriptorKind::Pipe) => "(pipe)",
        Nameless::Kind(DescriptorKind::Socket) => "(socket)",
        Nameless::Kind(DescriptorKind::Kernel) => "(kernel object)",
        Nameless::Kind(DescriptorKind::MemoryFile) => "(memory file)",
        Nameless::Unknown => "(unknown descriptor)",
    }
}

fn owner(moment: &Moment<'_>, path: Option<&str>) -> Owner {
    let place = moment.any_place();
    if moment.is_loaders || moment.file.is_some_and(|file| file.is_loaders) {
        Owner::Loader
    } else if moment.file.is_some_and(|file| file.is_runtimes) || moment.is_runtimes(place) {
        Owner::Runtime
    } else if path.is_some_and(|path| is_of_libc(path, moment.action())) {
        Owner::Libc
    } else {
        Owner::Yours
    }
}
