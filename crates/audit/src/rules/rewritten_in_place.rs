//! R47: a file that held something is emptied and written anew: whoever reads meanwhile, or
//! finds it after a crash, finds a part.

use crate::cases::{Cases, Scene};
use crate::claims::Claim;
use crate::family::is_shell;
use crate::finding::{RuleId, Severity};
use crate::first_look::{FirstLook, Question};
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileFacts, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(47),
    name: "truncating-rewrite",
    needs: "paths and flags of open, sizes that stat told",
    guards: &[MADE_HERE, EMPTY, LOG_OR_LOCK, RENAMED, UNWRITTEN, NUMBER, OUTPUT, SCRATCH, NAMED, COPIED],
    begin: |guards| {
        Box::new(RewrittenInPlace {
            guards,
            read: Recent::default(),
            knowing: Recent::default(),
            copies: Recent::default(),
            open: Recent::default(),
            outputs: Recent::default(),
            renamed: Recent::default(),
            done: BTreeMap::new(),
            personal: Cases::default(),
            other: Cases::default(),
            named: Cases::default(),
            remade: Cases::default(),
            same_size: Cases::default(),
        })
    },
};

const MADE_HERE: Guard =
    Guard { name: "made-here", spares: "the traced programs made the file: nobody else's data is lost" };
const EMPTY: Guard =
    Guard { name: "empty", spares: "the file held nothing, or nothing is known of what it held" };
const LOG_OR_LOCK: Guard =
    Guard { name: "log-or-lock", spares: "a log, a lock or a file with a process's number" };
const RENAMED: Guard =
    Guard { name: "renamed", spares: "it is renamed into its place afterwards, or removed" };
const UNWRITTEN: Guard = Guard { name: "unwritten", spares: "nothing is written: it was to be emptied" };

const NUMBER: Guard = Guard {
    name: "number",
    spares: "a shell writes no more than a number or a word to it: a counter or a state, as it has no other way to keep one",
};
const OUTPUT: Guard = Guard {
    name: "output",
    spares: "a shell redirects output to it and no traced program had read what was there, or another program writes it and had not looked at it: it is made again as it was made before, as compilers do",
};
const SCRATCH: Guard =
    Guard { name: "scratch", spares: "temporary and built files are made again after a crash" };
const NAMED: Guard = Guard {
    name: "named",
    spares: "the command line names it and it was not read before: it is overwritten as asked, as `cp` does",
};

const COPIED: Guard = Guard {
    name: "copied",
    spares: "a copy was made beside it before (notes~, notes.bak): what is lost can be had there",
};

/// From this many times on it is a habit.
const AGAIN: u64 = 3;
/// A number and a line's end, at most.
const NUMBER_BYTES: u64 = 16;

const FIX: &str = "write a new file beside it, fsync it, rename it over the old one, fsync the directory";
const DOUBT: &str = "what the file holds may be easy to make again";

const PERSONAL: Words = Words::danger(
    Severity::High,
    "settings or personal file truncated and rewritten in place: a crash leaves a part of it",
    FIX,
    DOUBT,
);

const OTHER: Words = Words::danger(
    Severity::Warn,
    "file truncated and rewritten in place: a crash leaves a part of it",
    FIX,
    DOUBT,
);

/// Who named the file on the command line knows that it is being worked on.
const NAMED_FILE: Words = Words::danger(
    Severity::Info,
    "a file that the command line names was read, emptied and written in place: a crash between leaves a part",
    FIX,
    DOUBT,
);

/// What no traced program had read is made from something else, mostly.
const REMADE: Words = Words::danger(
    Severity::Info,
    "a file that was there was emptied and written anew in place: a crash between leaves a part, and so does a look meanwhile",
    FIX,
    "nothing of it was read before: it may be easy to make again",
);

/// What comes out as long as it was each time is a table or a cache that is made again, mostly.
const SAME_SIZE: Words = Words::danger(
    Severity::Info,
    "a file was emptied and written anew again and again, as long as it had been: a crash between leaves a part",
    "do not make anew what has not changed; or write a new file beside it, fsync it, rename it over the old one",
    "its content may differ each time, and be the only one",
);

#[derive(Debug)]
struct RewrittenInPlace {
    guards: Guards,
    /// Places from which something was read.
    read: Recent<PlaceId, ()>,
    /// Processes that opened a file to read it (true), or were told that it holds something.
    knowing: Recent<(u32, PlaceId), bool>,
    /// By directory: the new file that was written last.
    copies: Recent<PlaceId, PlaceId>,
    open: Recent<FileNumber, Emptied>,
    /// Places of output that a shell makes anew.
    outputs: Recent<PlaceId, ()>,
    /// When a name came or went.
    renamed: Recent<PlaceId, u64>,
    done: BTreeMap<PlaceId, Rewritten>,
    personal: Cases,
    other: Cases,
    named: Cases,
    remade: Cases,
    same_size: Cases,
}

#[derive(Debug)]
struct Rewritten {
    scene: Scene,
    count: u64,
    /// What was written last, in bytes, and how often it was as much as the file held before.
    bytes: u64,
    same: u64,
    /// True where something of it was read before.
    is_read: bool,
}

#[derive(Debug)]
struct Emptied {
    /// What the file held, in bytes, where that is known.
    held: Option<u64>,
    place: PlaceId,
    /// The number of the event.
    at: u64,
    scene: Option<Scene>,
    /// A shell does it, or what it runs.
    is_shells: bool,
    /// Something of it was read before, or it was opened to be read.
    is_read: bool,
    bytes: u64,
}

impl Rule for RewrittenInPlace {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Stat,
            Kind::Open,
            Kind::Truncate,
            Kind::Read,
            Kind::Write,
            Kind::Rename,
            Kind::Remove,
        ])
        .but_first_looks()
        .if_ok()
        .and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Open { flags, .. }
                if moment.is_ok() && open_flags::has(*flags, open_flags::TRUNCATE) =>
            {
                self.emptied(moment);
            }
            FileAction::Open { flags, .. }
                if moment.is_ok() && open_flags::can_read(*flags) && !open_flags::can_write(*flags) =>
            {
                if let Some(place) = moment.place {
                    self.knowing.insert((moment.process(), place), true);
                }
            }
            // Not following a link: a runtime makes the path whole.
            FileAction::Stat { target, .. }
                if !matches!(target, Target::Path { follow: false, .. })
                    && holds_something(moment.facts()) =>
            {
                if let Some(place) = moment.place {
                    self.note_told(moment.process(), place);
                }
            }
            FileAction::Truncate { target: Target::Descriptor(_), bytes: 0 } if moment.is_ok() => {
                self.emptied(moment);
            }
            FileAction::Read { .. } if moment.bytes > 0 => {
                if let Some(place) = moment.plain_file().and_then(|file| file.place) {
                    self.read.insert(place, ());
                }
            }
            FileAction::Write { .. } if moment.bytes > 0 => {
                self.may_be_copy(moment);
                if let Some(emptied) = moment.file.and_then(|file| self.open.get_mut(&file.number)) {
                    if emptied.bytes == 0 {
                        emptied.scene = Some(Scene::of(moment));
                    }
                    emptied.bytes += moment.bytes;
                }
            }
            FileAction::Rename { .. } | FileAction::Remove { .. }
                if moment.is_ok() && moment.place != moment.other_place =>
            {
                for place in [moment.place, moment.other_place].into_iter().flatten() {
                    if self.guards.spare(RENAMED, true) {
                        self.done.remove(&place);
                        self.renamed.insert(place, moment.when.number);
                    }
                }
            }
            _ => {}
        }
        // A shell writes by a copy of the descriptor, and what it closes first is another.
        for file in moment.ended {
            self.ended(*file);
        }
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::Truncate])
    }

    fn recall(&mut self, look: &FirstLook, _call: Claim, _world: &World) {
        let is_followed = !matches!(look.question, Question::Stat { follow: false, .. });
        if look.is_ok && is_followed && holds_something(look.facts().as_ref()) {
            self.note_told(look.process, look.place);
        }
    }

    fn finish(&mut self, world: &World) {
        for (place, done) in std::mem::take(&mut self.done) {
            let cases = if world.is_named_by_user(place) {
                &mut self.named
            } else if done.count >= AGAIN && done.same == done.count {
                &mut self.same_size
            } else if !done.is_read {
                &mut self.remade
            } else if is_personal(world.places.path(place)) {
                &mut self.personal
            } else {
                &mut self.other
            };
            cases.add_scene(&done.scene, done.count, &[], world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&PERSONAL, &self.personal),
            (&OTHER, &self.other),
            (&NAMED_FILE, &self.named),
            (&REMADE, &self.remade),
            (&SAME_SIZE, &self.same_size),
        ]
    }
}

impl RewrittenInPlace {
    /// A process is told that a file holds something.
    fn note_told(&mut self, process: u32, place: PlaceId) {
        let is_opened = self.knowing.get(&(process, place)).is_some_and(|is_opened| *is_opened);
        self.knowing.insert((process, place), is_opened);
    }

    fn emptied(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.plain_file() else { return };
        let Some(place) = file.place else { return };
        let at = moment.world.places.get(place);
        let size = at.size_bytes;
        let of_file = file.size_bytes.filter(|_| matches!(moment.action(), FileAction::Truncate { .. }));
        let was_read = self.read.get(&place).is_some();
        let held = size.or(of_file).is_some_and(|size| size > 0) || was_read;
        if self.guards.spare(MADE_HERE, at.is_made || file.is_new)
            || self.guards.spare(EMPTY, !held)
            || self.guards.spare(LOG_OR_LOCK, is_log_or_lock(moment.world.places.name(place)))
            || self.guards.spare(SCRATCH, moment.world.is_scratch(place))
            || self.guards.spare(COPIED, self.has_copy(moment, place))
            || self.guards.spare(NAMED, !was_read && moment.world.is_named_by_user(place))
        {
            return;
        }
        let is_shells = is_shell(moment.process(), moment.world);
        let knows = self.knowing.get(&(moment.process(), place)).copied();
        let is_known = of_file.is_some() || knows.is_some();
        let is_output = if is_shells { !was_read || self.outputs.get(&place).is_some() } else { !is_known };
        if self.guards.spare(OUTPUT, is_output) {
            // Who reads it later reads what was made here.
            self.outputs.insert(place, ());
            return;
        }
        let scene = (!self.guards.spare(UNWRITTEN, true)).then(|| Scene::of(moment));
        self.open.insert(
            file.number,
            Emptied {
                held: size.or(of_file),
                place,
                at: moment.when.number,
                scene,
                is_shells,
                is_read: was_read || knows == Some(true),
                bytes: 0,
            },
        );
    }

    fn may_be_copy(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.plain_file().and_then(|file| file.place) else { return };
        let places = &moment.world.places;
        if let Some(directory) = places.parent(place).filter(|_| places.get(place).is_made) {
            self.copies.insert(directory, place);
        }
    }

    /// True when the file written last beside it has its name and more.
    fn has_copy(&self, moment: &Moment<'_>, place: PlaceId) -> bool {
        let places = &moment.world.places;
        let copy = places.parent(place).and_then(|directory| self.copies.get(&directory));
        copy.is_some_and(|copy| *copy != place && places.name(*copy).starts_with(places.name(place)))
    }

    /// Nothing leads to the file any longer, or the trace has ended.
    fn ended(&mut self, number: FileNumber) {
        let Some(Emptied { held, place, at, scene, is_shells, is_read, bytes }) = self.open.remove(&number)
        else {
            return;
        };
        if self.guards.spare(NUMBER, is_shells && (1..=NUMBER_BYTES).contains(&bytes)) {
            return;
        }
        let is_renamed = self.renamed.get(&place).is_some_and(|renamed| *renamed > at);
        if let Some(scene) = scene.filter(|_| !is_renamed) {
            let new = || Rewritten { scene, count: 0, bytes, same: 0, is_read };
            let done = self.done.entry(place).or_insert_with(new);
            done.is_read |= is_read;
            // The first time it is as long as itself, where no call told how long it was.
            done.same += u64::from(bytes == if done.count > 0 { done.bytes } else { held.unwrap_or(bytes) });
            (done.count, done.bytes) = (done.count + 1, bytes);
        }
    }
}

fn holds_something(facts: Option<&FileFacts>) -> bool {
    facts.and_then(|facts| facts.size_bytes).is_some_and(|bytes| bytes > 0)
}

pub(super) fn is_log_or_lock(name: &str) -> bool {
    const WORDS: [&str; 5] = ["log", "lock", "pid", "LOCK", "lck"];
    name.split(['.', '-', '_']).any(|part| WORDS.contains(&part))
}

fn is_personal(path: &str) -> bool {
    ["/home/", "/root/", "/etc/", "/var/lib/"].iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rule::Guards;
    use crate::script::Script;

    #[test]
    fn a_file_that_the_command_line_names_is_a_note() {
        let severities = |words: &[&str]| {
            let mut script = Script::new();
            script.start_with(words);
            (super::TRIO.waste)(&mut script);
            let mut found = script.findings(Guards::default());
            found.retain(|finding| finding.rule == super::FACTS.id);
            found.iter().map(|one| (one.severity, one.count)).collect::<Vec<_>>()
        };
        assert_eq!(severities(&["app"]), [(Severity::High, 3), (Severity::Warn, 1), (Severity::Info, 1)]);
        let edited = severities(&["edit", "/home/ann/.config/app.json"]);
        assert_eq!(edited, [(Severity::Warn, 1), (Severity::Info, 3), (Severity::Info, 1)]);
    }

    #[test]
    fn what_comes_out_as_long_as_before_each_time_is_a_note() {
        let severity = |sizes: &[u64]| {
            let mut script = Script::new();
            script.stat("/var/lib/app/terms.index", 100);
            let file = script.open("/var/lib/app/terms.index", crate::script::READ);
            script.close(file);
            for bytes in sizes {
                script.stat("/var/lib/app/terms.index", *bytes);
                let file = script.open("/var/lib/app/terms.index", crate::script::TRUNCATE);
                script.write(file, *bytes);
                script.close(file);
            }
            let found = script.findings_of(super::FACTS.id, Guards::default());
            found.iter().map(|one| (one.severity, one.count)).collect::<Vec<_>>()
        };
        assert_eq!(severity(&[100, 100, 100]), [(Severity::Info, 3)]);
        assert_eq!(severity(&[100, 100]), [(Severity::High, 2)], "twice is no habit");
        assert_eq!(severity(&[100, 101, 101]), [(Severity::High, 3)], "it changes");
    }

    #[test]
    fn what_was_asked_for_and_never_read_is_a_note() {
        let severity = |look: fn(&mut Script)| {
            let mut script = Script::new();
            look(&mut script);
            let file = script.open("/home/ann/pages/1.html", crate::script::TRUNCATE);
            script.write(file, 77);
            script.close(file);
            let found = script.findings_of(super::FACTS.id, Guards::default());
            found.iter().map(|one| one.severity).collect::<Vec<_>>()
        };
        assert_eq!(severity(|script| script.lstat("/home/ann/pages/1.html", 500)), [], "PHP's own look");
        assert_eq!(severity(|script| script.stat("/home/ann/pages/1.html", 500)), [Severity::Info]);
        let read = |script: &mut Script| {
            let file = script.open("/home/ann/pages/1.html", crate::script::READ);
            script.read(file, 4096, 100);
            script.close(file);
        };
        assert_eq!(severity(read), [Severity::High]);
    }
}
