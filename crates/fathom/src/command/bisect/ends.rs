//! The two ends of a search: which commits they are, how far apart, and what they measure.

use super::end::End;
use super::ground::Ground;
use super::measured::Measured;
use crate::arguments::Bisect as Words;
use crate::command::Hinted;
use crate::command::repository::{Repository, git, git_command, said};
use crate::command::stop::Stop;
use std::path::Path;
use std::time::Duration;

/// Counted runs of an end: where all are equal, and where a program varies by itself. Of a program that
/// gives one of two numbers by chance, one in 256 seems exact at both ends.
const RUNS: u32 = 5;
const RUNS_OF_VARYING: u32 = 12;

/// Both ends.
#[derive(Debug)]
pub(super) struct Ends {
    pub(super) good: End,
    pub(super) bad: End,
    /// Commits after the older one, up to the newer one.
    pub(super) commits: u64,
    merges: u64,
}

impl Ends {
    /// Finds both, the older one before the newer one.
    pub(super) fn of(
        words: &Words,
        repository: &Repository,
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<Self> {
        let end = |option: &str, name: &str| -> anyhow::Result<End> {
            let hint = if repository.is_shallow() {
                "this clone is shallow: `git fetch --unshallow` brings the rest of its history"
            } else {
                "`git rev-parse REF` says what a ref names"
            };
            let id = Repository::commit(name, stop, limit)?
                .ok_or_else(|| Hinted::error(format!("{option}: `{name}` is no commit here"), hint))?;
            Ok(End { name: name.to_owned(), commit: Repository::facts(&id, stop, limit)? })
        };
        let (good, bad) = (end("--good", &words.good)?, end("--bad", &words.bad)?);
        let (old, new) = (good.commit.id.as_str(), bad.commit.id.as_str());
        if old == new {
            return Err(Hinted::error(
                format!("{} and {} are one commit, {}", good.name, bad.name, good.commit.short()),
                "--good is an older commit, --bad a newer one",
            ));
        }
        if !is_ancestor(old, new, stop, limit)? {
            return Err(not_ancestor(&good, &bad, repository, stop, limit)?);
        }
        let range = format!("{old}..{new}");
        let count = |words: &[&str]| -> anyhow::Result<u64> {
            Ok(git(Path::new("."), words, stop, limit)?.parse().unwrap_or(0))
        };
        let commits = count(&["rev-list", "--count", &range])?;
        let merges = count(&["rev-list", "--count", "--merges", &range])?;
        Ok(Self { good, bad, commits, merges })
    }

    /// ⌈log₂ n⌉.
    pub(super) fn steps_at_most(&self) -> u32 {
        self.commits.checked_next_power_of_two().map_or(u64::BITS, u64::trailing_zeros)
    }

    /// What is going to happen.
    pub(super) fn sentence(&self) -> String {
        let plural = |count: u64, noun: &str| {
            if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
        };
        let steps = u64::from(self.steps_at_most());
        let merges = match self.merges {
            0 => String::new(),
            some => format!("; {} may cost a step more", plural(some, "merge")),
        };
        format!(
            "{} from {} to {}: at most {} after both ends are measured; a commit that is skipped costs one more{merges}",
            plural(self.commits, "commit"),
            self.good.name,
            self.bad.name,
            plural(steps, "step"),
        )
    }

    /// What is to be known of the repository.
    pub(super) fn notes(
        repository: &Repository,
        stop: &Stop,
        limit: Duration,
    ) -> anyhow::Result<Vec<String>> {
        let mut notes = Vec::new();
        if repository.changed_files(stop, limit)? > 0 {
            notes.push("changes here that are not committed were not measured".to_owned());
        }
        Ok(notes)
    }

    /// Measures both. Where one varies by itself, both are run as often as it takes to know its range.
    pub(super) fn measure(&self, ground: &mut Ground<'_>) -> anyhow::Result<(Measured, Measured)> {
        let mut good = ground.end(&self.good, RUNS, RUNS_OF_VARYING)?;
        let runs = if good.varies() { RUNS_OF_VARYING } else { RUNS };
        let bad = ground.end(&self.bad, runs, RUNS_OF_VARYING)?;
        if bad.varies() && !good.varies() {
            good = ground.end(&self.good, RUNS_OF_VARYING, RUNS_OF_VARYING)?;
        }
        Ok((good, bad))
    }
}

fn is_ancestor(old: &str, new: &str, stop: &Stop, limit: Duration) -> anyhow::Result<bool> {
    let mut command = git_command(Path::new("."), &["merge-base", "--is-ancestor", old, new]);
    Ok(said(&mut command, "git", stop, limit)?.succeeded)
}

/// Why no history leads from one end to the other.
fn not_ancestor(
    good: &End,
    bad: &End,
    repository: &Repository,
    stop: &Stop,
    limit: Duration,
) -> anyhow::Result<anyhow::Error> {
    let (old, new) = (good.commit.id.as_str(), bad.commit.id.as_str());
    if is_ancestor(new, old, stop, limit)? {
        return Ok(Hinted::error(
            format!("the ends are the wrong way round: {} is newer than {}", good.name, bad.name),
            format!(
                "--good {} --bad {}: good is the older end, whichever count is better",
                bad.name, good.name
            ),
        ));
    }
    let mut command = git_command(Path::new("."), &["merge-base", old, new]);
    let base = said(&mut command, "git", stop, limit)?;
    let base = base.stdout.lines().next().unwrap_or_default().to_owned();
    let problem = format!("{} is no ancestor of {}", good.name, bad.name);
    Ok(match (base.is_empty(), repository.is_shallow()) {
        (true, true) => Hinted::error(
            format!("{problem} in this shallow clone, whose history is cut"),
            "`git fetch --unshallow` brings the rest",
        ),
        (true, false) => Hinted::error(
            format!("{problem}: they have no history in common"),
            "both ends lie on one line of history",
        ),
        (false, _) => Hinted::error(
            format!("{problem}: they are on two branches"),
            format!("--good {base}, where the branches part, looks on the side of {}", bad.name),
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_audit::Commit;

    #[test]
    fn steps_are_the_logarithm_rounded_up() {
        let end = || End { name: String::new(), commit: Commit::default() };
        let of = |commits| Ends { good: end(), bad: end(), commits, merges: 0 }.steps_at_most();
        assert_eq!([1, 2, 3, 4, 5, 64, 65, 1000].map(of), [0, 1, 2, 2, 3, 6, 7, 10]);
    }
}
