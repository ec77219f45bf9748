//! R55: a path that led to one file when it was checked, and to another when it was opened; or
//! that could, in a directory where all can write.

use crate::call_key::ENOENT;
use crate::cases::{Cases, Scene};
use crate::claims::Claim;
use crate::finding::{RuleId, Severity};
use crate::first_look::FirstLook;
use crate::interest::{Interest, Kind};
use crate::moment::Moment;
use crate::open_flags;
use crate::own_questions::{AskedBy, OwnQuestions};
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileFacts, FileIdentity, FileKind, Target};
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(55),
    name: "check-use-race",
    needs: "device and inode that stat and fstat told, permissions of directories",
    guards: &[OWN_CHANGE, OF_LINK, NEW_FILE, OWN_FILE, NO_FOLLOW, VERIFIED, NAMED],
    begin: |guards| {
        Box::new(CheckUseRace {
            guards,
            checked: Recent::default(),
            opened: Recent::default(),
            created: Recent::default(),
            permissions: Recent::default(),
            questions: OwnQuestions::default(),
            exposed: BTreeMap::new(),
            of_root: Cases::default(),
            of_writer: Cases::default(),
            perhaps: Cases::default(),
            replaced: Cases::default(),
        })
    },
};

const OWN_CHANGE: Guard =
    Guard { name: "own-change", spares: "a traced program put the other file there between" };
const OF_LINK: Guard =
    Guard { name: "of-the-link", spares: "the check was of a link, the opening of what it leads to" };

const NEW_FILE: Guard = Guard {
    name: "new-file",
    spares: "O_TMPFILE makes a new file in the directory that was checked, and opens that",
};

const OWN_FILE: Guard = Guard {
    name: "own-file",
    spares: "the traced programs made the file, or it is a directory of the user's own: in a sticky directory nobody else can replace it",
};
const NO_FOLLOW: Guard =
    Guard { name: "no-follow", spares: "O_NOFOLLOW or O_EXCL: it does not go where a planted link leads" };
const VERIFIED: Guard = Guard {
    name: "verified",
    spares: "the open file is asked what it is, which may be compared with what the check said",
};
const NAMED: Guard =
    Guard { name: "named", spares: "the command line names the path: the user chose to trust it" };

const DOUBT: &str = "fs.protected_symlinks and fs.protected_regular refuse some of this where they are set";
const FIX: &str = "open first, with O_NOFOLLOW (a new file with O_EXCL), then ask the open file with fstat; for another user's rights open as that user (seteuid), access() does not do it";

const OF_ROOT: Words = Words::danger(
    Severity::High,
    "TOCTOU: root checked a path in a directory where all can write, then opened it by name: anyone can swap the file between",
    FIX,
    DOUBT,
);

const OF_WRITER: Words = Words::danger(
    Severity::Warn,
    "TOCTOU: a path was checked in a directory where all can write, then opened by name for writing: anyone can plant a link between",
    FIX,
    DOUBT,
);

const PERHAPS: Words = Words::danger(
    Severity::Info,
    "a path in a directory where all can write was checked, then opened by name: a file of somebody else's can be swapped between",
    FIX,
    "the program may compare what the open file is with what it checked, or take no other's files",
);

const REPLACED: Words = Words::danger(
    Severity::High,
    "file replaced between its check and its open (TOCTOU)",
    "open first, then ask the open file with fstat; O_NOFOLLOW and openat2 (RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS) keep others from leading it astray",
    "the program may compare both answers itself, and refuse",
);

/// Directories where all can write, on every machine; nobody can replace another's files there.
const OF_ALL: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
const OF_ALL_PERMISSIONS: u32 = 0o1777;
/// The permission of all others to write.
const OTHERS_WRITE: u32 = 0o002;
/// Others cannot rename or remove what is not their own.
const STICKY: u32 = 0o1000;
/// What most people's umask takes off.
const USUAL_MASK: u32 = 0o022;

#[derive(Debug)]
struct CheckUseRace {
    guards: Guards,
    checked: Recent<(u32, PlaceId), Checked>,
    opened: Recent<FileNumber, Checked>,
    /// What a traced program opened with `O_CREAT`: made by it, or R56 tells of it.
    created: Recent<PlaceId, ()>,
    /// Of directories, by what calls set or said.
    permissions: Recent<PlaceId, u32>,
    questions: OwnQuestions,
    /// Opened after a check, where others could have come between.
    exposed: BTreeMap<FileNumber, Exposed>,
    of_root: Cases,
    of_writer: Cases,
    perhaps: Cases,
    replaced: Cases,
}

#[derive(Debug, Clone, Copy)]
struct Checked {
    /// What stat said; access says nothing of it.
    identity: Option<FileIdentity>,
    owner: Option<u32>,
    at: u64,
    is_link: bool,
    is_absent: bool,
}

#[derive(Debug)]
struct Exposed {
    scene: Scene,
    checked: Checked,
    is_root: bool,
    can_write: bool,
    /// What was checked belongs to the user, and nobody else can take it away.
    is_own: bool,
}

impl Rule for CheckUseRace {
    fn interest(&self) -> Interest {
        Interest::by_path().and(&[Kind::StatOpen, Kind::Read, Kind::Write]).and_ends()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        self.questions.observe(moment);
        self.learn_permissions(moment);
        match moment.action() {
            FileAction::Stat { target: Target::Path { .. }, .. } | FileAction::Access { .. } => {
                self.check(moment);
            }
            FileAction::Open { flags, .. } if moment.is_ok() => {
                let (Some(place), Some(file)) = (moment.judged_place(), moment.file) else { return };
                let checked = self.checked.remove(&(moment.process(), place));
                let is_exposed =
                    checked.is_some_and(|checked| self.is_exposed(moment, place, checked, flags.0));
                if open_flags::has(*flags, open_flags::CREATE) {
                    self.created.insert(place, ());
                }
                let Some(checked) = checked else { return };
                let owner = checked.owner.filter(|_| self.is_sticky(moment, place));
                let is_own = owner.is_some_and(|owner| Some(owner) == moment.world.user());
                let is_folder = moment.world.places.get(place).kind == Some(FileKind::Directory);
                if is_exposed && !self.guards.spare(OWN_FILE, is_own && is_folder) {
                    let is_root = moment.world.is_of_root();
                    let can_write = open_flags::can_write(*flags);
                    let scene = Scene::of_program(moment);
                    self.exposed.insert(file.number, Exposed { scene, checked, is_root, can_write, is_own });
                }
                if !checked.is_absent
                    && !self.guards.spare(NEW_FILE, open_flags::has(*flags, open_flags::TEMPORARY))
                {
                    self.opened.insert(file.number, checked);
                }
            }
            FileAction::Stat { target: Target::Descriptor(_), facts: Some(facts), .. } => {
                let (Some(file), Some(identity)) = (moment.file, facts.identity) else { return };
                let Some(checked) = self.opened.remove(&file.number) else { return };
                let Some(was) = checked.identity else { return };
                let is_own =
                    file.place.is_some_and(|place| !moment.world.places.has_content_of(place, checked.at));
                if identity != was
                    && !self.guards.spare(OWN_CHANGE, is_own)
                    && !self.guards.spare(OF_LINK, checked.is_link)
                {
                    self.replaced.add(moment, &[]);
                }
            }
            _ => {}
        }
        for file in moment.ended {
            self.settle(*file, moment.world);
        }
    }

    fn recalls(&self) -> Interest {
        Interest::in_calls(&[Kind::Stat, Kind::Access, Kind::Open])
    }

    fn recall(&mut self, look: &FirstLook, _call: Claim, _world: &World) {
        let is_absent = look.errno == Some(ENOENT);
        if look.is_judged && (look.is_ok || is_absent) {
            let checked = Checked::new(look.facts().as_ref(), look.when.number, is_absent);
            self.checked.insert((look.process, look.place), checked);
        }
    }

    fn finish(&mut self, world: &World) {
        for file in self.exposed.keys().copied().collect::<Vec<_>>() {
            self.settle(file, world);
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&REPLACED, &self.replaced),
            (&OF_ROOT, &self.of_root),
            (&OF_WRITER, &self.of_writer),
            (&PERHAPS, &self.perhaps),
        ]
    }
}

impl Checked {
    /// What a call said of a path.
    fn new(facts: Option<&FileFacts>, at: u64, is_absent: bool) -> Self {
        Self {
            identity: facts.and_then(|facts| facts.identity),
            owner: facts.and_then(|facts| facts.owner),
            at,
            is_link: facts.is_some_and(|facts| facts.kind == Some(FileKind::Link)),
            is_absent,
        }
    }
}

impl CheckUseRace {
    /// A path is asked for.
    fn check(&mut self, moment: &Moment<'_>) {
        let is_absent = moment.errno() == Some(ENOENT);
        let Some(place) = moment.judged_place().filter(|_| moment.is_ok() || is_absent) else { return };
        if !moment.is_first_look {
            let checked = Checked::new(moment.facts(), moment.when.number, is_absent);
            self.checked.insert((moment.process(), place), checked);
        }
    }

    /// What a call sets or says of a directory.
    fn learn_permissions(&mut self, moment: &Moment<'_>) {
        let Some(place) = moment.any_place().filter(|_| moment.is_ok()) else { return };
        let told = match moment.action() {
            FileAction::Stat { facts: Some(facts), .. } if facts.kind == Some(FileKind::Directory) => {
                facts.permissions.map(u32::from)
            }
            FileAction::MakeDirectory { mode, .. } => {
                let process = moment.world.process(moment.process());
                let mask = process.and_then(|process| process.mask).unwrap_or(USUAL_MASK);
                Some(mode & !mask)
            }
            FileAction::ChangeMode { mode, .. } => Some(*mode),
            _ => None,
        };
        if let Some(told) = told {
            self.permissions.insert(place, told);
        }
    }

    fn settle(&mut self, file: FileNumber, world: &World) {
        let Some(exposed) = self.exposed.remove(&file) else { return };
        let asked = self.questions.asked(file).filter(|_| !exposed.checked.is_absent);
        if self.guards.spare(VERIFIED, asked == Some(AskedBy::Program)) {
            return;
        }
        // What access said cannot be compared with anything.
        let is_perhaps = asked.is_some() && exposed.checked.identity.is_some();
        let cases = match (exposed.is_root, exposed.can_write) {
            _ if is_perhaps || exposed.is_own => &mut self.perhaps,
            (true, _) => &mut self.of_root,
            (false, true) => &mut self.of_writer,
            (false, false) => &mut self.perhaps,
        };
        cases.add_scene(&exposed.scene, 1, &[], world);
    }

    /// True where somebody else can put another file in the place of the one that was checked.
    fn is_exposed(&self, moment: &Moment<'_>, place: PlaceId, checked: Checked, flags: u32) -> bool {
        let (world, places) = (moment.world, &moment.world.places);
        let Some(parent) = places.parent(place) else { return false };
        let permissions = self.permissions_of(moment, parent);
        // R56 tells of new files in directories that everybody knows.
        let is_known = OF_ALL.contains(&places.path(parent));
        let is_of_other_rule = is_known || flags & open_flags::CREATE == 0;
        let is_made = places.get(place).is_made || is_known && self.created.get(&place).is_some();
        let stays_own = is_made && permissions & STICKY != 0 && !checked.is_absent;
        let is_odd = flags & (open_flags::DIRECTORY | open_flags::PATH_ONLY) != 0;
        let stays = flags & (open_flags::NO_FOLLOW | open_flags::EXCLUSIVE) != 0;
        if permissions & OTHERS_WRITE == 0 || is_odd || checked.is_absent && is_of_other_rule {
            return false;
        }
        !self.guards.spare(OWN_FILE, stays_own)
            && !self.guards.spare(NO_FOLLOW, stays)
            && !self.guards.spare(NAMED, world.is_named_by_user(place))
    }

    fn is_sticky(&self, moment: &Moment<'_>, place: PlaceId) -> bool {
        let parent = moment.world.places.parent(place);
        parent.is_some_and(|parent| self.permissions_of(moment, parent) & STICKY != 0)
    }

    fn permissions_of(&self, moment: &Moment<'_>, directory: PlaceId) -> u32 {
        let path = moment.world.places.path(directory);
        let by_name = || OF_ALL.contains(&path).then_some(OF_ALL_PERMISSIONS);
        let told = self.permissions.get(&directory).copied().or_else(by_name);
        told.or_else(|| moment.world.read_path(path).map(|facts| facts.permissions)).unwrap_or(0)
    }
}

#[cfg(test)]
pub(super) const TRIO: crate::trio::Trio = {
    use crate::script::{READ, Script};
    fn asked(script: &mut Script, descriptor: i32, inode: u64) {
        let mut facts = script.facts("/data/a", FileKind::Regular, 100);
        facts.identity = Some(FileIdentity { device: 1, inode });
        let target = Target::Descriptor(descriptor);
        script.works("fstat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
    }
    fn look(script: &mut Script, path: &str, facts: FileFacts) {
        let target = script.target(path);
        script.works("newfstatat", FileAction::Stat { target, facts: Some(Box::new(facts)), mask: 0 });
    }
    /// Root asks whether it may read a path, and opens it.
    fn check(script: &mut Script, path: &str, flags: u32) -> i32 {
        script.start_by(0);
        script.access(path);
        script.open(path, flags)
    }
    crate::trio::Trio {
        rule: 55,
        waste: |script| {
            script.stat("/data/a", 100);
            let file = script.open("/data/a", READ);
            asked(script, file, 77);
            script.close(file);
            script.start_by(0);
            script.access("/tmp/job");
            let file = script.open("/tmp/job", READ);
            script.close(file);
            let mut facts = script.facts("/srv/spool", FileKind::Directory, 4096);
            facts.permissions = Some(0o1777);
            look(script, "/srv/spool", facts);
            script.access("/srv/spool/job");
            script.open("/srv/spool/job", READ);
            // What the C library asks verifies nothing.
            script.access("/tmp/table");
            let file = script.open("/tmp/table", READ);
            script.fstat(file, 100);
            script.read(file, 4096, 100);
            script.close(file);
            // A directory of its own making.
            let target = script.target("/srv/queue");
            script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o777 });
            let target = script.target("/srv/queue");
            script.works("chmod", FileAction::ChangeMode { target, mode: 0o1777 });
            script.stat_fails("/srv/queue/lock");
            script.open("/srv/queue/lock", crate::script::CREATE);
        },
        count: 5,
        fixed: |script| {
            script.stat("/data/a", 100);
            let file = script.open("/data/a", READ);
            script.fstat(file, 100);
            script.close(file);
        },
        look_alikes: &[
            ("own-change", |script| {
                script.stat("/data/a", 100);
                script.rename("/data/a.new", "/data/a");
                let file = script.open("/data/a", READ);
                asked(script, file, 77);
            }),
            ("of-the-link", |script| {
                script.stat_as("/data/a", FileKind::Link, 10);
                let file = script.open("/data/a", READ);
                asked(script, file, 77);
            }),
            ("own-file", |script| {
                script.start_by(0);
                let file = script.open("/tmp/job", crate::script::CREATE | open_flags::EXCLUSIVE);
                script.close(file);
                check(script, "/tmp/job", READ);
            }),
            // A child reads what the shell's redirection wrote.
            ("own-file", |script| {
                script.start_by(0);
                let file = script.open("/tmp/list", crate::script::CREATE);
                script.close(file);
                script.fork(200);
                script.act_as(200, 200);
                script.access("/tmp/list");
                script.open("/tmp/list", READ);
            }),
            // One's own working directory in /tmp, as SQLite looks at it and opens it for a sync.
            ("own-file", |script| {
                script.start_by(1000);
                script.stat_as("/tmp/work", FileKind::Directory, 4096);
                let folder = script.open("/tmp/work", READ);
                script.close(folder);
            }),
            ("no-follow", |script| {
                check(script, "/tmp/job", READ | open_flags::NO_FOLLOW);
            }),
            ("verified", |script| {
                script.start_by(0);
                script.stat("/tmp/job", 100);
                let file = script.open("/tmp/job", READ);
                script.fstat(file, 100);
                script.read(file, 100, 100);
            }),
            ("", |script| {
                script.start_by(0);
                let target = script.target("/srv/spool");
                script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
                script.stat_fails("/srv/spool/lock");
                script.open("/srv/spool/lock", crate::script::CREATE);
            }),
            ("named", |script| {
                script.start_with(&["cat", "/tmp/job"]);
                check(script, "/tmp/job", READ);
            }),
            ("", |script| {
                check(script, "/tmp/own/job", READ);
            }),
            ("new-file", |script| {
                script.stat_as("/data", FileKind::Directory, 4096);
                let file = script.open("/data", crate::script::BOTH | open_flags::TEMPORARY);
                asked(script, file, 77);
            }),
        ],
    }
};

#[cfg(test)]
mod tests {
    use crate::finding::Severity;
    use crate::rule::Guards;
    use crate::script::{READ, Script, WRITE};
    use fathom_events::FileAction;

    /// How bad it is to check a path and open it, for a user.
    fn severities(user: u32, program: impl FnOnce(&mut Script)) -> Vec<Severity> {
        let mut script = Script::new();
        script.start_by(user);
        program(&mut script);
        let found = script.findings(Guards::default());
        found.iter().filter(|finding| finding.rule.0 == 55).map(|finding| finding.severity).collect()
    }

    #[test]
    fn harm_depends_on_who_opens_for_what() {
        let opens = |user, flags| {
            severities(user, |script| {
                script.access("/tmp/job");
                script.open("/tmp/job", flags);
            })
        };
        assert_eq!(opens(0, READ), [Severity::High]);
        assert_eq!(opens(1000, WRITE), [Severity::Warn]);
        assert_eq!(opens(1000, READ), [Severity::Info]);
    }

    #[test]
    fn what_may_have_been_compared_is_no_certain_danger() {
        let looked = severities(0, |script| {
            script.stat("/tmp/job", 100);
            let file = script.open("/tmp/job", READ);
            script.fstat(file, 100);
            script.read(file, 4096, 100);
        });
        assert_eq!(looked, [Severity::Info]);
    }

    #[test]
    fn ones_own_file_cannot_be_swapped_where_only_its_owner_can_remove_it() {
        let own = severities(1000, |script| {
            script.stat("/tmp/job", 100);
            script.open("/tmp/job", WRITE);
        });
        assert_eq!(own, [Severity::Info]);
    }

    #[test]
    fn in_a_directory_that_is_not_sticky_ones_own_file_can_be_replaced() {
        let own = |mode: u32| {
            severities(0, |script| {
                let target = script.target("/srv/all");
                script.works("chmod", FileAction::ChangeMode { target, mode });
                let file = script.open("/srv/all/job", crate::script::CREATE | crate::open_flags::EXCLUSIVE);
                script.close(file);
                script.access("/srv/all/job");
                script.open("/srv/all/job", READ);
            })
        };
        assert_eq!((own(0o777), own(0o1777)), (vec![Severity::High], vec![]));
    }
}
