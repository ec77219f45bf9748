//! `cargo xtask overhead --hook`: how much longer programs take under the hook and by ptrace, traced and
//! audited, beside the same programs alone. All runs are fresh processes, in an order drawn anew each round.
//! It ends by itself: no round begins that the time does not suffice for.

use super::judging::{make_repository, run, timed};
use super::worker::Place;
use crate::calibrate::figures::Middle;
use crate::calibrate::note;
use fathom_collect::{NoiseSnapshot, noise_between};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::fs::{StatVfsMountFlags, statvfs};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// What is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Program {
    Nothing,
    Pairs,
    Copy,
    Tar,
    GitStatus,
    Shell,
}

/// How it is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Watch {
    Nobody,
    Ptrace,
    Hook,
    Audit,
}

/// How long each run took by the clock, in ms, by round.
type Runs = BTreeMap<(Program, Watch), BTreeMap<u32, f64>>;

/// By ptrace it takes twice as long as all else together: only every so many rounds.
const ROUNDS_OF_PTRACE: u32 = 4;
/// What is prepared takes some seconds more.
const TIME_LIMIT: Duration = Duration::from_secs(150);

/// Opens and closes the file of its first word.
const PAIRS: &str = "#include <fcntl.h>\n#include <unistd.h>\nint main(int count, char **words) {\n\
    for (long i = 0; i < 100000; i++) close(open(words[1], O_RDONLY));\n}\n";
/// So few that twelve rounds fit into the time.
const SHELL: &str = "i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i+1)); done";
/// Copied, in directories of a hundred.
const COPIED_FILES: usize = 15_000;

/// Where all of it lies.
struct Ground {
    fathom: PathBuf,
    folder: PathBuf,
}

/// Where files are written without a device: how long `cp -a` alone takes on one says more of its writeback
/// than of calls. The current directory where there is no such file system.
pub(super) fn in_memory() -> PathBuf {
    let suits = |directory: &Path| {
        let place = fathom_model::Place::Directory(directory.to_owned());
        fathom_collect::place_facts(&place, directory).is_ok_and(|facts| facts.file_system == "tmpfs")
            && statvfs(directory).is_ok_and(|facts| !facts.f_flag.contains(StatVfsMountFlags::NOEXEC))
            && tempfile::tempfile_in(directory).is_ok()
    };
    ["/dev/shm", "/tmp", "/run"]
        .map(PathBuf::from)
        .into_iter()
        .find(|directory| suits(directory))
        .unwrap_or_else(|| {
            note("no file system in memory that programs run from: `cp` waits for the device here");
            PathBuf::from(".")
        })
}

/// Measures and returns the table.
pub(super) fn measure(fathom: &Path, place: &Place, rounds: u32) -> anyhow::Result<String> {
    let ground = Ground { fathom: fathom.to_owned(), folder: place.directory().to_owned() };
    ground.prepare()?;
    let (noise, begun) = (NoiseSnapshot::take(), Instant::now());
    let (mut runs, mut longest) = (Runs::new(), Duration::ZERO);
    for round in 0..rounds {
        if begun.elapsed() + longest > TIME_LIMIT {
            note(&format!("the time is over after {round} of {rounds} rounds"));
            break;
        }
        note(&format!("round {} of {rounds}", round + 1));
        let round_begun = Instant::now();
        let mut order: Vec<_> =
            Program::ALL.into_iter().flat_map(|program| Watch::ALL.map(|watch| (program, watch))).collect();
        order.retain(|(_, watch)| *watch != Watch::Ptrace || round.is_multiple_of(ROUNDS_OF_PTRACE));
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(u64::from(round)));
        for (program, watch) in order {
            let _absent = fs::remove_dir_all(ground.folder.join("copy"));
            let run = timed(&mut ground.command(program, watch))?;
            runs.entry((program, watch)).or_default().insert(round, run.wall);
        }
        longest = longest.max(round_begun.elapsed());
    }
    let noise = noise_between(&noise, &NoiseSnapshot::take());
    let load = |reading: &fathom_model::Reading<f64>| {
        reading.value().map_or("?".to_owned(), |load| format!("{load:.1}"))
    };
    let (begin, end) = (load(&noise.load_average_start), load(&noise.load_average_end));
    let kernel = fathom_collect::environment().kernel;
    Ok(format!(
        "Taken {}, Linux {kernel}, {}, load {begin} to {end}; by ptrace every fourth round.\n\n{}",
        jiff::Timestamp::now().round(jiff::Unit::Second)?,
        place.file_system(),
        table(&runs)
    ))
}

impl Program {
    const ALL: [Self; 6] = [Self::Nothing, Self::Pairs, Self::Copy, Self::Tar, Self::GitStatus, Self::Shell];

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &["true"],
            Self::Pairs => &["./pairs", "pairs.c"],
            Self::Copy => &["cp", "-a", "files", "copy"],
            Self::Tar => &["tar", "-cf", "all.tar", "repository"],
            Self::GitStatus => &["git", "-C", "repository", "status"],
            Self::Shell => &["sh", "-c", SHELL],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nothing => "`true`",
            Self::Pairs => "open+close, 100,000 pairs",
            Self::Copy => "`cp -a` of 15,000 files",
            Self::Tar => "`tar` of 6,000 files",
            Self::GitStatus => "`git status`, 6,000 files",
            Self::Shell => "a shell that runs `/bin/true` 500 times",
        }
    }
}

impl Watch {
    const ALL: [Self; 4] = [Self::Nobody, Self::Ptrace, Self::Hook, Self::Audit];
}

impl Ground {
    fn prepare(&self) -> anyhow::Result<()> {
        make_repository(&self.folder.join("repository"))?;
        for number in 0..COPIED_FILES {
            let directory = self.folder.join(format!("files/d{}", number / 100));
            fs::create_dir_all(&directory)?;
            fs::write(directory.join(format!("{number}")), "a line of some words\n".repeat(20))?;
        }
        fs::write(self.folder.join("pairs.c"), PAIRS)?;
        run(Command::new("cc").args(["-O1", "-o", "pairs", "pairs.c"]).current_dir(&self.folder))
    }

    fn command(&self, program: Program, watch: Watch) -> Command {
        let by = |words: &[&str]| {
            let mut command = Command::new(&self.fathom);
            command.args(words).arg("--").args(program.words());
            command
        };
        let mut command = match watch {
            Watch::Nobody => {
                let mut command = Command::new(program.words()[0]);
                command.args(&program.words()[1..]);
                command
            }
            Watch::Ptrace => by(&["trace", "--progress", "never", "--capture", "ptrace", "-o", "events"]),
            Watch::Hook => by(&["trace", "--progress", "never", "--capture", "hook", "-o", "events"]),
            Watch::Audit => by(&["audit", "--no-config", "--capture", "hook"]),
        };
        command.current_dir(&self.folder);
        command
    }
}

/// Times are medians of those within a round; in brackets without what `true` takes more, which is the start.
fn table(runs: &Runs) -> String {
    let mut text = "| program | alone, ms | ptrace, times | hook, times | hook, audited, times | n |\n|---|---:|---:|---:|---:|---:|\n".to_owned();
    let none = BTreeMap::new();
    let walls = |program, watch| runs.get(&(program, watch)).unwrap_or(&none);
    let nothing = walls(Program::Nothing, Watch::Nobody);
    for program in Program::ALL {
        let alone = walls(program, Watch::Nobody);
        let Some(middle) = Middle::of(&alone.values().copied().collect::<Vec<_>>()) else { continue };
        let mut cells = String::new();
        for watch in [Watch::Ptrace, Watch::Hook, Watch::Audit] {
            let (watched, start) = (walls(program, watch), walls(Program::Nothing, watch));
            let ratio_of = |less: &dyn Fn(u32) -> Option<f64>| {
                let ratios = watched
                    .iter()
                    .filter_map(|(round, wall)| Some(((wall - less(*round)?) / alone.get(round)?).ln()));
                let middle = Middle::of_logarithms(&ratios.collect::<Vec<_>>());
                middle.map_or_else(String::new, |middle| middle.text(2))
            };
            let without = if program == Program::Nothing {
                String::new()
            } else {
                format!(" ({})", ratio_of(&|round| Some(start.get(&round)? - nothing.get(&round)?)))
            };
            let _infallible = write!(cells, " {}{without} |", ratio_of(&|_| Some(0.0)));
        }
        let _infallible = writeln!(text, "| {} | {} |{cells} {} |", program.name(), middle.text(1), middle.n);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_taken_off_within_a_round() {
        let mut runs = Runs::new();
        for (round, slow) in (0..).zip([1.0, 2.0, 4.0]) {
            for program in Program::ALL {
                for watch in Watch::ALL.into_iter().filter(|watch| *watch != Watch::Ptrace || round != 1) {
                    let own = if program == Program::Nothing { 1.0 } else { 10.0 };
                    let wall = match watch {
                        Watch::Nobody => own,
                        // Three times, and five more to start.
                        _ if program == Program::Nothing => own + 5.0,
                        _ => 3.0 * own + 5.0,
                    };
                    runs.entry((program, watch)).or_default().insert(round, wall * slow);
                }
            }
        }
        let text = table(&runs);
        let row = text.lines().find(|line| line.contains("git status")).unwrap();
        assert!(row.contains("| 20.0 [?, ?] | 3.50 [?, ?] (3.00 [?, ?]) |"), "{text}");
        assert_eq!(text.lines().count(), 2 + Program::ALL.len(), "{text}");
    }
}
