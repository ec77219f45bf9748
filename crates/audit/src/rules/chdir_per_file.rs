//! R72: the current directory changed to reach every file or two.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::finding::RuleId;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::{DescriptorKind, FileAction, Target};
use rustc_hash::FxHashMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(72),
    name: "chdir-per-file",
    needs: "chdir, fchdir and paths as the program gave them",
    guards: &[STARTS, BINDS, MANY, FEW],
    begin: |guards| {
        Box::new(ChdirPerFile { guards, processes: FxHashMap::default(), cases: Cases::default() })
    },
};

const STARTS: Guard =
    Guard { name: "starts", spares: "children are started there: they are to begin in that directory" };
const BINDS: Guard = Guard {
    name: "binds",
    spares: "sockets are made there: the path of a socket has at most 107 bytes, and a relative one is short",
};
const MANY: Guard =
    Guard { name: "many", spares: "more than a quarter of the visits reach more than two files" };
const FEW: Guard = Guard { name: "few", spares: "fewer than 16 changes" };

/// From this many on it is a habit.
const HABIT: u64 = 16;
/// Files of a visit that a path would have reached as well.
const SHORT_VISIT: u64 = 2;
/// The change that is shown.
const SHOWN: u64 = 4;
/// From so many places on those that are put in again are taken out.
const MANY_PLACES: usize = 1 << 12;

const WORDS: Words = Words::cost(
    "chdir() for every file or two",
    "use a path, or open the directory and use openat(dirfd, name); all threads share the current directory",
    "code that the program calls may take the current directory for granted",
);

#[derive(Debug)]
struct ChdirPerFile {
    guards: Guards,
    processes: FxHashMap<u32, Moves>,
    cases: Cases,
}

/// How a process moves about.
#[derive(Debug, Default)]
struct Moves {
    count: u64,
    calls: Claims,
    /// What was reached by a relative path since the last move.
    reached: Places,
    /// How many files that were before it.
    files: u64,
    /// Moves that reached a file, and those that reached more than two.
    visits: u64,
    long_visits: u64,
    /// Moves after which a child was started, and a socket made.
    starts: u64,
    binds: u64,
    has_started: bool,
    has_bound: bool,
    scene: Option<Scene>,
}

/// Different places, of which most are put in once: they are told apart when there are many.
#[derive(Debug, Default)]
struct Places {
    all: Vec<PlaceId>,
    /// So many of them are known to be different.
    different: usize,
}

impl Places {
    fn put(&mut self, place: PlaceId) {
        if self.all.len() >= 2 * self.different.max(MANY_PLACES) {
            self.tell_apart();
        }
        self.all.push(place);
    }

    fn count(mut self) -> u64 {
        self.tell_apart();
        self.different as u64
    }

    fn tell_apart(&mut self) {
        // Places are numbered as they come: what is sorted in long runs is sorted soon.
        self.all.sort();
        self.all.dedup();
        self.different = self.all.len();
    }
}

impl Rule for ChdirPerFile {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::ChangeDirectory]).if_ok()
    }

    fn remembers(&self) -> bool {
        !self.processes.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        match moment.action() {
            FileAction::ChangeDirectory { .. } => {
                if moment.is_ok() && moment.is_judged() {
                    self.processes.entry(moment.process()).or_default().add(moment);
                }
            }
            FileAction::Exit { whole: true, .. } => self.settle(moment.process(), moment.world),
            action => {
                if let Some(moves) = self.processes.get_mut(&moment.process()) {
                    moves.follow(action, moment);
                }
            }
        }
    }

    fn finish(&mut self, world: &World) {
        for process in world.living().collect::<Vec<_>>() {
            self.settle(process, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl ChdirPerFile {
    fn settle(&mut self, process: u32, world: &World) {
        let Some(mut moves) = self.processes.remove(&process) else { return };
        moves.leave();
        let Some(scene) = &moves.scene else { return };
        let often = |part: u64| part * 4 > moves.count;
        if often(moves.files)
            && !self.guards.spare(FEW, moves.count < HABIT)
            && !self.guards.spare(MANY, moves.long_visits * 4 > moves.visits)
            && !self.guards.spare(STARTS, often(moves.starts))
            && !self.guards.spare(BINDS, often(moves.binds))
        {
            self.cases.claim_scene(scene, moves.count, &moves.calls, world);
        }
    }
}

impl Moves {
    fn add(&mut self, moment: &Moment<'_>) {
        self.leave();
        self.count += 1;
        self.calls.push(moment.claim());
        if self.count == SHOWN {
            let others: Vec<_> =
                moment.world.process(moment.process()).map(|own| own.directory).into_iter().collect();
            self.scene = Some(Scene::among(moment, moment.any_place(), &others));
        }
    }

    fn follow(&mut self, action: &FileAction, moment: &Moment<'_>) {
        match action {
            FileAction::Fork { is_thread: false, .. } | FileAction::Execute { .. } => self.has_started = true,
            FileAction::MakeDescriptors { kind: DescriptorKind::Socket, .. } => self.has_bound = true,
            FileAction::Open { target, .. }
            | FileAction::Stat { target, .. }
            | FileAction::Access { target, .. }
            | FileAction::ReadLink { target, .. }
            | FileAction::Remove { target, .. }
            | FileAction::Rename { from: target, .. }
            | FileAction::MakeDirectory { target, .. }
            | FileAction::ChangeMode { target, .. }
                if is_relative(target, moment) =>
            {
                moment.place.into_iter().for_each(|place| self.reached.put(place));
            }
            _ => {}
        }
    }

    /// Counts what was done since the last move.
    fn leave(&mut self) {
        let has_moved = self.count > 0;
        let reached = std::mem::take(&mut self.reached).count();
        self.files += if has_moved { reached } else { 0 };
        self.visits += u64::from(has_moved && reached > 0);
        self.long_visits += u64::from(has_moved && reached > SHORT_VISIT);
        self.starts += u64::from(std::mem::take(&mut self.has_started) && has_moved);
        self.binds += u64::from(std::mem::take(&mut self.has_bound) && has_moved);
    }
}

/// True of a path that the current directory leads to.
fn is_relative(target: &Target, moment: &Moment<'_>) -> bool {
    let Target::Path { directory: Target::CURRENT_DIRECTORY, path, .. } = target else { return false };
    let bytes = moment.paths.path(*path).as_encoded_bytes();
    bytes != b"." && bytes.first().is_some_and(|byte| *byte != b'/')
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn go(script: &mut Script, path: &str) {
        let target = script.target(path);
        script.works("chdir", FileAction::ChangeDirectory { target });
    }
    fn read_file(script: &mut Script, path: &str) {
        let file = script.open(path, READ);
        script.read(file, 100, 100);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 72,
        waste: |script| {
            for number in 0..12 {
                go(script, &format!("/data/{number}"));
                read_file(script, "a");
                go(script, "/home");
            }
            script.exit();
            // Two files at each place, and more at one.
            script.act_as(200, 200);
            for number in 0..12 {
                go(script, &format!("/data/{number}"));
                read_file(script, "a");
                read_file(script, "b");
                if number == 0 {
                    (0..30).for_each(|file| read_file(script, &file.to_string()));
                }
                go(script, "/home");
            }
            script.exit();
        },
        count: 48,
        fixed: |script| (0..12).for_each(|number| read_file(script, &format!("/data/{number}/a"))),
        look_alikes: &[
            ("starts", |script| {
                for number in 0..12 {
                    go(script, &format!("/data/{number}"));
                    script.stat("Makefile", 100);
                    script.fork(300 + number);
                    go(script, "/home");
                }
            }),
            ("binds", |script| {
                for number in 0..12 {
                    go(script, &format!("/data/{number}"));
                    script.stat_fails("socket");
                    let made = [Some(40), None];
                    let kind = DescriptorKind::Socket;
                    script.works("socket", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
                    go(script, "/home");
                }
            }),
            ("many", |script| {
                for number in 0..20 {
                    go(script, &format!("/data/{number}"));
                    (0..5).for_each(|file| read_file(script, &file.to_string()));
                }
            }),
            ("few", |script| {
                for number in 0..7 {
                    go(script, &format!("/data/{number}"));
                    read_file(script, "a");
                }
            }),
            // The files are reached by whole paths.
            ("", |script| {
                for number in 0..20 {
                    go(script, &format!("/data/{number}"));
                    read_file(script, "/srv/a");
                }
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_are_put_in_again_count_once_and_do_not_pile_up() {
        let mut world = World::default();
        let known = [0, 1, 2].map(|number| world.places.number(&format!("/data/{number}")));
        let mut places = Places::default();
        (0..10 * MANY_PLACES).for_each(|at| places.put(known[at % 3]));
        assert!(places.all.len() <= 2 * MANY_PLACES, "{}", places.all.len());
        assert_eq!(places.count(), 3);
    }
}
