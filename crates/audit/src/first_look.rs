//! Looks at paths that nothing named before. Most paths of a run are looked at once, and nothing
//! comes of it: what rules would have to remember of such a look is kept here, once for all of them
//! and small. Only when the path is named again do they take it in ([`crate::rule::Rule::recall`]).

use crate::call_key::CallKey;
use crate::claims::Claim;
use crate::moment::{Moment, When};
use crate::world::PlaceId;
use fathom_events::{FileAction, FileFacts, FileIdentity, FileKind, Target};
use std::collections::VecDeque;

/// At most so many wait to be recalled; the oldest are forgotten, as rules forget what they remember.
const KEPT: usize = 1 << 15;

/// What was asked of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Question {
    Stat { follow: bool },
    Access { mode: u32 },
}

/// The first look at a path that nothing had named.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstLook {
    pub(crate) question: Question,
    pub(crate) when: When,
    pub(crate) process: u32,
    pub(crate) thread: u32,
    /// What its process executed.
    pub(crate) program: Option<PlaceId>,
    pub(crate) place: PlaceId,
    /// What it failed with.
    pub(crate) errno: Option<i32>,
    pub(crate) is_ok: bool,
    /// True when advice holds for it.
    pub(crate) is_judged: bool,
    /// True when the runtime makes the call by itself.
    pub(crate) is_runtimes: bool,
    facts: Option<SmallFacts>,
    /// The number of its condition.
    key: u32,
    /// Rules that have not taken it in, by their bits.
    waiting: u8,
}

/// First looks that are not recalled yet.
#[derive(Debug, Default)]
pub(crate) struct FirstLooks {
    waiting: VecDeque<FirstLook>,
    /// The number of the first that waits, counted from the first that ever was.
    first: u32,
    /// By place: `UNNAMED`, `NAMED`, or the number of the look that waits, from `WAITS` on.
    states: Vec<u32>,
    /// Conditions of calls: there are few.
    keys: Vec<CallKey>,
    /// The index of the one that was met last.
    last_key: usize,
}

const UNNAMED: u32 = 0;
const NAMED: u32 = 1;
const WAITS: u32 = 2;

/// What a call said of a file in half the room: which facts it said are bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SmallFacts {
    device: u64,
    inode: u64,
    size_bytes: u64,
    modified_ns: i64,
    changed_ns: i64,
    owner: u32,
    permissions: u16,
    kind: Option<FileKind>,
    said: u8,
}

impl Question {
    /// What a call asks of a path; `None` of other calls.
    pub(crate) fn of(action: &FileAction) -> Option<Self> {
        match action {
            FileAction::Stat { target: Target::Path { follow, .. }, .. } => {
                Some(Self::Stat { follow: *follow })
            }
            FileAction::Access { target: Target::Path { .. }, mode } => Some(Self::Access { mode: *mode }),
            _ => None,
        }
    }
}

impl FirstLook {
    /// What it said of the file.
    pub(crate) fn facts(&self) -> Option<FileFacts> {
        self.facts.map(FileFacts::from)
    }
}

impl FirstLooks {
    /// True of a place that no call named yet.
    pub(crate) fn is_unnamed(&self, place: PlaceId) -> bool {
        self.states.get(place.index()).is_none_or(|state| *state == UNNAMED)
    }

    /// The place is named, by a call that is no first look.
    pub(crate) fn name(&mut self, place: PlaceId) {
        *self.state(place) = NAMED;
    }

    /// The first look at a place with the call that it was, for those of these rules that have not
    /// taken it in; whose bits they are, too.
    pub(crate) fn recall(&mut self, place: PlaceId, rules: u8) -> Option<(FirstLook, Claim, u8)> {
        let at = self.states.get(place.index())?.checked_sub(WAITS)?.checked_sub(self.first)?;
        let kept = self.waiting.get_mut(at as usize)?;
        let due = kept.waiting & rules;
        if due == 0 {
            return None;
        }
        kept.waiting &= !due;
        let look = *kept;
        let key = *self.keys.get(look.key as usize)?;
        Some((look, Claim { key, bytes: 0, number: look.when.number, place: Some(place) }, due))
    }

    /// Keeps the first look at a place that no call named, for rules by their bits.
    pub(crate) fn keep(&mut self, moment: &Moment<'_>, place: PlaceId, rules: u8) {
        let Some(question) = Question::of(moment.action()) else { return self.name(place) };
        let number =
            u32::try_from(self.waiting.len()).ok().and_then(|waiting| self.first.checked_add(waiting));
        let Some(state) = number.and_then(|number| number.checked_add(WAITS)) else {
            self.name(place);
            return self.start_anew();
        };
        if self.waiting.capacity() == 0 {
            // Room that is not touched takes no memory; room that grows is copied.
            self.waiting.reserve_exact(KEPT);
        }
        if self.waiting.len() >= KEPT
            && let Some(oldest) = self.waiting.pop_front()
        {
            self.first += 1;
            *self.state(oldest.place) = NAMED;
        }
        *self.state(place) = state;
        let process = moment.world.process(moment.process());
        let key = self.key_number(moment.key);
        self.waiting.push_back(FirstLook {
            question,
            when: moment.when,
            process: moment.process(),
            thread: moment.thread(),
            program: process.and_then(|process| process.program),
            place,
            errno: moment.errno(),
            is_ok: moment.is_ok(),
            is_judged: moment.is_judged(),
            is_runtimes: moment.is_runtimes(Some(place)),
            facts: moment.facts().map(SmallFacts::from),
            key,
            waiting: rules,
        });
    }

    /// Numbers have run out: what waits is forgotten.
    fn start_anew(&mut self) {
        self.states.iter_mut().for_each(|state| *state = NAMED.min(*state));
        self.waiting.clear();
        self.first = 0;
    }

    fn state(&mut self, place: PlaceId) -> &mut u32 {
        let at = place.index();
        if self.states.len() <= at {
            if self.states.capacity() == 0 {
                self.states.reserve(KEPT);
            }
            self.states.resize(at + 1, UNNAMED);
        }
        &mut self.states[at]
    }

    fn key_number(&mut self, key: CallKey) -> u32 {
        let is_it = |known: &CallKey| known.is_very(&key);
        let known = if self.keys.get(self.last_key).is_some_and(is_it) {
            Some(self.last_key)
        } else {
            self.keys.iter().position(is_it)
        };
        let known = known.unwrap_or_else(|| {
            self.keys.push(key);
            self.keys.len() - 1
        });
        self.last_key = known;
        u32::try_from(known).unwrap_or(u32::MAX)
    }
}

const IDENTITY: u8 = 1;
const SIZE: u8 = 2;
const MODIFIED: u8 = 4;
const CHANGED: u8 = 8;
const OWNER: u8 = 16;
const PERMISSIONS: u8 = 32;

impl From<&FileFacts> for SmallFacts {
    fn from(facts: &FileFacts) -> Self {
        let FileFacts { identity, kind, permissions, owner, size_bytes, modified_ns, changed_ns } = *facts;
        let bit = |is_said: bool, bit: u8| if is_said { bit } else { 0 };
        let FileIdentity { device, inode } = identity.unwrap_or(FileIdentity { device: 0, inode: 0 });
        Self {
            device,
            inode,
            size_bytes: size_bytes.unwrap_or(0),
            modified_ns: modified_ns.unwrap_or(0),
            changed_ns: changed_ns.unwrap_or(0),
            owner: owner.unwrap_or(0),
            permissions: permissions.unwrap_or(0),
            kind,
            said: bit(identity.is_some(), IDENTITY)
                | bit(size_bytes.is_some(), SIZE)
                | bit(modified_ns.is_some(), MODIFIED)
                | bit(changed_ns.is_some(), CHANGED)
                | bit(owner.is_some(), OWNER)
                | bit(permissions.is_some(), PERMISSIONS),
        }
    }
}

impl From<SmallFacts> for FileFacts {
    fn from(small: SmallFacts) -> Self {
        let is_said = |bit: u8| small.said & bit != 0;
        let SmallFacts { device, inode, .. } = small;
        Self {
            identity: is_said(IDENTITY).then_some(FileIdentity { device, inode }),
            kind: small.kind,
            permissions: is_said(PERMISSIONS).then_some(small.permissions),
            owner: is_said(OWNER).then_some(small.owner),
            size_bytes: is_said(SIZE).then_some(small.size_bytes),
            modified_ns: is_said(MODIFIED).then_some(small.modified_ns),
            changed_ns: is_said(CHANGED).then_some(small.changed_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::RuleId;
    use crate::path_set::PathSet;
    use crate::rule::Guards;
    use crate::script::Script;
    use crate::world::World;
    use proptest::prelude::*;

    prop_compose! {
        fn facts()(
            identity in prop::option::of((any::<u64>(), any::<u64>())),
            kind in prop::option::of(prop::sample::select(vec![FileKind::Regular, FileKind::Socket])),
            permissions in prop::option::of(any::<u16>()),
            owner in prop::option::of(any::<u32>()),
            size_bytes in prop::option::of(any::<u64>()),
            modified_ns in prop::option::of(any::<i64>()),
            changed_ns in prop::option::of(any::<i64>()),
        ) -> FileFacts {
            let identity = identity.map(|(device, inode)| FileIdentity { device, inode });
            FileFacts { identity, kind, permissions, owner, size_bytes, modified_ns, changed_ns }
        }
    }

    proptest! {
        #[test]
        fn facts_come_out_as_they_went_in(facts in facts()) {
            prop_assert_eq!(FileFacts::from(SmallFacts::from(&facts)), facts);
        }
    }

    #[test]
    fn a_place_is_unnamed_until_it_is_named() {
        let mut places = World::default().places;
        let [one, other] = ["/a/1", "/a/2"].map(|path| places.number(path));
        let mut looks = FirstLooks::default();
        assert!(looks.is_unnamed(one) && looks.is_unnamed(other));
        looks.name(other);
        assert!(looks.recall(other, u8::MAX).is_none());
        assert!(looks.is_unnamed(one) && !looks.is_unnamed(other));
    }

    #[test]
    fn a_first_look_is_known_when_the_path_is_named_again_until_too_many_came_after_it() {
        let mut script = Script::new();
        (0..KEPT + 10).for_each(|number| script.stat(&format!("/d/{number}"), 10));
        script.stat(&format!("/d/{}", KEPT / 2), 10);
        script.stat("/d/0", 10);
        let found = script.findings(Guards::default());
        let again: Vec<_> = found.iter().filter(|finding| finding.rule == RuleId(15)).collect();
        assert_eq!(again.iter().map(|finding| finding.count).sum::<u64>(), 1, "{again:?}");
        let paths = again[0].place.paths.as_ref().and_then(PathSet::single);
        assert_eq!(paths, Some(format!("/d/{}", KEPT / 2).as_str()));
    }

    #[test]
    fn a_look_of_most_runs_takes_little_room() {
        assert!(size_of::<FirstLook>() <= 112, "{}", size_of::<FirstLook>());
    }
}
