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
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;
