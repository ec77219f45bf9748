//! One call with everything that is known when it is made.

mod history;

use crate::call_key::{Amount, CallKey, program_errno};
use crate::claims::Claim;
use crate::finding::ExampleCall;
use crate::world::{FileNumber, OpenFile, PlaceId, Subject, World};
use fathom_events::{FileAction, FileEvent, FileFacts, PathTable, Target};
pub(crate) use history::History;

/// How many calls a window holds; a time would make findings depend on the machine's speed.
const WINDOW_CALLS: u64 = 64;

/// When a thread made a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct When {
    /// The number of the event among all.
    pub(crate) number: u64,
    /// Its number among the thread's, and among the process's; both begin anew after 2^32.
    pub(crate) thread_call: u32,
    pub(crate) process_call: u32,
    /// When it returned; 0 without a clock.
    pub(crate) at_ns: u64,
}

impl When {
    /// How many calls further a later one of the same thread is.
    pub(crate) fn thread_calls_until(self, later: Self) -> u64 {
        later.thread_call.wrapping_sub(self.thread_call).into()
    }

    /// True when another call of the same thread lies in the window that begins here.
    pub(crate) fn is_near(self, later: Self) -> bool {
        self.thread_calls_until(later) <= WINDOW_CALLS
    }

    /// True when another call of the same process lies in the window that begins here: by its
    /// thread's calls where it is the same one, else by all of the process.
    pub(crate) fn is_near_in_process(self, later: Self, is_same_thread: bool) -> bool {
        let process_calls = u64::from(later.process_call.wrapping_sub(self.process_call));
        if is_same_thread { self.is_near(later) } else { process_calls <= WINDOW_CALLS }
    }

    /// True when more time than that passed; never without a clock.
    pub(crate) fn is_apart(self, later: Self, ns: u64) -> bool {
        self.at_ns != 0 && later.at_ns.saturating_sub(self.at_ns) > ns
    }
}

/// One call. Open files and places are as they were before it; a file that it opens is there.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Moment<'a> {
    pub(crate) event: &'a FileEvent,
    pub(crate) when: When,
    /// Its parts that name files.
    pub(crate) subject: Subject<'a>,
    /// What it names by path.
    pub(crate) place: Option<PlaceId>,
    /// The other path it names: a rename's new name.
    pub(crate) other_place: Option<PlaceId>,
    /// What its descriptor leads to, or what it opened.
    pub(crate) file: Option<&'a OpenFile>,
    /// True when it is the dynamic loader's.
    pub(crate) is_loaders: bool,
    /// True when its runtime makes such a call there on each file that it opens, or to find code.
    pub(crate) is_on_trail: bool,
    /// True of the first look at a path that no call named before: what rules remember of it is kept
    /// for them ([`crate::first_look`]).
    pub(crate) is_first_look: bool,
    /// True where no call named its path before: nothing is known of it.
    pub(crate) is_first_naming: bool,
    /// What `is_on_what_is_judged` says, once.
    pub(crate) is_judged: bool,
    pub(crate) key: CallKey,
    pub(crate) bytes: u64,
    pub(crate) world: &'a World,
    pub(crate) paths: &'a PathTable,
    pub(crate) history: &'a History,
    /// Open files that nothing leads to after this call.
    pub(crate) ended: &'a [FileNumber],
}

impl<'a> Moment<'a> {
    /// What it is to do.
    pub(crate) fn action(&self) -> &'a FileAction {
        &self.event.action
    }

    /// True when it returned without an error.
    pub(crate) fn is_ok(&self) -> bool {
        self.event.outcome.value().is_some()
    }

    /// What it returned.
    pub(crate) fn value(&self) -> Option<u64> {
        self.event.outcome.value().and_then(|value| u64::try_from(value).ok())
    }

    /// What it failed with.
    pub(crate) fn errno(&self) -> Option<i32> {
        self.event.outcome.errno().map(program_errno)
    }

    /// The process.
    pub(crate) fn process(&self) -> u32 {
        self.event.process
    }

    /// The thread.
    pub(crate) fn thread(&self) -> u32 {
        self.event.thread
    }

    /// True when it is made on what advice holds for: not by the loader, not on devices or on
    /// what the kernel makes up.
    pub(crate) fn is_judged(&self) -> bool {
        self.is_judged
    }

    /// The same, found out.
    pub(crate) fn is_on_what_is_judged(&self) -> bool {
        let is_odd = |place: Option<PlaceId>| place.is_some_and(|place| self.world.places.is_excluded(place));
        let file_place = self.file.and_then(|file| file.place);
        !self.is_loaders
            && !is_odd(self.place)
            && !is_odd(file_place)
            && !self.file.is_some_and(|file| file.is_loaders)
    }

    /// True of a call on what findings are to tell of, and of one that is on no file or changes
    /// what is known of the process.
    pub(crate) fn is_told(&self) -> bool {
        let places = [self.place, self.other_place, self.file.and_then(|file| file.place)];
        let is_of_process = matches!(
            self.action(),
            FileAction::Execute { .. } | FileAction::ChangeDirectory { .. } | FileAction::ChangeRoot { .. }
        );
        self.world.tells_of(None)
            || is_of_process
            || places.iter().all(Option::is_none)
            || places.into_iter().flatten().any(|place| self.world.tells_of(Some(place)))
    }

    /// The regular file that its descriptor leads to, where advice holds.
    pub(crate) fn plain_file(&self) -> Option<&'a OpenFile> {
        self.file.filter(|file| self.is_judged() && file.is_plain(false))
    }

    /// The place of its path, where advice holds.
    pub(crate) fn judged_place(&self) -> Option<PlaceId> {
        self.place.filter(|_| self.is_judged())
    }

    /// What it names, or what its descriptor was opened by.
    pub(crate) fn any_place(&self) -> Option<PlaceId> {
        self.place.or_else(|| self.file.and_then(|file| file.place))
    }

    /// What a stat said.
    pub(crate) fn facts(&self) -> Option<&'a FileFacts> {
        match self.action() {
            FileAction::Stat { facts, .. } => facts.as_deref(),
            _ => None,
        }
    }

    /// This call, known by its number, to be spared.
    pub(crate) fn claim(&self) -> Claim {
        Claim { key: self.key, bytes: self.bytes, number: self.when.number, place: self.any_place() }
    }

    /// This call, to be spared.
    pub(crate) fn avoidable(&self) -> (CallKey, Amount) {
        (self.key, Amount { calls: 1, bytes: self.bytes })
    }

    /// The last calls on the same file or path, this one at the end.
    pub(crate) fn example(&self) -> Vec<ExampleCall> {
        self.history.example(self, &[])
    }

    /// The same with the calls on other places among them.
    pub(crate) fn example_among(&self, others: &[PlaceId]) -> Vec<ExampleCall> {
        self.history.example(self, others)
    }

    /// True when the runtime makes the call by itself, as far as signs tell.
    pub(crate) fn is_runtimes(&self, place: Option<PlaceId>) -> bool {
        let Some(signs) = self.world.signs(self.process()) else { return false };
        let is_stream = self.file.is_some_and(|file| file.is_inherited && file.place.is_none());
        let current = self.world.process(self.process()).map(|process| process.directory);
        let is_searched = |place: PlaceId| {
            let known = self.world.places.get(place);
            let is_searched = known.holds_code || known.is_searched || Some(place) == current;
            is_searched && matches!(self.action(), FileAction::Stat { .. })
        };
        let asks_of_link = matches!(self.action(), FileAction::Stat { target, .. } if asks_of_link(target));
        self.is_on_trail
            || signs.asks_streams && is_stream
            || signs.asks_links && asks_of_link
            || place.is_some_and(|place| signs.owns(self.world.places.path(place)))
            || signs.asks_directories && place.is_some_and(is_searched)
    }

    /// True when an interpreter that gives flags of its own to what it loads looks for code, or for
    /// the real path of what may be code.
    pub(crate) fn looks_for_code(&self) -> bool {
        let is_named_so = |place: PlaceId| {
            let signs = self.world.signs(self.process());
            signs.is_some_and(|signs| signs.load_flags != 0 && signs.loads(self.world.places.name(place)))
        };
        match self.action() {
            FileAction::Open { .. } => self.is_on_trail,
            FileAction::ReadLink { .. } => self.is_on_trail || self.place.is_some_and(is_named_so),
            _ => false,
        }
    }

    /// True of a call on a file that is the runtime's own.
    pub(crate) fn is_on_runtimes_file(&self) -> bool {
        let signs = self.world.signs(self.process());
        let path = self.any_place().map(|place| self.world.places.path(place));
        signs.zip(path).is_some_and(|(signs, path)| signs.owns(path))
    }

    /// True when its program measures files.
    pub(crate) fn is_measurers(&self) -> bool {
        self.world.process(self.process()).is_some_and(|process| process.is_measurer)
    }
}

/// True of a question about a path itself, not about what it may lead to.
fn asks_of_link(target: &Target) -> bool {
    matches!(target, Target::Path { follow: false, .. })
}
