//! R56: a file of a name that others can foresee, made in a directory where all can write.

use crate::cases::Cases;
use crate::finding::RuleId;
use crate::finding::Severity;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(56),
    name: "unsafe-temporary",
    needs: "paths and flags of open",
    guards: &[EXCLUSIVE, OWN_DIRECTORY, RANDOM, MADE_HERE, NO_FOLLOW, NAMED],
    begin: |guards| Box::new(UnsafeTemporary { guards, shared: Recent::default(), cases: Cases::default() }),
};

const EXCLUSIVE: Guard = Guard { name: "exclusive", spares: "O_EXCL fails where somebody was there first" };
const OWN_DIRECTORY: Guard =
    Guard { name: "own-directory", spares: "a directory below, which others cannot write in" };
const RANDOM: Guard = Guard { name: "random", spares: "nobody can foresee the name" };
const MADE_HERE: Guard = Guard { name: "made-here", spares: "the traced programs made that file before" };
const NO_FOLLOW: Guard =
    Guard { name: "no-follow", spares: "O_NOFOLLOW does not go where a planted link leads" };

const NAMED: Guard =
    Guard { name: "named", spares: "the command line names the file: the program did not choose it" };

const WORDS: Words = Words::danger(
    Severity::High,
    "predictable file name in a world-writable directory, created without O_EXCL",
    "use mkstemp (tempfile, NamedTemporaryFile), O_TMPFILE, or a directory of one's own below $XDG_RUNTIME_DIR",
    "fs.protected_symlinks and fs.protected_regular refuse some of this where they are set",
);

#[derive(Debug)]
struct UnsafeTemporary {
    guards: Guards,
    /// Directories, and whether all can write there.
    shared: Recent<PlaceId, bool>,
    cases: Cases,
}

impl Rule for UnsafeTemporary {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open]).if_ok()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        let FileAction::Open { flags, .. } = moment.action() else { return };
        let Some(place) = moment.judged_place().filter(|_| moment.is_ok()) else { return };
        if !open_flags::has(*flags, open_flags::CREATE) || open_flags::has(*flags, open_flags::TEMPORARY) {
            return;
        }
        let places = &moment.world.places;
        // The machine is asked last.
        if !self.guards.spare(EXCLUSIVE, open_flags::has(*flags, open_flags::EXCLUSIVE))
            && !self.guards.spare(RANDOM, is_random(places.name(place)))
            && !self.guards.spare(MADE_HERE, places.get(place).is_made)
            && !self.guards.spare(NAMED, moment.world.is_named_by_user(place))
            && !self.guards.spare(NO_FOLLOW, open_flags::has(*flags, open_flags::NO_FOLLOW))
            && (self.is_in_shared(place, moment.world)
                || is_below_known(places.path(place)) && !self.guards.spare(OWN_DIRECTORY, true))
        {
            self.cases.add(moment, &[]);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![(&WORDS, &self.cases)]
    }
}

/// Directories in which all can write.
const OF_ALL: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Who may write, and `S_ISVTX`: who shares a directory with others sets both. Where others may write by
/// chance, as in a volume of a container, nobody shares it.
const SHARED: u32 = 0o1002;

fn is_below_known(path: &str) -> bool {
    OF_ALL.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

impl UnsafeTemporary {
    fn is_in_shared(&mut self, place: PlaceId, world: &World) -> bool {
        let Some(directory) = world.places.parent(place) else { return false };
        let path = world.places.path(directory);
        if OF_ALL.contains(&path) {
            return true;
        }
        if let Some(is_shared) = self.shared.get(&directory) {
            return *is_shared;
        }
        let is_shared = world.read_path(path).is_some_and(|facts| facts.permissions & SHARED == SHARED);
        self.shared.insert(directory, is_shared);
        is_shared
    }
}

/// True when a part of the name looks drawn: six characters or more of several classes,
/// but no word and no number.
fn is_random(name: &str) -> bool {
    name.split(|character: char| !character.is_ascii_alphanumeric()).any(|part| {
        let has = |class: fn(&char) -> bool| part.chars().any(|character| class(&character));
        let (digit, lower, upper) =
            (has(char::is_ascii_digit), has(char::is_ascii_lowercase), has(char::is_ascii_uppercase));
        let inside_upper = part.chars().skip(1).any(|character| character.is_ascii_uppercase());
        part.len() >= 6 && (digit && (lower || upper) || lower && upper && inside_upper)
    })
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, TRUNCATE};
    crate::trio::Trio {
        rule: 56,
        waste: |script| {
            script.open("/tmp/app.out", TRUNCATE);
            script.open("/var/tmp/state", CREATE);
        },
        count: 2,
        fixed: |script| {
            script.open("/tmp/app.Xk3Pq9", CREATE | open_flags::EXCLUSIVE);
        },
        look_alikes: &[
            ("exclusive", |script| {
                script.open("/tmp/app.out", CREATE | open_flags::EXCLUSIVE);
            }),
            ("own-directory", |script| {
                script.open("/tmp/app-1000/out", CREATE);
            }),
            ("random", |script| {
                script.open("/tmp/tmpq7xk2a9z", TRUNCATE);
            }),
            ("made-here", |script| {
                let file = script.open("/tmp/app.out", CREATE | open_flags::EXCLUSIVE);
                script.close(file);
                script.open("/tmp/app.out", TRUNCATE);
            }),
            ("named", |script| {
                script.start_with(&["sort", "-o", "/tmp/app.out", "/data/in"]);
                script.open("/tmp/app.out", TRUNCATE);
            }),
            ("no-follow", |script| {
                script.open("/tmp/app.out", CREATE | open_flags::NO_FOLLOW);
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auditor::Auditor;
    use crate::script::{CREATE, Script};
    use crate::world::PathFacts;

    #[test]
    fn directories_that_all_share_are_known_by_their_permissions() {
        fn read_path(path: &str) -> Option<PathFacts> {
            let permissions = match path {
                "/srv/spool" => 0o1777,
                "/srv/volume" => 0o777,
                "/srv/data" => 0o755,
                _ => return None,
            };
            Some(PathFacts { permissions, made_ns: None })
        }
        let found = |path: &str, flags: u32| {
            let mut script = Script::new();
            script.open(path, CREATE | flags);
            let mut auditor = Auditor::new().started_at(10, read_path);
            script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
            auditor.finish().findings.iter().filter(|finding| finding.rule == FACTS.id).count()
        };
        assert_eq!(found("/srv/spool/labels.4711", 0), 1);
        assert_eq!(found("/srv/spool/labels.4711", open_flags::EXCLUSIVE), 0);
        assert_eq!(found("/srv/volume/labels.4711", 0), 0, "nobody meant to share it");
        assert_eq!(found("/srv/data/labels.4711", 0), 0);
        assert_eq!(found("/tmp/mine/labels.4711", 0), 0, "a directory of its own");
    }
}
