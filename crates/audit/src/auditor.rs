//! Events come one by one; what is left at the end are findings. Memory is bounded by what
//! lives: processes, open files, the paths that were named.

use crate::budget::Tally;
use crate::call_key::{Amount, CallKey, On};
use crate::call_tree::TreeTally;
use crate::chosen_calls::ChosenTally;
use crate::classed_calls::ClassTally;
use crate::first_look::{FirstLooks, Question};
use crate::interest::{Asked, Interest, Recalling};
use crate::knowledge::Knowledge;
use crate::moment::{History, Moment, When};
use crate::rule::{Guard, Guards, Rule, RuleFacts};
use crate::rule_choice::RuleChoice;
use crate::rule_list::rule_facts;
use crate::shim::Shim;
use crate::waited::WaitTally;
use crate::world::{FileNumber, OpenFile, PlaceId, Subject, World};
use fathom_events::{FileAction, FileEvent, FileKind, PathTable, RunningProcess, Target};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

mod conclusion;
mod file_state;
mod settings;

/// So many conditions of calls are told apart before they are looked up among all.
const RECENT: usize = 8;

/// Judges events as they come.
#[derive(Debug)]
pub struct Auditor {
    world: World,
    history: History,
    knowledge: &'static Knowledge,
    rules: Vec<AskedRule>,
    /// Which of them are asked at a call.
    asked: Asked,
    /// Which of them take in first looks when a path is named again.
    recalling: Recalling,
    looks: FirstLooks,
    calls: FxHashMap<CallKey, Amount>,
    /// Those of the last few conditions, not yet among the others.
    recent_calls: Vec<(CallKey, Amount)>,
    budgets: Vec<Tally>,
    /// The calls that somebody asks about.
    chosen: Option<ChosenTally>,
    /// Calls by their classes, where somebody wants them.
    pub(crate) classes: Option<ClassTally>,
    /// Calls by what they ask for, where somebody wants them.
    pub(crate) tree: Option<TreeTally>,
    pub(crate) waited: WaitTally,
    /// Of a process that ran before it was watched: when its first and last call came.
    window: Option<(u64, u64)>,
    shim: Shim,
    /// Calls that dynamic loaders made before the programs' own code ran.
    loading: u64,
    /// Runtimes that programs were known to be, by their index.
    runtimes: BTreeSet<usize>,
    /// Rules whose findings nobody wants to hear of: they take no call from others.
    choice: RuleChoice,
    /// Some calls have a stack, and others like them none.
    has_sampled_stacks: bool,
    /// Programs that set up the kernel's asynchronous I/O (libaio), and how often.
    asynchronous: BTreeMap<String, u64>,
    events: u64,
}

/// A rule at work.
#[derive(Debug)]
struct AskedRule {
    facts: &'static RuleFacts,
    rule: Box<dyn Rule>,
    /// It is asked at fewer calls while it remembers nothing.
    sleeps: bool,
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

    /// One that judges without guards of that name, to see what they are for.
    pub fn without_guard(guard: Guard) -> Self {
        Self::with_guards(Guards::without(guard.name))
    }

    /// Takes in a process that came in meanwhile.
    pub fn meet(&mut self, running: &RunningProcess) {
        self.world.meet_running(running);
        self.window.get_or_insert((u64::MAX, 0));
        let program = running.program.as_deref().and_then(|program| program.rsplit('/').next());
        if let Some(runtime) = program.and_then(|program| self.knowledge.runtime_of_program(program)) {
            self.world.set_runtime(running.process, runtime);
        }
    }

    /// True where something is made of how long calls took: the slices and waits of a tree.
    pub fn uses_times(&self) -> bool {
        self.tree.is_some()
    }

    pub(crate) fn with_guards(guards: Guards) -> Self {
        let begun = |facts: &'static RuleFacts| {
            let rule = (facts.begin)(guards);
            let sleeps = rule.interest() != rule.wakes_at();
            AskedRule { facts, rule, sleeps }
        };
        let rules: Vec<_> = rule_facts().iter().map(begun).collect();
        let interests = rules.iter().map(|asked| (asked.rule.interest(), asked.rule.wakes_at()));
        let interests: Vec<_> = interests.collect();
        let recalls: Vec<Interest> = rules.iter().map(|asked| asked.rule.recalls()).collect();
        let (mut world, knowledge) = (World::default(), Knowledge::load());
        world.know_signs(knowledge.signs());
        Self {
            world,
            history: History::default(),
            knowledge,
            rules,
            asked: Asked::new(&interests),
            recalling: Recalling::new(&recalls),
            looks: FirstLooks::default(),
            calls: FxHashMap::default(),
            recent_calls: Vec::with_capacity(RECENT),
            budgets: Vec::new(),
            chosen: None,
            classes: None,
            tree: None,
            waited: WaitTally::default(),
            window: None,
            shim: Shim::default(),
            loading: 0,
            runtimes: BTreeSet::new(),
            choice: RuleChoice::default(),
            has_sampled_stacks: false,
            asynchronous: BTreeMap::new(),
            events: 0,
        }
    }

    /// One whose rules are asked at every call, whatever they say of themselves, and remember first
    /// looks by themselves.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn asking_all_at_all(mut self) -> Self {
        self.asked = Asked::new(&vec![(Interest::ALL, Interest::ALL); self.rules.len()]);
        self.recalling = Recalling::new(&[]);
        self
    }

    /// True where a program of this runtime (`python`, `java`) was seen until now.
    pub fn has_seen_runtime(&self, name: &str) -> bool {
        self.runtimes.iter().any(|&runtime| self.knowledge.runtime_name(runtime) == name)
    }

    /// Takes in the next event, of which somebody keeps the original.
    pub fn observe(&mut self, event: &FileEvent, paths: &PathTable) {
        self.take(event.clone(), paths);
    }

    /// Takes in the next event.
    pub fn take(&mut self, event: FileEvent, paths: &PathTable) {
        let (number, place, file, file_place) = self.judge(&event, paths);
        if matches!(event.action, FileAction::Exit { .. }) {
            self.history.forget(event.thread);
        } else {
            self.history.push(event, number, place, (file, file_place));
        }
    }

    /// Has rules see an event and the world follow it. Tells the event's number, and what it is about.
    fn judge(&mut self, event: &FileEvent, paths: &PathTable) -> About {
        self.events += 1;
        let number = self.events;
        let (thread_calls, process_calls) = self.world.meet(event);
        if let Some((first, last)) = &mut self.window {
            (*first, *last) = (event.at_ns.min(*first), event.at_ns.max(*last));
        }
        let subject = Subject::of(&event.action);
        let place = subject.path.and_then(|target| self.world.place_of(event, target, paths));
        let other_place = subject.other_path.and_then(|target| self.world.place_of(event, target, paths));
        let mut file = self.file_of(event, subject.descriptor);
        if let Some(descriptor) = subject.descriptor.filter(|_| file.is_none()) {
            file = self.world.meet_descriptor(event, number, descriptor);
        }
        let on = file.and_then(|file| self.world.file(file)).and_then(|file| priced_kind(file, &self.world));
        let components = subject.path.map(|target| components_of(target, paths));
        let (key, bytes) = CallKey::of(event, components, on);
        let key = file_state::priced(key, event, (place, file), &self.world);
        self.count(key, bytes);
        self.world.begin(event, number, place, key);
        // What a descriptor leads to is another file now where an open made it, and nowhere else.
        let is_open = matches!(event.action, FileAction::Open { .. });
        let file = if is_open { self.file_of(event, event.outcome.descriptor()).or(file) } else { file };
        let is_import = self.world.follow_import(event, place, file);
        let is_on_trail = self.world.follow_trail(event, file) || is_import;
        let ended = self.ended(event, file);
        let is_unnamed = place.is_some_and(|place| self.looks.is_unnamed(place));
        // Where rules remember by themselves, each asks by itself too.
        let is_first_naming = is_unnamed && self.recalling.all() != 0;
        let named_by_file = file.and_then(|file| self.world.file(file)).and_then(|file| file.place);
        self.recall(&event.action, [place.filter(|_| !is_unnamed), other_place, named_by_file]);
        let mut moment = Moment {
            event,
            when: When {
                number,
                thread_call: low_half(thread_calls),
                process_call: low_half(process_calls),
                at_ns: event.at_ns,
            },
            subject,
            place,
            other_place,
            file: file.and_then(|file| self.world.file(file)),
            is_loaders: self.world.is_loading(event, place),
            is_on_trail,
            is_first_look: false,
            is_first_naming,
            is_judged: false,
            key,
            bytes,
            world: &self.world,
            paths,
            history: &self.history,
            ended: &ended,
        };
        moment.is_judged = moment.is_on_what_is_judged();
        self.loading += u64::from(moment.is_loaders);
        if moment.is_told() {
            moment.is_first_look = is_first_naming && Question::of(&event.action).is_some();
            self.asked.at(&event.action, moment.is_ok(), moment.is_first_look).for_each(|at| {
                let AskedRule { rule, sleeps, .. } = &mut self.rules[at];
                rule.observe(&moment);
                if *sleeps {
                    self.asked.note(at, rule.remembers());
                }
            });
        }
        match place {
            Some(place) if moment.is_first_look => self.looks.keep(&moment, place, self.recalling.all()),
            Some(place) if is_unnamed => self.looks.name(place),
            _ => {}
        }
        for place in [other_place, named_by_file].into_iter().flatten() {
            if self.looks.is_unnamed(place) {
                self.looks.name(place);
            }
        }
        for budget in &mut self.budgets {
            budget.observe(&moment);
        }
        if let Some(chosen) = &mut self.chosen {
            chosen.observe(&moment);
        }
        if let Some(classes) = &mut self.classes {
            classes.observe(&moment);
        }
        self.waited.observe(&moment);
        if let Some(tree) = &mut self.tree {
            tree.observe(&moment);
        }
        let file_place = moment.file.and_then(|file| file.place);
        if event.call == "io_setup" && event.outcome.value().is_some() {
            let program = self.world.process(event.process).and_then(|process| process.program);
            let program = program.map_or("a program", |place| self.world.places.path(place)).to_owned();
            *self.asynchronous.entry(program).or_default() += 1;
        }
        self.world.end(event, number, (place, other_place), file, paths);
        self.tell_runtime(event, place);
        self.shim.observe(event, number, place, &self.world.places);
        (number, place, file, file_place)
    }

    /// Has rules take in the first looks at the places of a call that they need before it.
    fn recall(&mut self, action: &FileAction, places: [Option<PlaceId>; 3]) {
        let due = self.recalling.before(action);
        for place in places.into_iter().flatten().filter(|_| due != 0) {
            let Some((look, call, due)) = self.looks.recall(place, due) else { continue };
            for at in self.recalling.rules(due) {
                let rule = &mut self.rules[at].rule;
                rule.recall(&look, call, &self.world);
                self.asked.note(at, rule.remembers());
            }
        }
    }

    /// Counts a call. A loop makes those of a few conditions in turn.
    fn count(&mut self, key: CallKey, bytes: u64) {
        if let Some((_, amount)) = self.recent_calls.iter_mut().find(|(known, _)| known.is_very(&key)) {
            return amount.add(bytes);
        }
        if self.recent_calls.len() == RECENT {
            self.settle();
        }
        let mut amount = Amount::default();
        amount.add(bytes);
        self.recent_calls.push((key, amount));
    }

    fn settle(&mut self) {
        for (key, amount) in self.recent_calls.drain(..) {
            let sum = self.calls.entry(key).or_default();
            sum.calls += amount.calls;
            sum.bytes += amount.bytes;
        }
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
            FileAction::Duplicate { .. } => self.world.ends_replaced().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn tell_runtime(&mut self, event: &FileEvent, place: Option<PlaceId>) {
        let is_mapped = crate::world::maps_code(&event.action) && !self.world.has_runtime(event.process);
        let of_file = || self.world.file(self.file_of(event, event.action.descriptor())?)?.place;
        let place = if is_mapped { of_file() } else { place };
        let (Some(place), is_ok) = (place, event.outcome.value().is_some()) else { return };
        let runtime = match event.action {
            FileAction::Execute { .. } if is_ok => {
                self.knowledge.runtime_of_program(self.world.places.name(place))
            }
            // What a program is called says more than what it opens.
            FileAction::Open { .. } if is_ok && !self.world.has_runtime(event.process) => {
                self.knowledge.runtime_of_open(self.world.places.path(place))
            }
            FileAction::Map { .. } if is_ok && is_mapped => {
                self.knowledge.runtime_of_code(self.world.places.path(place))
            }
            FileAction::Stat { .. } | FileAction::Open { .. }
                if !is_ok && !self.world.has_runtime(event.process) =>
            {
                self.knowledge.runtime_that_looks_for(self.world.places.name(place))
            }
            _ => None,
        };
        if let Some(runtime) = runtime {
            self.world.set_runtime(event.process, runtime);
            self.runtimes.insert(runtime);
        }
        if let FileAction::Execute { .. } = event.action
            && is_ok
        {
            let is_measurer = self.knowledge.is_measurer(self.world.places.name(place));
            self.world.set_measurer(event.process, is_measurer);
        }
    }
}

/// The number of an event, what it names, and the open file that it is about with its place.
type About = (u64, Option<PlaceId>, Option<FileNumber>, Option<PlaceId>);

/// A number without what goes beyond 32 bits.
fn low_half(number: u64) -> u32 {
    u32::try_from(number & u64::from(u32::MAX)).unwrap_or_default()
}

fn components_of(target: &Target, paths: &PathTable) -> u32 {
    let Target::Path { path, .. } = target else { return 0 };
    let bytes = paths.path(*path).as_encoded_bytes();
    let first = u32::from(bytes.first().is_some_and(|byte| *byte != b'/'));
    // A word begins behind each `/` that no other follows. Paths are short: all of their bytes are
    // looked at sooner than a search for each `/` is begun.
    let begins = bytes.windows(2).map(|pair| u32::from(pair[0] == b'/' && pair[1] != b'/'));
    first + begins.sum::<u32>()
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
