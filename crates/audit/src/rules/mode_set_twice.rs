//! R10: permissions set to what they are, or to what making the file could have given it.

use crate::cases::{Cases, Scene};
use crate::claims::Claim;
use crate::finding::{RuleId, Severity};
use crate::interest::{Interest, Kind};
use crate::moment::{Moment, When};
use crate::open_flags;
use crate::recent::Recent;
use crate::rule::{Guard, Guards, Rule, RuleFacts, Words};
use crate::world::{PlaceId, World};
use fathom_events::FileAction;
use std::collections::BTreeMap;

pub(super) const FACTS: RuleFacts = RuleFacts {
    id: RuleId(10),
    name: "mode-set-twice",
    needs: "the mode of open, chmod and fchmod; umask where the program sets it",
    guards: &[MASKED, EXISTED, SPECIAL, SEALED, OTHER, CHANGED, LONG_GAP, FEW],
    begin: |guards| {
        Box::new(ModeSetTwice {
            guards,
            made: Recent::default(),
            set: Recent::default(),
            moved: Recent::default(),
            unsure: BTreeMap::new(),
            batches: BTreeMap::new(),
            cases: Cases::default(),
            given: Cases::default(),
            exposed: Cases::default(),
            perhaps: Cases::default(),
            again: Cases::default(),
        })
    },
};

const MASKED: Guard = Guard { name: "masked", spares: "umask took bits off that are wanted" };
const EXISTED: Guard = Guard {
    name: "existed",
    spares: "the file was there already, as far as can be told, with permissions of its own",
};
const SPECIAL: Guard =
    Guard { name: "special", spares: "set-user-ID, set-group-ID and sticky bits are for chmod alone" };
const SEALED: Guard = Guard {
    name: "sealed",
    spares: "its owner may not write it in the end, and it was opened again before that: made so, it could not be",
};
const OTHER: Guard =
    Guard { name: "other-process", spares: "another process made the file, which may not know the mode" };
const CHANGED: Guard =
    Guard { name: "changed-between", spares: "the file was replaced or got another mode between" };
const LONG_GAP: Guard =
    Guard { name: "long-gap", spares: "more than a second passed: it sees that the mode is still so" };
const FEW: Guard = Guard {
    name: "few",
    spares: "fewer than 4 files (16 where they may have been there before), or fewer than 4 times",
};

/// What most people's umask takes off.
const USUAL_MASK: u32 = 0o022;
/// Permissions of owner, group and others.
const PERMISSIONS: u32 = 0o777;
/// Others may read, and the owner may write.
const OTHERS_READ: u32 = 0o004;
const OWNER_WRITES: u32 = 0o200;
/// The first of this many shows a habit.
const HABIT: usize = 4;
/// So many files that may have been there before show that their mode is not what it is about.
const MANY: usize = 16;
/// A second, in ns.
const GAP_NS: u64 = 1_000_000_000;

const WORDS: Words = Words::cost(
    "chmod() of a new file to the mode that it has",
    "give the mode when the file is made, and skip chmod when fstat says it is so already",
    "the directory's default access list, or a umask that was set before the trace, may have changed them",
);

const GIVEN: Words = Words::cost(
    "chmod() of new files to a mode that open() could have given them",
    "give open() the mode (os.open, perm:, mode:, OpenOptions::mode), or set the umask before",
    "that a file gets its last mode only when it is complete may be a sign for others; a umask that was set before the trace may take more off",
);

const EXPOSED: Words = Words::danger(
    Severity::Info,
    "a new file was written while others could read it, and chmod() took that away only then",
    "give open() the mode (0600), or set the umask before: who has opened the file meanwhile reads on",
    "its directory may be closed to others, or a umask that was set before the trace may have kept them out",
);

const PERHAPS: Words = Words::cost(
    "chmod() after every file written, to a mode that open(O_CREAT) gives a new one",
    "give open() the mode, and chmod only where fstat says that a file which was there has another one",
    "files that were there before may have had other permissions, which open() leaves as they are",
)
.perhaps();

const AGAIN: Words = Words::cost(
    "chmod() to the mode that the program gave the file before",
    "set it once, when the file is made",
    "programs outside the trace may change the mode between",
);

#[derive(Debug)]
struct ModeSetTwice {
    guards: Guards,
    made: Recent<PlaceId, Made>,
    /// The mode that was set last, by whom and when.
    set: Recent<PlaceId, (u32, u32, When)>,
    /// New names of files.
    moved: Recent<PlaceId, PlaceId>,
    /// Files that may have been there before: the file system is asked when all is done.
    unsure: BTreeMap<PlaceId, Vec<(Scene, Claim)>>,
    /// By process.
    batches: BTreeMap<u32, Batch>,
    cases: Cases,
    given: Cases,
    exposed: Cases,
    perhaps: Cases,
    again: Cases,
}

#[derive(Debug)]
struct Made {
    /// What the process that made it takes off.
    mask: u32,
    mode: u32,
    /// What a call told of it.
    told: Option<u32>,
    process: u32,
    /// `None` where that is not known.
    is_new: Option<bool>,
    is_written: bool,
    is_reopened: bool,
}

/// What a process did to the modes of its files.
#[derive(Debug, Default)]
struct Batch {
    /// Narrower than what it was made with.
    narrowed: Vec<Narrowed>,
    scene: Option<Scene>,
    /// The same again.
    again: Vec<Claim>,
    again_scene: Option<Scene>,
    /// Those that turned out to have been there.
    existed: Vec<Claim>,
    existed_scene: Option<Scene>,
}

#[derive(Debug)]
struct Narrowed {
    claim: Claim,
    is_new: Option<bool>,
    is_exposed: bool,
    /// By the process that made it, and so that open could have done it.
    is_givable: bool,
}

impl Rule for ModeSetTwice {
    fn interest(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::ChangeMode, Kind::Rename]).if_ok().or(Interest::in_calls(&[
            Kind::Write,
            Kind::StatOpen,
            Kind::Remove,
        ])
        .if_ok())
    }

    fn wakes_at(&self) -> Interest {
        Interest::in_calls(&[Kind::Open, Kind::ChangeMode, Kind::Rename]).if_ok()
    }

    fn remembers(&self) -> bool {
        !self.made.is_empty() || !self.set.is_empty()
    }

    fn observe(&mut self, moment: &Moment<'_>) {
        if !moment.is_judged() || !moment.is_ok() {
            return;
        }
        let Some(place) = moment.any_place() else { return };
        match moment.action() {
            FileAction::Open { flags, mode, .. } => self.opened(moment, place, *flags, *mode),
            FileAction::Write { .. } => {
                if let Some(made) = self.made.get_mut(&place) {
                    made.is_written |= moment.bytes > 0;
                }
            }
            FileAction::Stat { .. } => {
                let told = moment.facts().and_then(|facts| facts.permissions);
                if let (Some(made), Some(told)) = (self.made.get_mut(&place), told) {
                    made.told = Some(u32::from(told));
                }
            }
            FileAction::ChangeMode { mode, .. } => self.changed(moment, place, *mode),
            FileAction::Rename { .. } => {
                let moved = self.unsure.remove(&place);
                if let Some(to) = moment.other_place {
                    if let Some(moved) = moved {
                        self.unsure.insert(to, moved);
                    }
                    self.moved.insert(place, to);
                    self.replaced(to);
                }
                self.replaced(place);
            }
            FileAction::Remove { .. } => self.replaced(place),
            _ => {}
        }
    }

    fn finish(&mut self, world: &World) {
        for (place, unsure) in std::mem::take(&mut self.unsure) {
            let is_new = world.is_made_since_start(world.places.path(place)) == Some(true);
            // Made once, however often it was opened.
            for (scene, claim) in unsure.into_iter().take(1) {
                if self.guards.spare(EXISTED, !is_new) {
                    self.batches.entry(scene.process()).or_default().add_existing(&scene, claim);
                } else {
                    self.cases.claim_scene(&scene, 1, &[claim].into_iter().collect(), world);
                }
            }
        }
        for mut batch in std::mem::take(&mut self.batches).into_values() {
            self.settle_narrowed(&mut batch, world);
            let all = [
                (&mut self.again, &batch.again, &batch.again_scene, HABIT),
                (&mut self.perhaps, &batch.existed, &batch.existed_scene, MANY),
            ];
            for (cases, claims, scene, least) in all {
                settle(self.guards, cases, (claims, scene), least, world);
            }
        }
    }

    fn cases(&self) -> Vec<(&'static Words, &Cases)> {
        vec![
            (&WORDS, &self.cases),
            (&GIVEN, &self.given),
            (&EXPOSED, &self.exposed),
            (&PERHAPS, &self.perhaps),
            (&AGAIN, &self.again),
        ]
    }
}

impl ModeSetTwice {
    fn opened(&mut self, moment: &Moment<'_>, place: PlaceId, flags: fathom_events::OpenFlags, mode: u32) {
        let is_new = moment.file.is_some_and(|file| file.is_new);
        if is_new {
            self.replaced(place);
        }
        if let Some(made) = self.made.get_mut(&place).filter(|_| open_flags::can_write(flags)) {
            made.is_reopened = true;
            return;
        }
        if !open_flags::has(flags, open_flags::CREATE) {
            return;
        }
        let was_there = moment.world.places.get(place).exists == Some(true);
        let is_new = if is_new || was_there { Some(is_new) } else { None };
        let process = moment.process();
        let mask = moment.world.process(process).and_then(|process| process.mask).unwrap_or(USUAL_MASK);
        let (is_written, is_reopened) = (false, false);
        let made = Made { mask, mode, told: None, process, is_new, is_written, is_reopened };
        self.made.insert(place, made);
    }

    /// What lies there now is another file.
    fn replaced(&mut self, place: PlaceId) {
        if self.guards.spare(CHANGED, true) {
            self.set.remove(&place);
        }
        self.made.remove(&place);
    }

    fn changed(&mut self, moment: &Moment<'_>, place: PlaceId, mode: u32) {
        let made = self.made.remove(&place);
        if self.is_set_again(moment, place, mode) {
            return;
        }
        let Some(made) = made else { return };
        let is_special = mode & 0o7000 != 0 || made.mode & 0o7000 != 0;
        let got = made.told.unwrap_or(made.mode & !made.mask) & PERMISSIONS;
        let mode = mode & PERMISSIONS;
        if made.mode & PERMISSIONS == 0
            || self.guards.spare(SPECIAL, is_special)
            || self.guards.spare(MASKED, mode & !got != 0)
        {
            return;
        }
        let process = moment.process();
        if mode & !got == 0 && mode != got {
            let is_sealed = made.is_reopened && mode & OWNER_WRITES == 0;
            let is_givable =
                !self.guards.spare(SEALED, is_sealed) && !self.guards.spare(OTHER, made.process != process);
            let is_exposed = made.is_written && got & !mode & OTHERS_READ != 0;
            let narrowed = Narrowed { claim: moment.claim(), is_new: made.is_new, is_exposed, is_givable };
            let batch = self.batches.entry(process).or_default();
            batch.narrowed.push(narrowed);
            note_scene(&mut batch.scene, batch.narrowed.len(), moment);
        } else if made.is_new.is_none() {
            let of_place = self.unsure.entry(place).or_default();
            of_place.push((Scene::of(moment), moment.claim()));
        } else if self.guards.spare(EXISTED, made.is_new == Some(false)) {
            let batch = self.batches.entry(process).or_default();
            batch.existed.push(moment.claim());
            note_scene(&mut batch.existed_scene, batch.existed.len(), moment);
        } else {
            self.cases.claim(moment, &[moment.claim()]);
        }
    }

    /// True where the process gave the file that mode before.
    fn is_set_again(&mut self, moment: &Moment<'_>, place: PlaceId, mode: u32) -> bool {
        let process = moment.process();
        let before = self.set.get(&place).copied();
        self.set.insert(place, (mode, process, moment.when));
        let is_again = before.is_some_and(|(before, by, when)| {
            by == process
                && !self.guards.spare(CHANGED, before != mode)
                && !self.guards.spare(LONG_GAP, when.is_apart(moment.when, GAP_NS))
        });
        if is_again {
            let batch = self.batches.entry(process).or_default();
            batch.again.push(moment.claim());
            note_scene(&mut batch.again_scene, batch.again.len(), moment);
        }
        is_again
    }

    /// What became of files whose mode was made narrower.
    fn settle_narrowed(&mut self, batch: &mut Batch, world: &World) {
        let (mut given, mut exposed, mut existed) = (Vec::new(), Vec::new(), Vec::new());
        for narrowed in std::mem::take(&mut batch.narrowed) {
            let Narrowed { claim, is_new, is_exposed, is_givable } = narrowed;
            let place = claim.place.map(|place| self.moved.get(&place).copied().unwrap_or(place));
            let is_told_new =
                || place.and_then(|place| world.is_made_since_start(world.places.path(place))) == Some(true);
            let is_new = is_new.unwrap_or_else(is_told_new);
            if is_new && is_exposed && place.is_some_and(|place| is_open_to_others(place, world)) {
                exposed.push(claim);
            }
            if is_givable {
                let kind = if is_new { &mut given } else { &mut existed };
                kind.push(claim);
            }
        }
        if let Some(scene) = batch.scene.as_ref().filter(|_| !exposed.is_empty()) {
            let mut scene = scene.clone();
            for call in &exposed {
                scene.also_at(call.place, world);
            }
            self.exposed.add_scene(&scene, exposed.len() as u64, &[], world);
        }
        settle(self.guards, &mut self.given, (&given, &batch.scene), HABIT, world);
        if batch.existed_scene.is_none() {
            batch.existed_scene.clone_from(&batch.scene);
        }
        batch.existed.extend(existed);
        batch.existed.sort_unstable_by_key(|claim| claim.number);
    }
}

impl Batch {
    fn add_existing(&mut self, scene: &Scene, claim: Claim) {
        self.existed.push(claim);
        self.existed_scene.get_or_insert_with(|| scene.clone());
    }
}

/// A habit shows better once there is one.
fn note_scene(scene: &mut Option<Scene>, count: usize, moment: &Moment<'_>) {
    if scene.is_none() || count == HABIT {
        *scene = Some(Scene::of_program(moment));
    }
}

fn settle(
    guards: Guards,
    cases: &mut Cases,
    (claims, scene): (&[Claim], &Option<Scene>),
    least: usize,
    world: &World,
) {
    let Some(scene) = scene.as_ref().filter(|_| !claims.is_empty()) else { return };
    if !guards.spare(FEW, claims.len() < least) {
        cases.claim_scene(scene, claims.len() as u64, &claims.iter().copied().collect(), world);
    }
}

/// False where it is known that others cannot get to a file.
fn is_open_to_others(place: PlaceId, world: &World) -> bool {
    const OTHERS_ENTER: u32 = 0o001;
    let above = |place: &PlaceId| world.places.parent(*place);
    std::iter::successors(above(&place), above).all(|directory| {
        let facts = world.read_path(world.places.path(directory));
        facts.is_none_or(|facts| facts.permissions & OTHERS_ENTER != 0)
    })
}

#[cfg(test)]
mod trio_tests;
#[cfg(test)]
pub(super) use trio_tests::TRIO;
