//! R21: every name of a directory looked up right after it was listed.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileKind, Target};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(21),
    name: "stat-after-readdir",
    needs: "getdents with its entries or bytes, paths of stat and access",
    guards: &[PART, FEW, LINKS, RELATIVE, CHOSEN, CHANGED],
    begin: |guards| {
        Box::new(StatAfterList {
            guards,
            listed: Recent::default(),
            executed: Recent::default(),
            parents: Recent::default(),
            last_running: None,
            kinds: Cases::default(),
            paths: Cases::default(),
            existence: Cases::default(),
        })
    },
};

const PART: Guard = Guard { name: "part", spares: "only some of the names were looked up" };
const FEW: Guard = Guard { name: "few", spares: "a handful of names" };
const LINKS: Guard = Guard {
    name: "links",
    spares: "as many names as are links, of which d_type does not tell what they lead to, or have no d_type",
};
const RELATIVE: Guard = Guard {
    name: "relative",
    spares: "it asks for more than the kind, and relative to the directory or to the current one: sizes and times cost no less",
};

const CHOSEN: Guard = Guard {
    name: "chosen",
    spares: "it chose facts by statx's mask that the listing does not tell: a long listing needs them",
};

const CHANGED: Guard = Guard {
    name: "changed-between",
    spares: "something in the directory changed since it was listed: a name may be gone",
};

/// From this many names on, in all directories together, it is worth a word.
const HABIT: u64 = 8;
/// How many subshells lie in each other, at most.
const GENERATIONS: usize = 8;
/// The share of names that is all of them.
const ALL: f64 = 0.8;
/// What an entry takes where their number is not told.
const ENTRY_BYTES: u64 = 32;

/// `STATX_TYPE` and `STATX_MODE`; the kind is in both.
const KIND: u32 = 3;
/// `STATX_BASIC_STATS`: what a program asks for that did not choose.
const EVERYTHING: u32 = 0x7ff;

const KINDS: Words = Words::cost(
    "stat() of nearly every entry after readdir(): d_type tells the kind",
    "take the kind from the listing's d_type",
    "permissions may be what is wanted; where the source of events does not tell d_type, the names may be links",
);

const PATHS: Words = Words::cost(
    "stat() by full path of nearly every entry after readdir()",
    "take existence and kind from the listing (d_type); where sizes or times are needed, ask relative to the directory (fstatat): that saves the way to it",
    "sizes, times or owners may be what is wanted: then only the longer way is to be saved",
)
.uncertain();

const EXISTENCE: Words = Words::cost(
    "access(F_OK) of names that readdir() has just listed: they exist",
    "use the name, and take ENOENT for an answer: between a check and the use it may vanish as well",
    "programs outside the trace may remove names meanwhile",
);

#[derive(Debug)]
struct StatAfterList {
    guards: Guards,
    /// By process: its threads tell each other what they listed, and a program tells whoever ran it.
    listed: Recent<(u32, PlaceId), Listing>,
    /// When a process executed a program, which knows nothing of what was listed before.
    executed: Recent<u32, u64>,
    /// Who made a process.
    parents: Recent<u32, u32>,
    /// The process that called last, the one whose program runs in it, and when that was executed.
    last_running: Option<(u32, u32, u64)>,
    kinds: Cases,
    paths: Cases,
    existence: Cases,
}

#[derive(Debug, Default)]
struct Listing {
    /// The open directory that was listed last, and when.
    file: Option<FileNumber>,
    listed_at: u64,
    /// The program listed it, not another that it ran: of that it may not be told the names.
    is_own: bool,
    entries: u64,
    /// Entries whose kind the listing left open.
    undecided: usize,
    names: FxHashSet<PlaceId>,
    /// Names that turned out to be links.
    links: usize,
    /// How many were asked for their kind alone.
    kinds: usize,
    /// How many were asked for facts that were chosen, more than the kind.
    chosen: usize,
    /// How many were asked by a path, not relative to an open directory.
    by_path: usize,
    calls: Claims,
    scene: Option<Scene>,
    /// Looks whether a name exists.
    looks: Claims,
    looks_scene: Option<Scene>,
}

impl Rule for StatAfterList {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::List, Kind::Stat, Kind::Access, Kind::Fork, Kind::Execute]).if_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::List { entries, undecided, .. } if moment.bytes > 0 && moment.is_judged() => {
                let undecided = undecided.map_or(0, |undecided| undecided as usize);
                let entries = entries.map_or(moment.bytes / ENTRY_BYTES, u64::from);
                self.listed(moment, entries, undecided);
            }
            FileAction::Stat { target: Target::Path { directory, path, .. }, mask, .. } if moment.is_ok() => {
                let Some((place, parent, listing)) = self.listing_of(moment) else { return };
                if !listing.names.insert(place) {
                    return;
                }
                let kind = moment.facts().and_then(|facts| facts.kind);
                listing.kinds += usize::from(*mask != 0 && mask & !KIND == 0);
                let is_more = mask & EVERYTHING != 0 && mask & EVERYTHING & !KIND != 0;
                listing.chosen += usize::from(is_more && mask & EVERYTHING != EVERYTHING);
                let is_way = |path: &[u8]| path.contains(&b'/');
                let has_way = is_way(moment.paths.path(*path).as_encoded_bytes());
                listing.by_path += usize::from(*directory == Target::CURRENT_DIRECTORY && has_way);
                listing.links += usize::from(kind == Some(FileKind::Link));
                listing.calls.push(moment.claim());
                if listing.scene.is_none() {
                    listing.scene = Some(Scene::at(moment, Some(parent)));
                }
            }
            FileAction::Fork { is_thread: false, .. } => {
                if let Some(child) = moment.value().and_then(|child| u32::try_from(child).ok()) {
                    self.last_running = None;
                    self.parents.insert(child, moment.process());
                }
            }
            FileAction::Execute { .. } if moment.is_ok() => {
                self.last_running = None;
                self.executed.insert(moment.process(), moment.when.number);
            }
            FileAction::Access { mode: 0, .. } if moment.is_ok() => self.looked(moment),
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        let mut listed: Vec<_> = self.listed.iter().collect();
        listed.sort_by_key(|(key, _)| **key);
        // A tree has many small directories: they are a habit together.
        let mut processes: BTreeMap<(u32, Question), Vec<Asked<'_>>> = BTreeMap::new();
        for ((process, _), listing) in listed {
            for asked in self.asked(listing).into_iter().chain(listing.looked()) {
                processes.entry((*process, asked.question)).or_default().push(asked);
            }
        }
        for ((_, question), asked) in processes {
            let answered: u64 = asked.iter().map(|asked| asked.calls.calls()).sum();
            if self.guards.spare(FEW, answered < HABIT) {
                continue;
            }
            let cases = match question {
                Question::Kind => &mut self.kinds,
                Question::ByPath => &mut self.paths,
                Question::Existence => &mut self.existence,
            };
            for Asked { scene, calls, .. } in asked {
                cases.claim_scene(scene, calls.calls(), &calls, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&KINDS, &self.kinds), (&PATHS, &self.paths), (&EXISTENCE, &self.existence)]
    }
}

/// What was asked needlessly of the names of one directory.
struct Asked<'a> {
    scene: &'a Scene,
    calls: Claims,
    question: Question,
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    Kind,
    /// By the whole path, for more than the kind.
    ByPath,
    Existence,
}

impl Listing {
    /// Looks whether listed names exist: needed of none.
    fn looked(&self) -> Option<Asked<'_>> {
        let scene = self.looks_scene.as_ref()?;
        Some(Asked { scene, calls: self.looks.clone(), question: Question::Existence })
    }
}

impl StatAfterList {
    /// Entries came: to the process, and to the one that runs it, as `ls` tells a shell.
    fn listed(&mut self, moment: &Moment<'_>, entries: u64, undecided: usize) {
        let Some(file) = moment.file else { return };
        let Some(place) = file.place else { return };
        let own = self.running(moment.process());
        let above = self.parents.get(&own).map(|parent| self.running(*parent));
        for process in [Some(own), above].into_iter().flatten() {
            let listing = self.listed.entry((process, place));
            if listing.file.replace(file.number) != Some(file.number) {
                (listing.entries, listing.undecided) = (0, 0);
            }
            listing.listed_at = moment.when.number;
            listing.is_own |= process == own;
            listing.entries += entries;
            listing.undecided += undecided;
        }
    }

    /// The process that executed the program which runs in this one: a subshell is the shell.
    fn running(&self, process: u32) -> u32 {
        let is_copy = |at: &u32| self.executed.get(at).is_none();
        let up = |at: &u32| self.parents.get(at).copied().filter(|_| is_copy(at));
        std::iter::successors(Some(process), up).take(GENERATIONS).last().unwrap_or(process)
    }

    /// The same, with when it executed that program; most calls are of the process that called last.
    fn running_since(&mut self, process: u32) -> (u32, u64) {
        if let Some((_, running, executed)) = self.last_running.filter(|(last, ..)| *last == process) {
            return (running, executed);
        }
        let running = self.running(process);
        let executed = self.executed.get(&running).copied().unwrap_or_default();
        self.last_running = Some((process, running, executed));
        (running, executed)
    }

    /// What a call names, its directory, and what is known of that, if this program listed it.
    fn listing_of(&mut self, moment: &Moment<'_>) -> Option<(PlaceId, PlaceId, &mut Listing)> {
        let place = moment.judged_place()?;
        let parent = moment.world.places.parent(place)?;
        if !moment.world.places.get(parent).is_listed {
            return None;
        }
        let (process, executed) = self.running_since(moment.process());
        let listing = self.listed.get_mut(&(process, parent))?;
        (listing.listed_at > executed).then_some((place, parent, listing))
    }

    /// A look whether something exists, which does.
    fn looked(&mut self, moment: &Moment<'_>) {
        let guards = self.guards;
        let Some((_, parent, listing)) = self.listing_of(moment) else { return };
        let is_changed = moment.world.places.get(parent).inside_changed_at > listing.listed_at;
        if listing.is_own && !guards.spare(CHANGED, is_changed) {
            listing.looks.push(moment.claim());
            listing.looks_scene.get_or_insert_with(|| Scene::at(moment, Some(parent)));
        }
    }

    /// `None` where the questions were needed.
    fn asked<'a>(&self, listing: &'a Listing) -> Option<Asked<'a>> {
        let scene = listing.scene.as_ref()?;
        let names = listing.names.len();
        let open = listing.undecided.max(listing.links).min(names);
        // Which of the names they are is not told: as many questions are needed.
        let open = if self.guards.spare(LINKS, open > 0) { open as u64 } else { 0 };
        let calls = listing.calls.less(open);
        // "." and ".." are entries that nobody asks for.
        let decided = listing.entries.saturating_sub(2 + open).max(1);
        let share = calls.calls() as f64 / decided as f64;
        if calls.calls() == 0 || self.guards.spare(PART, share < ALL) {
            return None;
        }
        let is_by_path = listing.kinds * 2 <= names || !listing.is_own;
        let is_needed = is_by_path
            && (self.guards.spare(RELATIVE, listing.by_path * 2 <= names)
                || self.guards.spare(CHOSEN, listing.chosen * 2 > names));
        let question = if is_by_path { Question::ByPath } else { Question::Kind };
        (!is_needed).then_some(Asked { scene, calls, question })
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn list_as(script: &mut Script, path: &str, kind: FileKind, (entries, asked): (u32, u32)) {
        let directory = script.open(path, READ | crate::open_flags::DIRECTORY);
        let action =
            FileAction::List { descriptor: directory, entries: Some(entries + 2), undecided: Some(0) };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(i64::from(entries) * 32));
        script.close(directory);
        (0..asked).for_each(|file| script.stat_as(&format!("{path}/{file}"), kind, 10));
    }
    fn list(script: &mut Script, entries: u32, kind: FileKind, asked: u32) {
        list_as(script, "/data", kind, (entries, asked));
    }
    fn list_names(script: &mut Script, path: &str, entries: u32) {
        list_as(script, path, FileKind::Regular, (entries, 0));
    }
    fn look_at(script: &mut Script, path: &str) {
        let target = script.target(path);
        script.works("access", FileAction::Access { target, mode: 0 });
    }
    /// One of many small directories.
    fn list_tree(script: &mut Script, path: &str, entries: u32, asked: u32) {
        list_as(script, path, FileKind::Regular, (entries, asked));
    }
    /// Lists a directory of which some entries are links, and asks for what each leads to.
    fn list_undecided(script: &mut Script, entries: u32, undecided: u32) {
        let directory = script.open("/lib", READ | crate::open_flags::DIRECTORY);
        let action = FileAction::List {
            descriptor: directory,
            entries: Some(entries + 2),
            undecided: Some(undecided),
        };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(i64::from(entries) * 32));
        script.close(directory);
        (0..entries).for_each(|file| script.stat(&format!("/lib/{file}"), 10));
    }
    /// Lists a directory and asks for its names relative to it, with another facts' mask.
    fn ask(script: &mut Script, mask: u32, names: u32) {
        let directory = script.open("/srv", READ | crate::open_flags::DIRECTORY);
        let action = FileAction::List { descriptor: directory, entries: Some(names + 2), undecided: Some(0) };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(i64::from(names) * 32));
        for name in 0..names {
            let facts = Some(Box::new(script.facts(&format!("/srv/{name}"), FileKind::Regular, 10)));
            let Target::Path { path, .. } = script.target(&name.to_string()) else { continue };
            let target = Target::Path { directory, path, follow: false };
            script.works("statx", FileAction::Stat { target, facts, mask });
        }
        script.close(directory);
    }
    crate::trio::Trio {
        rule: 21,
        waste: |script| {
            list(script, 40, FileKind::Regular, 40);
            list_undecided(script, 50, 20);
            ask(script, 3, 30);
            (0..9).for_each(|directory| list_tree(script, &format!("/tree/{directory}"), 4, 4));
            // Listed again, by another thread; one of three names is looked at.
            list_names(script, "/srv/names", 30);
            list_names(script, "/srv/names", 30);
            script.start_thread(101);
            script.act_as(100, 101);
            (0..10).for_each(|name| look_at(script, &format!("/srv/names/{name}")));
            // What `ls` told a shell its subshell asks again.
            script.act_as(100, 100);
            script.execute("/bin/sh");
            script.fork(200);
            script.fork(201);
            script.act_as(200, 200);
            script.execute("/bin/ls");
            list_names(script, "/srv/listed", 12);
            script.exit();
            script.act_as(201, 201);
            (0..12).for_each(|name| script.stat(&format!("/srv/listed/{name}"), 10));
        },
        count: 40 + 30 + 30 + 9 * 4 + 10 + 12,
        fixed: |script| list(script, 40, FileKind::Regular, 0),
        look_alikes: &[
            ("part", |script| list(script, 40, FileKind::Regular, 20)),
            ("few", |script| list(script, 5, FileKind::Regular, 5)),
            ("part", |script| {
                for directory in 0..20 {
                    list_tree(script, &format!("/tree/{directory}"), 4, 2);
                }
            }),
            ("chosen", |script| {
                let directory = script.open("/data", READ | crate::open_flags::DIRECTORY);
                let action =
                    FileAction::List { descriptor: directory, entries: Some(42), undecided: Some(0) };
                script.call("getdents64", action, fathom_events::CallOutcome::Value(1280));
                script.close(directory);
                for name in 0..40 {
                    let path = format!("/data/{name}");
                    let facts = Some(Box::new(script.facts(&path, FileKind::Regular, 10)));
                    let target = script.target(&path);
                    script.works("statx", FileAction::Stat { target, facts, mask: 0x25e });
                }
            }),
            ("changed-between", |script| {
                list_names(script, "/srv/names", 30);
                for name in 0..20 {
                    script.remove(&format!("/srv/names/{}", name + 100));
                    look_at(script, &format!("/srv/names/{name}"));
                }
            }),
            // Names alone, in the current directory: there is no way to save.
            ("relative", |script| {
                let target = script.target("/data");
                script.works("chdir", FileAction::ChangeDirectory { target });
                let directory = script.open(".", READ | crate::open_flags::DIRECTORY);
                let action =
                    FileAction::List { descriptor: directory, entries: Some(42), undecided: Some(0) };
                script.call("getdents64", action, fathom_events::CallOutcome::Value(1280));
                script.close(directory);
                (0..40).for_each(|file| script.stat_as(&file.to_string(), FileKind::Regular, 10));
            }),
            // Whether it may be read no listing tells, nor of a directory that was not listed.
            ("", |script| {
                list_names(script, "/srv/names", 30);
                (0..20).for_each(|name| script.access(&format!("/srv/names/{name}")));
                (0..20).for_each(|name| look_at(script, &format!("/srv/others/{name}")));
            }),
            // What a child found in a directory its parent need not know.
            ("", |script| {
                script.execute("/usr/bin/node");
                script.fork(200);
                script.act_as(200, 200);
                script.execute("/usr/bin/git");
                list_names(script, "/srv/names", 30);
                script.exit();
                script.act_as(100, 100);
                (0..20).for_each(|name| look_at(script, &format!("/srv/names/{name}")));
            }),
            // The shell lists for the program that it executes then.
            ("", |script| {
                list_names(script, "/srv/names", 30);
                script.execute("/bin/sort");
                (0..30).for_each(|name| script.stat(&format!("/srv/names/{name}"), 10));
            }),
            ("relative", |script| ask(script, 0x7ff, 40)),
            ("links", |script| list(script, 40, FileKind::Link, 40)),
            // Each leads to a file, which only the question tells.
            ("links", |script| list_undecided(script, 40, 35)),
            ("links", |script| list_undecided(script, 40, 40)),
        ],
    }
};
