//! What a trace did not see, or did otherwise than wished.

use crate::call::errno_name;
use std::fmt;
use std::path::{Path, PathBuf};

/// A reservation about a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unseen {
    /// The kernel refused the filter with this errno: the program was stopped at every call.
    EveryCall {
        /// Why.
        errno: i32,
    },
    /// The processes inherit a seccomp filter, whose refusals come before a filter of ours: the
    /// program was stopped at every call.
    InheritedFilter,
    /// A program set up `io_uring`: what it does through it is not seen.
    Ring {
        /// Which.
        program: PathBuf,
        /// Rings that were set up.
        rings: u64,
    },
    /// Calls in another form than this machine's own, of a 32-bit program.
    ForeignCalls {
        /// Which.
        program: PathBuf,
        /// How many.
        calls: u64,
    },
    /// A program was run without the privilege that its file gives.
    PrivilegeLost {
        /// Which.
        program: PathBuf,
        /// What it gives: `setuid`.
        privilege: String,
    },
    /// A program filters its own calls: those that its filter refuses are not seen.
    OwnFilter {
        /// Which.
        program: PathBuf,
    },
    /// A program asked for the strict mode of seccomp, which a filter excludes: it was refused.
    StrictModeRefused {
        /// Which.
        program: PathBuf,
    },
    /// The kernel had no room for records of so many events: all counts are lower bounds.
    Lost {
        /// How many.
        events: u64,
    },
    /// The kernel skipped programs of ours, because they already ran on that CPU, for this command
    /// or for any other process of the machine: it does not say for which.
    Skipped {
        /// How often.
        runs: u64,
    },
    /// Requests that went through `io_uring` and make no events.
    Requests {
        /// Of which program.
        program: PathBuf,
        /// What they were to do, and how many.
        requests: Vec<(String, u64)>,
    },
    /// Processes came into a group and ended before anything could be read of them.
    Vanished {
        /// How many.
        processes: u64,
    },
    /// Processes of a group could not be traced.
    NotTraced {
        /// How many.
        processes: u64,
        /// Why not the first of them.
        reason: String,
    },
    /// Processes were put into a group that is traced, and found there a moment later.
    CameIn {
        /// How many.
        processes: u64,
    },
    /// A process was there whose beginning was not seen.
    UnknownMaker {
        /// Its number.
        process: u32,
    },
}

impl Unseen {
    /// True where calls were made that nobody saw, or a program did not run as it would alone;
    /// false where only the way of watching was another.
    pub fn hides_calls(&self) -> bool {
        !matches!(self, Self::EveryCall { .. } | Self::InheritedFilter)
    }
}

/// Reservations by kind and program, each once.
#[derive(Debug, Default)]
pub(super) struct Reservations(Vec<Unseen>);

impl Reservations {
    /// A ring was set up.
    pub(super) fn ring(&mut self, program: &Path) {
        for known in &mut self.0 {
            if let Unseen::Ring { program: of, rings } = known
                && of == program
            {
                *rings += 1;
                return;
            }
        }
        self.0.push(Unseen::Ring { program: program.to_owned(), rings: 1 });
    }

    /// A foreign call was made.
    pub(super) fn foreign_call(&mut self, program: &Path) {
        for known in &mut self.0 {
            if let Unseen::ForeignCalls { program: of, calls } = known
                && of == program
            {
                *calls += 1;
                return;
            }
        }
        self.0.push(Unseen::ForeignCalls { program: program.to_owned(), calls: 1 });
    }

    /// Processes came into a group that is traced.
    pub(super) fn came_in(&mut self, processes: u64) {
        if processes > 0 {
            self.add(Unseen::CameIn { processes });
        }
    }

    /// Processes of a group could not be traced.
    pub(super) fn not_traced(&mut self, processes: u64, reason: String) {
        self.add(Unseen::NotTraced { processes, reason });
    }

    /// A process of a group had ended when it was looked at.
    pub(super) fn vanished(&mut self) {
        for known in &mut self.0 {
            if let Unseen::Vanished { processes } = known {
                *processes += 1;
                return;
            }
        }
        self.0.push(Unseen::Vanished { processes: 1 });
    }

    /// One that holds once or not at all.
    pub(super) fn add(&mut self, reservation: Unseen) {
        if !self.0.contains(&reservation) {
            self.0.push(reservation);
        }
    }

    /// Takes back what does not hold for a program that was stopped at every call:
    /// the stop comes before the program's own filter.
    pub(super) fn every_call_was_seen(&mut self) {
        self.0.retain(|known| !matches!(known, Unseen::OwnFilter { .. }));
    }

    /// All of them, in the order in which they arose.
    pub(super) fn into_vec(self) -> Vec<Unseen> {
        self.0
    }
}

impl fmt::Display for Unseen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EveryCall { errno } => {
                let errno = errno_name(*errno);
                write!(
                    f,
                    "the kernel refused a system-call filter ({errno}): the program was stopped at every call"
                )
            }
            Self::InheritedFilter => f.write_str(
                "a seccomp filter is in force here already: the program was stopped at every call",
            ),
            Self::Vanished { processes } => write!(
                f,
                "{processes} {} from elsewhere and ended before anything could be read of {}: relative paths of \
                 theirs are not known, nor which mounts they saw",
                if *processes == 1 { "process came" } else { "processes came" },
                if *processes == 1 { "it" } else { "them" },
            ),
            Self::Ring { program, rings } => write!(
                f,
                "{} set up io_uring ({rings} {}): files that it opens through it are not seen",
                program.display(),
                if *rings == 1 { "ring" } else { "rings" }
            ),
            Self::ForeignCalls { program, calls } => write!(
                f,
                "{} made {calls} {} in the form of 32-bit programs, which are not seen",
                program.display(),
                if *calls == 1 { "call" } else { "calls" }
            ),
            Self::PrivilegeLost { program, privilege } => {
                write!(f, "{} ran without the privilege that its file gives ({privilege})", program.display())
            }
            Self::OwnFilter { program } => {
                write!(
                    f,
                    "{} filters its own calls: those that it refuses itself are not seen",
                    program.display()
                )
            }
            Self::StrictModeRefused { program } => write!(
                f,
                "{} was refused the strict mode of seccomp, which the filter of this trace excludes",
                program.display()
            ),
            Self::Lost { events } => write!(
                f,
                "{events} {} lost for want of room: every count is a lower bound, and what followed from \
                 them is not known",
                if *events == 1 { "event was" } else { "events were" }
            ),
            Self::Skipped { runs } => write!(
                f,
                "the kernel skipped {runs} {} of Fathom's programs, for this command or for any other \
                 process of this machine: calls of this command may be missing",
                if *runs == 1 { "run" } else { "runs" }
            ),
            Self::Requests { program, requests } => {
                let requests: Vec<_> =
                    requests.iter().map(|(name, count)| format!("{count} {name}")).collect();
                write!(
                    f,
                    "{} did through io_uring what is counted and not judged: {}",
                    program.display(),
                    requests.join(", ")
                )
            }
            Self::NotTraced { processes, reason } => write!(
                f,
                "{processes} {} could not be traced: {reason}",
                if *processes == 1 { "process" } else { "processes" },
            ),
            Self::CameIn { processes } => write!(
                f,
                "{processes} {} into it by others: up to 20 ms of calls before that was seen are missing",
                if *processes == 1 { "process was put" } else { "processes were put" },
            ),
            Self::UnknownMaker { process } => {
                write!(f, "process {process} was there before it was known who made it")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_program_is_not_a_ring_without_room() {
        let skipped = Unseen::Skipped { runs: 2 };
        assert!(skipped.to_string().starts_with("the kernel skipped 2 runs of Fathom's programs, for this"));
        assert!(skipped.hides_calls() && !skipped.to_string().contains("room"));
        assert!(Unseen::Lost { events: 1 }.to_string().contains("1 event was lost for want of room"));
    }

    #[test]
    fn reservations_of_one_program_are_counted_together() {
        let mut all = Reservations::default();
        let (one, two) = (Path::new("/bin/one"), Path::new("/bin/two"));
        all.ring(one);
        all.foreign_call(one);
        all.ring(two);
        all.ring(one);
        all.add(Unseen::EveryCall { errno: libc::EPERM });
        all.add(Unseen::EveryCall { errno: libc::EPERM });
        let said: Vec<_> = all.into_vec().iter().map(Unseen::to_string).collect();
        assert_eq!(said.len(), 4);
        assert_eq!(
            said[0],
            "/bin/one set up io_uring (2 rings): files that it opens through it are not seen"
        );
        assert!(said[1].contains("1 call in the form"), "{said:?}");
        assert!(said[3].contains("EPERM"), "{said:?}");
    }
}
