//! R71: a directory listed again although nothing in it changed.

use crate::cases::Cases;
use crate::claims::{Claim, Claims};
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, OpenFile, PlaceId};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(71),
    name: "directory-listed-again",
    needs: "getdents and the paths of directories",
    guards: &[CHANGED, NEWS, RARE, MEASURES, FEW],
    begin: |guards| {
        Box::new(DirectoryListedAgain {
            guards,
            running: Recent::default(),
            listed: Recent::default(),
            made_in: Recent::default(),
            changers: Recent::default(),
            cases: Cases::default(),
            own: Cases::default(),
        })
    },
};

const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "something was removed from the directory in between, or added by another process (by its own a few times)",
};
const NEWS: Guard = Guard {
    name: "news",
    spares: "the listings differ in size: a program outside the trace changed the directory",
};
const RARE: Guard = Guard {
    name: "rare",
    spares: "more than a second passed: the program looks for changes that others make",
};
const MEASURES: Guard =
    Guard { name: "measures", spares: "a benchmark lists the same directory again by design" };
const FEW: Guard = Guard { name: "few", spares: "the directory was listed twice" };

/// The third listing is a habit.
const HABIT: u64 = 3;
/// The eighth listing after a change of its own is one.
const HABIT_OF_OWN: u64 = 8;
/// Listings further apart than this, in ns, watch the directory.
const RARE_NS: u64 = 1_000_000_000;

const WORDS: Words = Words::cost(
    "repeated listing of the same directory, nothing in it changed",
    "list it once and keep the names in a set; inotify tells when the directory changes",
    "programs outside the trace may change the directory, and listing it may be meant to notice",
);

const OWN: Words = Words::cost(
    "directory listed again after each file that the process itself created in it",
    "list it once and keep the names in a set, and add to it what is created",
    "programs outside the trace may change the directory, and listing it may be meant to notice",
);

#[derive(Debug)]
struct DirectoryListedAgain {
    guards: Guards,
    running: Recent<FileNumber, Listing>,
    listed: Recent<(u32, PlaceId), Listed>,
    /// When an open may have made a file in a directory.
    made_in: Recent<PlaceId, u64>,
    /// Who made or removed names in a directory.
    changers: Recent<PlaceId, Changers>,
    cases: Cases,
    own: Cases,
}

/// Who made names in a directory last, at which event, and when anybody else did, or took one away.
#[derive(Debug, Default, Clone, Copy)]
struct Changers {
    process: u32,
    at: u64,
    others_at: u64,
}

/// A listing that is not over.
#[derive(Debug, Default)]
struct Listing {
    began: When,
    /// Calls of getdents.
    count: u64,
    bytes: u64,
    calls: Claims,
}

/// Listings of one directory that gave the same names.
#[derive(Debug)]
struct Listed {
    last: When,
    bytes: u64,
    count: u64,
    calls: Claims,
    /// Listings after changes of its own alone.
    of_own: u64,
    own_calls: Claims,
}

impl Rule for DirectoryListedAgain {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Open,
            Kind::List,
            Kind::Seek,
            Kind::Close,
            Kind::Rename,
            Kind::Remove,
            Kind::MakeDirectory,
        ])
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::Open { flags, .. } if open_flags::has(*flags, open_flags::CREATE) => {
                self.may_have_made(moment);
                self.changed(moment);
                return;
            }
            FileAction::MakeDirectory { .. } => {
                self.changed(moment);
                return;
            }
            FileAction::Rename { .. } | FileAction::Remove { .. } => {
                self.emptied(moment);
                return;
            }
            FileAction::List { .. } | FileAction::Seek { .. } | FileAction::Close { .. } => {}
            _ => return,
        }
        let Some(file) = moment.file.filter(|_| moment.is_judged()) else { return };
        if let FileAction::List { .. } = moment.action() {
            if moment.is_ok() {
                self.continue_listing(moment, file);
            }
            return;
        }
        // closedir, or rewinddir: then the next listing needs no open.
        let Some(mut listing) = self.running.remove(&file.number) else { return };
        if let FileAction::Seek { .. } = moment.action() {
            self.running.insert(file.number, Listing::default());
        }
        if listing.count > 0 {
            listing.calls.push(moment.claim());
            self.listed(moment, file, listing);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases), (&OWN, &self.own)]
    }
}

impl DirectoryListedAgain {
    /// Whether a file was there before `O_CREAT` is known where an earlier call reported it.
    fn may_have_made(&mut self, moment: &Moment<'_>) {
        let places = &moment.world.places;
        let Some(place) = moment.place.filter(|place| places.get(*place).exists != Some(true)) else {
            return;
        };
        if let Some(directory) = places.parent(place) {
            self.made_in.insert(directory, moment.when.number);
        }
    }

    /// Who takes names away works off what lies there, and looks for what others have added.
    fn emptied(&mut self, moment: &Moment<'_>) {
        let places = [moment.place, moment.other_place].into_iter().flatten().filter(|_| moment.is_ok());
        for directory in places.filter_map(|place| moment.world.places.parent(place)) {
            self.changers.entry(directory).others_at = moment.when.number;
        }
    }

    /// A process made names.
    fn changed(&mut self, moment: &Moment<'_>) {
        let place = moment.place.filter(|_| moment.is_ok());
        if let Some(directory) = place.and_then(|place| moment.world.places.parent(place)) {
            let known = self.changers.entry(directory);
            if known.process != moment.process() {
                let others_at = known.at.max(known.others_at);
                *known = Changers { process: moment.process(), at: 0, others_at };
            }
            known.at = moment.when.number;
        }
    }

    fn continue_listing(&mut self, moment: &Moment<'_>, file: &OpenFile) {
        if self.running.get(&file.number).is_none() {
            let (number, place) = (file.opened_at, file.place);
            let open = file.opened_key.map(|key| Claim { key, bytes: 0, number, place });
            let calls = open.into_iter().collect();
            self.running.insert(file.number, Listing { calls, ..Listing::default() });
        }
        let listing = self.running.entry(file.number);
        if listing.count == 0 {
            listing.began = moment.when;
        }
        listing.count += 1;
        listing.bytes += moment.bytes;
        listing.calls.push(moment.claim());
    }

    fn listed(&mut self, moment: &Moment<'_>, file: &OpenFile, listing: Listing) {
        let Some(place) = file.place else { return };
        let key = (moment.process(), place);
        let Listing { began, bytes, calls, .. } = listing;
        let new = Listed {
            last: began,
            bytes,
            count: 1,
            calls: Claims::default(),
            of_own: 0,
            own_calls: Claims::default(),
        };
        let Some(before) = self.listed.get_mut(&key) else {
            self.listed.insert(key, new);
            return;
        };
        let places = &moment.world.places;
        let is_changed = !places.has_content_of(place, before.last.number)
            || places.get(place).inside_changed_at > before.last.number
            || self.made_in.get(&place).is_some_and(|made| *made > before.last.number);
        let changers = self.changers.get(&place).copied().unwrap_or_default();
        let is_own = is_changed
            && changers.process == moment.process()
            && changers.at > before.last.number
            && changers.others_at <= before.last.number;
        if is_own && !before.last.is_apart(began, RARE_NS) && !moment.is_measurers() {
            (before.last, before.bytes, before.count) = (began, bytes, 1);
            before.of_own += 1;
            before.own_calls.join(&calls);
            if !self.guards.spare(CHANGED, before.of_own + 1 < HABIT_OF_OWN) {
                let calls = std::mem::take(&mut before.own_calls);
                let times = if before.of_own + 1 == HABIT_OF_OWN { before.of_own } else { 1 };
                self.own.claim_at(moment, Some(place), times, &calls);
            }
            return;
        }
        if self.guards.spare(CHANGED, is_changed)
            || self.guards.spare(NEWS, before.bytes != bytes)
            || self.guards.spare(RARE, before.last.is_apart(began, RARE_NS))
            || self.guards.spare(MEASURES, moment.is_measurers())
        {
            *before = new;
            return;
        }
        before.last = began;
        before.count += 1;
        before.calls.join(&calls);
        if !self.guards.spare(FEW, before.count < HABIT) {
            let times = if before.count == HABIT { HABIT - 1 } else { 1 };
            let calls = std::mem::take(&mut before.calls);
            self.cases.claim_at(moment, Some(place), times, &calls);
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::open_flags::DIRECTORY;
    use crate::script::{CREATE, READ, Script};
    use fathom_events::CallOutcome;
    fn names(script: &mut Script, descriptor: i32, bytes: i64) {
        for bytes in [bytes, 0] {
            let action = FileAction::List { descriptor, entries: None, undecided: None };
            script.call("getdents64", action, CallOutcome::Value(bytes));
        }
    }
    fn list(script: &mut Script, path: &str) {
        let directory = script.open(path, READ | DIRECTORY);
        names(script, directory, 320);
        script.close(directory);
    }
    crate::trio::Trio {
        rule: 71,
        waste: |script| {
            (0..9).for_each(|_| list(script, "/data"));
            let directory = script.open("/srv", READ | DIRECTORY);
            for _ in 0..5 {
                names(script, directory, 64);
                script.seek(directory, 0, fathom_events::Whence::Start, 0);
            }
            script.close(directory);
            for number in 0..9 {
                list(script, "/data/own");
                let file = script.open(&format!("/data/own/{number}"), CREATE);
                script.close(file);
            }
        },
        count: 20,
        fixed: |script| {
            list(script, "/data");
            list(script, "/data/sub");
        },
        look_alikes: &[
            ("changed-between", |script| {
                for number in 0..9 {
                    list(script, "/data");
                    script.act_as(200, 200);
                    let file = script.open(&format!("/data/{number}"), CREATE);
                    script.close(file);
                    script.act_as(100, 100);
                }
            }),
            // It works off what others put there.
            ("changed-between", |script| {
                for number in 0..9 {
                    list(script, "/data");
                    let file = script.open(&format!("/data/{number}.lock"), CREATE);
                    script.close(file);
                    script.remove(&format!("/data/{number}"));
                }
            }),
            ("news", |script| {
                for number in 0..9 {
                    let directory = script.open("/data", READ | DIRECTORY);
                    names(script, directory, 32 * number);
                    script.close(directory);
                }
            }),
            ("rare", |script| {
                for _ in 0..9 {
                    list(script, "/data/spool");
                    script.wait_ms(2_000);
                }
            }),
            ("measures", |script| {
                script.load("/usr/bin/fio");
                (0..9).for_each(|_| list(script, "/data"));
            }),
            ("few", |script| (0..2).for_each(|_| list(script, "/data"))),
            ("", |script| (0..9).for_each(|_| list(script, "/proc/self/fd"))),
            ("", |script| (0..9).for_each(|number| list(script, &format!("/data/{number}")))),
        ],
    }
};
