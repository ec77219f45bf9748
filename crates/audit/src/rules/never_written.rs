//! R73: files opened for reading and writing (`O_RDWR`) that are only read.

use crate::call_key::TERMINAL_SETTINGS;
use crate::cases::{Cases, Scene};
use crate::finding::RuleId;
use crate::interest::Interest;
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{ControlCommand, FileAction, StackId};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(73),
    name: "write-access-unused",
    needs: "flags of open, and every call by descriptor",
    guards: &[LOCKED, MAPPED, CONTROLLED, WRITES_SOME, FEW],
    begin: |guards| {
        Box::new(NeverWritten {
            guards,
            files: Recent::default(),
            programs: BTreeMap::new(),
            cases: Cases::default(),
        })
    },
};

const LOCKED: Guard =
    Guard { name: "locked", spares: "the file is locked: an exclusive lock of fcntl needs write access" };
const MAPPED: Guard =
    Guard { name: "mapped", spares: "it is mapped shared and writable: memory is written without a call" };
const CONTROLLED: Guard =
    Guard { name: "controlled", spares: "an ioctl or a change of its attributes may need write access" };
const WRITES_SOME: Guard = Guard {
    name: "writes-some",
    spares: "the program writes to some of the files that it opens so: what it finds in them decides",
};
const FEW: Guard = Guard { name: "few", spares: "one file or two: the next run may write to them" };

/// From this many on it is a habit.
const HABIT: u64 = 3;

const WORDS: Words = Words::cost(
    "files opened with O_RDWR and only read",
    "open them with O_RDONLY: O_RDWR fails on read-only files and mounts, copies the whole file up on overlayfs, and wakes watchers of writers when it is closed",
    "the program may write to them in another run",
);

#[derive(Debug)]
struct NeverWritten {
    guards: Guards,
    files: Recent<FileNumber, Opened>,
    /// By what the processes execute that opened the files: each may open one.
    programs: BTreeMap<Option<PlaceId>, Habit>,
    cases: Cases,
}

/// A file that is open for both.
#[derive(Debug)]
struct Opened {
    program: Option<PlaceId>,
    use_made: Use,
}

/// What was done with it.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug, Default)]
struct Use {
    is_read: bool,
    is_written: bool,
    is_locked: bool,
    is_mapped: bool,
    is_controlled: bool,
}

/// Which decisions to live with it hold the path of an open, and the stack of that.
type Site = (u32, Option<StackId>);

/// What a process does with the files that it opens so.
#[derive(Debug, Default)]
struct Habit {
    written: u64,
    unwritten: u64,
    sites: BTreeMap<Site, (Scene, u64)>,
}

impl Rule for NeverWritten {
    fn interest(&self) -> Interest {
        Interest::by_descriptor().and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if let FileAction::Open { .. } = moment.action() {
            self.opened(moment);
        } else if let Some(file) = moment.file
            && let Some(opened) = self.files.get_mut(&file.number)
        {
            opened.use_made.see(moment);
        }
        if let FileAction::Copy { to, .. } = moment.action()
            && let Some(entry) = moment.world.descriptor(moment.thread(), moment.process(), *to)
            && let Some(opened) = self.files.get_mut(&entry.file)
        {
            opened.use_made.is_written = true;
        }
        // What is open when the trace ends may be written to yet.
        for file in moment.ended {
            self.ended(moment, *file);
        }
    }

    fn finish(&mut self, world: &World) {
        for habit in std::mem::take(&mut self.programs).into_values() {
            let all = habit.unwritten + habit.written;
            if self.guards.spare(FEW, habit.unwritten < HABIT)
                || self.guards.spare(WRITES_SOME, habit.written * 10 > all)
            {
                continue;
            }
            // No call is spared: what it costs is in no call's price.
            for (scene, count) in habit.sites.into_values() {
                self.cases.add_scene(&scene, count, &[], world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

impl NeverWritten {
    fn opened(&mut self, moment: &Moment<'_>) {
        let Some(file) = moment.plain_file().filter(|_| moment.is_ok()) else { return };
        let is_for_both = file.flags.0 & open_flags::ACCESS_MODE == open_flags::READ_WRITE;
        let is_temporary = open_flags::has(file.flags, open_flags::TEMPORARY);
        // Whoever opens it so means to change it.
        let changes = is_temporary || open_flags::has(file.flags, open_flags::TRUNCATE);
        if is_for_both && !changes {
            let program = moment.world.process(moment.process()).and_then(|process| process.program);
            self.files.insert(file.number, Opened { program, use_made: Use::default() });
        }
    }

    fn ended(&mut self, moment: &Moment<'_>, number: FileNumber) {
        let Some(Opened { program, use_made }) = self.files.remove(&number) else { return };
        let Some(file) = moment.world.file(number) else { return };
        let habit = self.programs.entry(program).or_default();
        if use_made.is_written {
            habit.written += 1;
        } else if use_made.is_read
            && !self.guards.spare(LOCKED, use_made.is_locked)
            && !self.guards.spare(MAPPED, use_made.is_mapped)
            && !self.guards.spare(CONTROLLED, use_made.is_controlled)
        {
            habit.unwritten += 1;
            let tolerated = moment.world.tolerated_set(file.place);
            let site = (tolerated, file.opened_stack);
            if !habit.sites.contains_key(&site) {
                let alike = habit.sites.range((tolerated, None)..=(tolerated, Some(StackId(u32::MAX))));
                let first = alike.map(|(_, (scene, _))| scene).min_by_key(|scene| scene.number());
                let scene = Scene::of_opened(moment, file).owned_as(first);
                habit.sites.insert(site, (scene, 0));
            }
            let Some((scene, count)) = habit.sites.get_mut(&site) else { return };
            scene.also_at(file.place, moment.world);
            *count += 1;
        }
    }
}

impl Use {
    fn see(&mut self, moment: &Moment<'_>) {
        /// `MAP_SHARED` and `PROT_WRITE`.
        const SHARED: u32 = 1;
        const WRITABLE: u32 = 2;
        match moment.action() {
            FileAction::Read { .. } | FileAction::Copy { .. } => self.is_read |= moment.value() > Some(0),
            FileAction::Write { .. } | FileAction::Truncate { .. } | FileAction::Allocate { .. } => {
                self.is_written = true;
            }
            FileAction::Map { flags, protection, .. } => {
                self.is_read = true;
                self.is_mapped |= flags & SHARED != 0 && protection & WRITABLE != 0;
            }
            FileAction::Lock { .. } | FileAction::Control { command: ControlCommand::Lock, .. } => {
                self.is_locked = true;
            }
            FileAction::DeviceControl { request, .. } => self.is_controlled |= *request != TERMINAL_SETTINGS,
            FileAction::ChangeAttributes { .. } | FileAction::ChangeMode { .. } => self.is_controlled = true,
            _ => {}
        }
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{BOTH, READ, Script};
    fn map_file(script: &mut Script, file: i32, protection: u32) {
        let action = FileAction::Map { descriptor: Some(file), offset: 0, bytes: 4096, protection, flags: 1 };
        script.works("mmap", action);
    }
    fn read_file(script: &mut Script, flags: u32, number: u32) -> i32 {
        let file = script.open(&format!("/data/{number}"), flags);
        script.read(file, 100, 100);
        file
    }
    crate::trio::Trio {
        rule: 73,
        waste: |script| {
            for number in 0..9 {
                let file = read_file(script, BOTH, number);
                script.is_terminal(file);
                map_file(script, file, 1);
                script.close(file);
            }
            // A process for each.
            for number in 0..4 {
                script.fork(200 + number);
                script.act_as(200 + number, 200 + number);
                script.execute("/bin/peek");
                let file = read_file(script, BOTH, number);
                script.close(file);
                script.exit();
                script.act_as(100, 100);
            }
        },
        count: 9 + 4,
        fixed: |script| {
            for number in 0..9 {
                let file = read_file(script, READ, number);
                script.close(file);
            }
        },
        look_alikes: &[
            ("locked", |script| {
                for number in 0..9 {
                    let file = read_file(script, BOTH, number);
                    script.control(file, ControlCommand::Lock);
                    script.close(file);
                }
            }),
            ("mapped", |script| {
                for number in 0..9 {
                    let file = read_file(script, BOTH, number);
                    map_file(script, file, 3);
                    script.close(file);
                }
            }),
            ("controlled", |script| {
                for number in 0..9 {
                    let file = read_file(script, BOTH, number);
                    let request = 0x4004_6602;
                    script.works("ioctl", FileAction::DeviceControl { descriptor: file, request });
                    script.close(file);
                }
            }),
            ("writes-some", |script| {
                for number in 0..9 {
                    let file = read_file(script, BOTH, number);
                    if number % 3 == 0 {
                        script.write(file, 100);
                    }
                    script.close(file);
                }
            }),
            ("few", |script| {
                for number in 0..2 {
                    let file = read_file(script, BOTH, number);
                    script.close(file);
                }
            }),
            // New files, of which nothing can be read.
            ("", |script| {
                for number in 0..9 {
                    let file = script.open(&format!("/data/{number}"), BOTH | open_flags::CREATE);
                    script.read(file, 100, 0);
                    script.close(file);
                }
            }),
            // Still open when the trace ends, and written in the kernel.
            ("", |script| {
                for number in 0..9 {
                    read_file(script, BOTH, number);
                }
            }),
            ("", |script| {
                let from = script.open("/data/from", READ);
                for number in 0..9 {
                    let to = read_file(script, BOTH, number);
                    let (from_offset, to_offset) = (None, None);
                    let action = FileAction::Copy { from, to, bytes: 100, from_offset, to_offset };
                    script.works("copy_file_range", action);
                    script.close(to);
                }
            }),
        ],
    }
};
