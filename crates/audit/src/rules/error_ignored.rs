//! R50: a write or an fsync failed, or moved only a part, and the program ended as if it had not.
//!
//! A program heeds an error by saying so on its standard error, by its exit code, or by a retry. A
//! shell says by itself that a command of its own failed, and goes on: its script heeds that only
//! by saying more, or by its exit code; the same holds of a command that ended with an error.

use crate::call_key::{EAGAIN, EBADF, EINTR, EINVAL};
use crate::cases::Cases;
use crate::cases::Scene;
use crate::family::{Family, is_shell};
use crate::finding::RuleId;
use crate::finding::Severity;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId};
use fathom_events::{FileAction, FileKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(50),
    name: "error-ignored",
    needs: "errnos of write, fsync and close, sizes and results of reads and writes, and the program's exit code",
    guards: &[AGAIN, TOLD, EXIT_CODE, RETRIED, DISCARDED, STREAM, END, PEER, KERNEL],
    begin: |guards| {
        Box::new(ErrorIgnored {
            guards,
            family: Family::default(),
            processes: FxHashMap::default(),
            failed: Cases::default(),
            passed_over: Cases::default(),
            part_written: Cases::default(),
            part_read: Cases::default(),
            elsewhere: Cases::default(),
        })
    },
};

const AGAIN: Guard =
    Guard { name: "again", spares: "the errno says to try again, or that the file cannot be synced at all" };
const TOLD: Guard =
    Guard { name: "told", spares: "the program said something on its standard error afterwards" };
const EXIT_CODE: Guard =
    Guard { name: "exit-code", spares: "the program's exit code tells that something went wrong" };
const RETRIED: Guard = Guard {
    name: "retried",
    spares: "the same call on the same file worked afterwards, or took up the rest; or it was opened anew and as much written to it",
};
const DISCARDED: Guard =
    Guard { name: "discarded", spares: "the file was removed afterwards: what it lacks nobody will miss" };
const STREAM: Guard =
    Guard { name: "stream", spares: "pipes, sockets and terminals give and take what they have room for" };
const END: Guard = Guard { name: "end", spares: "the read is shorter because the file ends there" };

const PEER: Guard =
    Guard { name: "peer", spares: "the other end of a pipe or socket went away: no data of a file is lost" };
const KERNEL: Guard = Guard {
    name: "kernel",
    spares: "a setting below /proc or /sys: trying is how a program learns what it may set",
};

/// `EPIPE`: the reader went away, which ends most programs.
const EPIPE: i32 = 32;
/// Failures that are kept of one process.
const KEPT: usize = 64;

const FAILED: Words = Words::danger(
    Severity::High,
    "failed write(), fsync() or close() ignored",
    "look at what write, fsync and close return (flush and close explicitly: destructors swallow errors), say so and fail",
    "the program may have told somebody by other means than its standard error",
);

const PASSED_OVER: Words = Words::danger(
    Severity::Warn,
    "script went on after a command whose write failed, and ended with exit code 0",
    "have the script stop or say so: `set -e`, `command || exit 1`, or look at $?",
    "the script may have looked at the command's exit code and done something else",
);

const PART_WRITTEN: Words = Words::danger(
    Severity::High,
    "short write() ignored: the rest was never written",
    "write until all has gone (write_all, a loop over what write returns), and take 0 or an error for a failure",
    "the program may have told somebody by other means than its standard error",
);

const PART_READ: Words = Words::danger(
    Severity::Warn,
    "short read() ignored: the rest was never read",
    "read until all has come (read_exact, readNBytes, a loop over what read returns)",
    "another program may have cut the file since its size was told, or the rest was not wanted after all",
);

/// What comes after says that the program saw it.
const ELSEWHERE: Words = Words::danger(
    Severity::Info,
    "failed write(), and as many bytes were written to another file instead",
    "say on the standard error, or in the log, that the other file is used",
    "the other file may hold something else of the same length",
);

#[derive(Debug)]
struct ErrorIgnored {
    guards: Guards,
    family: Family,
    processes: FxHashMap<u32, Unsettled>,
    failed: Cases,
    passed_over: Cases,
    part_written: Cases,
    part_read: Cases,
    elsewhere: Cases,
}

/// What became of the errors of one process.
#[derive(Debug, Default)]
struct Unsettled {
    pending: Vec<Pending>,
    /// Files whose failures it told of: those that follow are known.
    told: BTreeSet<FileNumber>,
    /// A shell is saying by itself that a command failed.
    is_announcing: bool,
}

/// What nobody has seen to yet.
#[derive(Debug)]
struct Pending {
    file: Option<FileNumber>,
    place: Option<PlaceId>,
    /// What could not be written, and the event.
    bytes: u64,
    failed_at: u64,
    instead: Instead,
    what: Unheeded,
    scene: Scene,
    /// The program told of it.
    is_told: bool,
}

/// Where as many bytes went as could not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instead {
    Nowhere,
    /// To a file that was opened for it.
    To(PlaceId),
    /// To several: each of its pieces has a file of its own and is as long.
    ToMany,
}

/// What a program did not heed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unheeded {
    Failure,
    /// A command of a script failed.
    PassedOver,
    /// So much was left to be written.
    PartWritten {
        rest_bytes: u64,
    },
    /// What was left begins there.
    PartRead {
        next: u64,
    },
}

impl Rule for ErrorIgnored {
    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[
            Kind::Fork,
            Kind::Read,
            Kind::Write,
            Kind::Sync,
            Kind::Close,
            Kind::Remove,
            Kind::Exit,
        ])
    }

    fn remembers(&self) -> bool {
        !self.processes.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.family.observe(moment);
        if is_message(moment) {
            return self.told(moment);
        }
        if let Some(unsettled) = self.processes.get_mut(&moment.process()) {
            unsettled.is_announcing = false;
        }
        match moment.action() {
            FileAction::Write { .. } | FileAction::Sync { .. } | FileAction::Close { .. } => {
                match moment.errno() {
                    Some(EPIPE) => {}
                    Some(EBADF) if !is_for_reading(moment) => {}
                    Some(errno) => {
                        let is_again = matches!(errno, EINTR | EAGAIN | EINVAL);
                        if !self.guards.spare(AGAIN, is_again)
                            && !self.guards.spare(PEER, is_peer(moment))
                            && !self.guards.spare(KERNEL, is_of_kernel(moment))
                        {
                            self.note(moment, Unheeded::Failure);
                        }
                    }
                    None => self.worked(moment),
                }
            }
            FileAction::Read { bytes, offset, .. } if moment.is_ok() => {
                self.was_read(moment, *bytes, *offset);
            }
            FileAction::Remove { .. } if moment.is_ok() => self.removed(moment),
            FileAction::Exit { code, whole: true } => self.ended(moment, *code == Some(0)),
            _ => {}
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&FAILED, &self.failed),
            (&PART_WRITTEN, &self.part_written),
            (&PART_READ, &self.part_read),
            (&PASSED_OVER, &self.passed_over),
            (&ELSEWHERE, &self.elsewhere),
        ]
    }
}

impl ErrorIgnored {
    fn note(&mut self, moment: &Moment<'_>, what: Unheeded) {
        let file = moment.file.map(|file| file.number);
        let is_script = is_shell(moment.process(), moment.world);
        let unsettled = self.processes.entry(moment.process()).or_default();
        let is_known = file.is_some_and(|file| unsettled.told.contains(&file)) && !is_script;
        if unsettled.pending.len() >= KEPT || self.guards.spare(TOLD, is_known) {
            return;
        }
        let scene = Scene::of_program(moment);
        let what = if is_script && what == Unheeded::Failure { Unheeded::PassedOver } else { what };
        unsettled.is_announcing = is_script;
        let bytes = match moment.action() {
            FileAction::Write { bytes, .. } => *bytes,
            _ => 0,
        };
        let (place, failed_at) = (moment.any_place(), moment.when.number);
        let instead = Instead::Nowhere;
        unsettled.pending.push(Pending {
            file,
            place,
            bytes,
            failed_at,
            instead,
            what,
            scene,
            is_told: false,
        });
    }

    /// Something went to standard error.
    fn told(&mut self, moment: &Moment<'_>) {
        let Some(unsettled) = self.processes.get_mut(&moment.process()) else { return };
        if unsettled.is_announcing || !self.guards.spare(TOLD, true) {
            return;
        }
        for pending in &mut unsettled.pending {
            pending.is_told = true;
            unsettled.told.extend(pending.file);
        }
    }

    /// A process ends, well or with an error.
    fn ended(&mut self, moment: &Moment<'_>, is_well: bool) {
        let pending = self.processes.remove(&moment.process()).unwrap_or_default().pending;
        if !is_well && let Some(shell) = self.family.shell_above(moment.process(), moment.world) {
            let script = &mut self.processes.entry(shell).or_default().pending;
            let failed = pending
                .into_iter()
                .filter(|pending| matches!(pending.what, Unheeded::Failure | Unheeded::PassedOver));
            let room = KEPT.saturating_sub(script.len());
            script.extend(failed.take(room).map(|pending| Pending {
                what: Unheeded::PassedOver,
                is_told: false,
                ..pending
            }));
            return;
        }
        if self.guards.spare(EXIT_CODE, !is_well) {
            return;
        }
        for Pending { what, scene, instead, .. } in pending.into_iter().filter(|pending| !pending.is_told) {
            let cases = match what {
                _ if matches!(instead, Instead::To(_)) => &mut self.elsewhere,
                Unheeded::Failure => &mut self.failed,
                Unheeded::PassedOver => &mut self.passed_over,
                Unheeded::PartWritten { .. } => &mut self.part_written,
                Unheeded::PartRead { .. } => &mut self.part_read,
            };
            cases.add_scene(&scene, 1, &[], moment.world);
        }
    }

    /// Forgets what this call on the same file sees to.
    fn heed(&mut self, moment: &Moment<'_>, is_seen_to: impl Fn(Unheeded) -> bool) {
        let file = moment.file.map(|file| file.number);
        if let Some(unsettled) = self.processes.get_mut(&moment.process())
            && !unsettled.pending.is_empty()
            && self.guards.spare(RETRIED, true)
        {
            unsettled.pending.retain(|known| known.file != file || !is_seen_to(known.what));
        }
    }

    /// A write or an fsync that did not fail.
    fn worked(&mut self, moment: &Moment<'_>) {
        let bytes = match moment.action() {
            FileAction::Write { bytes, .. } if moment.is_ok() => *bytes,
            FileAction::Sync { .. } if moment.is_ok() => 0,
            _ => return,
        };
        self.heed(moment, |what| match what {
            Unheeded::Failure | Unheeded::PassedOver => true,
            Unheeded::PartWritten { rest_bytes } => bytes >= rest_bytes,
            Unheeded::PartRead { .. } => false,
        });
        self.went_instead(moment);
        if 0 < moment.bytes && moment.bytes < bytes && self.is_file(moment) {
            self.note(moment, Unheeded::PartWritten { rest_bytes: bytes - moment.bytes });
        }
    }

    /// As many bytes as could not be written before go to a file that was opened since, by the same process or
    /// another command of its script.
    fn went_instead(&mut self, moment: &Moment<'_>) {
        let Some((file, place)) = moment.file.and_then(|file| Some((file, file.place?))) else { return };
        if !matches!(moment.action(), FileAction::Write { .. }) {
            return;
        }
        let script = self.family.shell_above(moment.process(), moment.world);
        for process in [Some(moment.process()), script].into_iter().flatten() {
            let Some(unsettled) = self.processes.get_mut(&process) else { continue };
            let is_same = |pending: &Pending| {
                matches!(pending.what, Unheeded::Failure | Unheeded::PassedOver)
                    && 0 < pending.bytes
                    && pending.bytes == moment.bytes
                    && file.opened_at > pending.failed_at
            };
            let is_again = |pending: &Pending| is_same(pending) && pending.place == Some(place);
            if self.guards.spare(RETRIED, true) {
                unsettled.pending.retain(|pending| !is_again(pending));
            }
            for pending in unsettled.pending.iter_mut().filter(|pending| is_same(pending)) {
                pending.instead = match pending.instead {
                    Instead::Nowhere if pending.place != Some(place) => Instead::To(place),
                    Instead::To(first) if first != place => Instead::ToMany,
                    known => known,
                };
            }
        }
    }

    /// What lies in a file that is removed nobody misses.
    fn removed(&mut self, moment: &Moment<'_>) {
        let script = self.family.shell_above(moment.process(), moment.world);
        for process in [Some(moment.process()), script].into_iter().flatten() {
            if let Some(unsettled) = self.processes.get_mut(&process)
                && moment.place.is_some()
                && self.guards.spare(DISCARDED, true)
            {
                unsettled.pending.retain(|pending| pending.place != moment.place);
            }
        }
    }

    fn was_read(&mut self, moment: &Moment<'_>, asked: u64, offset: Option<u64>) {
        let Some(file) = moment.file else { return };
        let Some(begin) = offset.or(file.position) else { return };
        self.heed(moment, |what| what == Unheeded::PartRead { next: begin });
        let next = begin + moment.bytes;
        if 0 < moment.bytes && moment.bytes < asked && self.is_file(moment) {
            let is_end = file.size_bytes.is_none_or(|size| next >= size);
            if !self.guards.spare(END, is_end) {
                self.note(moment, Unheeded::PartRead { next });
            }
        }
    }

    /// True of a file: it has all that is asked for, up to its end, and room for all.
    fn is_file(&self, moment: &Moment<'_>) -> bool {
        !self.guards.spare(STREAM, moment.plain_file().is_none())
    }
}

/// True of a write to standard error, by whichever number: shells put it in the place of another.
fn is_message(moment: &Moment<'_>) -> bool {
    let FileAction::Write { descriptor, .. } = moment.action() else { return false };
    let of_errors = || moment.world.descriptor(moment.thread(), moment.process(), 2);
    let is_of_errors =
        || of_errors().is_some_and(|known| moment.file.is_some_and(|file| file.number == known.file));
    moment.is_ok() && (*descriptor == 2 || is_of_errors())
}

/// True of a write into a file that is open for reading alone.
fn is_for_reading(moment: &Moment<'_>) -> bool {
    let is_write = matches!(moment.action(), FileAction::Write { .. });
    is_write
        && moment.plain_file().is_some_and(|file| !file.is_inherited && !open_flags::can_write(file.flags))
}

fn is_peer(moment: &Moment<'_>) -> bool {
    let kind = moment.file.and_then(|file| file.kind);
    matches!(kind, Some(FileKind::Pipe | FileKind::Socket))
}

fn is_of_kernel(moment: &Moment<'_>) -> bool {
    let places = &moment.world.places;
    moment.any_place().is_some_and(|at| places.is_below(at, "/proc") || places.is_below(at, "/sys"))
}

#[cfg(test)]
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;
