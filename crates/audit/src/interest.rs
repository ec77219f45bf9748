//! At which calls a rule is asked. Most rules look at a few kinds of calls, and a run makes
//! thousands of others.

use fathom_events::{FileAction, Target};

/// Kinds of calls: those that rules tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Open,
    Close,
    CloseRange,
    Read,
    Write,
    Seek,
    /// Of a path. `FirstLook` goes with it and with `Access`.
    Stat,
    /// Of an open file.
    StatOpen,
    StatFileSystem,
    Access,
    ReadLink,
    List,
    MakeDirectory,
    Remove,
    Rename,
    Link,
    SymbolicLink,
    Truncate,
    Allocate,
    ChangeMode,
    Duplicate,
    Control,
    DeviceControl,
    Lock,
    Watch,
    Map,
    Unmap,
    Remap,
    Advise,
    Sync,
    Copy,
    ChangeDirectory,
    ChangeRoot,
    CurrentDirectory,
    MakeDescriptors,
    Fork,
    Execute,
    Exit,
    /// A look at a path that nothing named before and that is there: no rule remembers it by itself.
    FirstLook,
    /// All others.
    Other,
}

/// How many kinds there are.
const KINDS: usize = Kind::Other as usize + 1;

impl Kind {
    /// That of an action.
    pub(crate) fn of(action: &FileAction) -> Self {
        match action {
            FileAction::Open { .. } => Self::Open,
            FileAction::Close { .. } => Self::Close,
            FileAction::CloseRange { .. } => Self::CloseRange,
            FileAction::Read { .. } => Self::Read,
            FileAction::Write { .. } => Self::Write,
            FileAction::Seek { .. } => Self::Seek,
            FileAction::Stat { target: Target::Path { .. }, .. } => Self::Stat,
            FileAction::Stat { target: Target::Descriptor(_), .. } => Self::StatOpen,
            FileAction::StatFileSystem { .. } => Self::StatFileSystem,
            FileAction::Access { .. } => Self::Access,
            FileAction::ReadLink { .. } => Self::ReadLink,
            FileAction::List { .. } => Self::List,
            FileAction::MakeDirectory { .. } => Self::MakeDirectory,
            FileAction::Remove { .. } => Self::Remove,
            FileAction::Rename { .. } => Self::Rename,
            FileAction::Link { .. } => Self::Link,
            FileAction::SymbolicLink { .. } => Self::SymbolicLink,
            FileAction::Truncate { .. } => Self::Truncate,
            FileAction::Allocate { .. } => Self::Allocate,
            FileAction::ChangeMode { .. } => Self::ChangeMode,
            FileAction::Duplicate { .. } => Self::Duplicate,
            FileAction::Control { .. } => Self::Control,
            FileAction::DeviceControl { .. } => Self::DeviceControl,
            FileAction::Lock { .. } => Self::Lock,
            FileAction::Watch { .. } => Self::Watch,
            FileAction::Map { .. } => Self::Map,
            FileAction::Unmap { .. } => Self::Unmap,
            FileAction::Remap { .. } => Self::Remap,
            FileAction::Advise { .. } => Self::Advise,
            FileAction::Sync { .. } => Self::Sync,
            FileAction::Copy { .. } => Self::Copy,
            FileAction::ChangeDirectory { .. } => Self::ChangeDirectory,
            FileAction::ChangeRoot { .. } => Self::ChangeRoot,
            FileAction::CurrentDirectory { .. } => Self::CurrentDirectory,
            FileAction::MakeDescriptors { .. } => Self::MakeDescriptors,
            FileAction::Fork { .. } => Self::Fork,
            FileAction::Execute { .. } => Self::Execute,
            FileAction::Exit { .. } => Self::Exit,
            FileAction::ChangeAttributes { .. }
            | FileAction::GetAttribute { .. }
            | FileAction::AdviseMemory { .. }
            | FileAction::Mask { .. }
            | FileAction::OwnDescriptors
            | FileAction::Other => Self::Other,
        }
    }
}

/// The kinds of calls that a rule is asked at, apart for those that returned well and all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interest {
    ok: u64,
    other: u64,
}

impl Interest {
    /// All of them: what a rule has to say of itself where it keeps silent at none.
    pub(crate) const ALL: Self = Self { ok: u64::MAX, other: u64::MAX };
    /// None of them.
    pub(crate) const NONE: Self = Self { ok: 0, other: 0 };

    /// These alone.
    pub(crate) const fn in_calls(kinds: &[Kind]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u32;
            if matches!(kinds[at], Kind::Stat | Kind::Access) {
                bits |= 1 << Kind::FirstLook as u32;
            }
            at += 1;
        }
        Self { ok: bits, other: bits }
    }

    /// Those of them that returned well.
    pub(crate) const fn if_ok(self) -> Self {
        Self { other: 0, ..self }
    }

    /// Those of them that failed, or of which it is not known how they ended.
    pub(crate) const fn unless_ok(self) -> Self {
        Self { ok: 0, ..self }
    }

    /// But for first looks at what is there: of a rule that finds and learns nothing by them.
    pub(crate) const fn but_first_looks(self) -> Self {
        let bits = !(1 << Kind::FirstLook as u32);
        Self { ok: self.ok & bits, other: self.other & bits }
    }

    /// And those at which open files may end.
    pub(crate) const fn and_ends(self) -> Self {
        self.and(&[Kind::Close, Kind::Execute, Kind::Exit, Kind::Duplicate])
    }

    /// Those that can name a file by a path.
    pub(crate) const fn by_path() -> Self {
        Self::in_calls(&[
            Kind::Open,
            Kind::Stat,
            Kind::StatFileSystem,
            Kind::Access,
            Kind::ReadLink,
            Kind::MakeDirectory,
            Kind::Remove,
            Kind::Rename,
            Kind::Link,
            Kind::SymbolicLink,
            Kind::Truncate,
            Kind::ChangeMode,
            Kind::ChangeDirectory,
            Kind::ChangeRoot,
            Kind::Execute,
            Kind::Other,
        ])
    }

    /// Those that can name a file by a descriptor, or open one.
    pub(crate) const fn by_descriptor() -> Self {
        Self::in_calls(&[Kind::Open])
            .if_ok()
            .and(&[
                Kind::Close,
                Kind::Read,
                Kind::Write,
                Kind::Seek,
                Kind::StatOpen,
                Kind::StatFileSystem,
                Kind::Access,
                Kind::ReadLink,
                Kind::List,
                Kind::MakeDirectory,
                Kind::Remove,
                Kind::Rename,
                Kind::Link,
                Kind::SymbolicLink,
                Kind::Truncate,
                Kind::Allocate,
                Kind::ChangeMode,
                Kind::Duplicate,
                Kind::Control,
                Kind::DeviceControl,
                Kind::Lock,
                Kind::Watch,
                Kind::Map,
                Kind::Advise,
                Kind::Sync,
                Kind::Copy,
                Kind::ChangeDirectory,
                Kind::ChangeRoot,
                Kind::Execute,
                Kind::Other,
            ])
            .but_first_looks()
    }

    /// And these.
    pub(crate) const fn and(self, kinds: &[Kind]) -> Self {
        self.or(Self::in_calls(kinds))
    }

    /// Those of either.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self { ok: self.ok | other.ok, other: self.other | other.other }
    }

    fn has(self, kind: usize, is_ok: bool) -> bool {
        let bits = if is_ok { self.ok } else { self.other };
        bits >> kind & 1 != 0
    }
}

/// Rules that take in first looks late, each by a bit.
#[derive(Debug)]
pub(crate) struct Recalling {
    rules: Vec<usize>,
    /// By kind of call, who takes them in before it.
    before: [u8; KINDS],
}

impl Recalling {
    /// Of interests in their order.
    pub(crate) fn new(interests: &[Interest]) -> Self {
        let rules: Vec<_> = (0..interests.len()).filter(|rule| interests[*rule] != Interest::NONE).collect();
        assert!(rules.len() < 8, "a bit for each");
        let has =
            |rule: usize, kind| u8::from(interests[rule].has(kind, true) || interests[rule].has(kind, false));
        let bits = |kind| rules.iter().zip(0..).fold(0, |bits, (rule, bit)| bits | has(*rule, kind) << bit);
        Self { before: std::array::from_fn(bits), rules }
    }

    /// All of them.
    pub(crate) fn all(&self) -> u8 {
        (1 << self.rules.len()) - 1
    }

    /// Those who take looks in before an action.
    pub(crate) fn before(&self, action: &FileAction) -> u8 {
        self.before[Kind::of(action) as usize]
    }

    /// The rules of those bits.
    pub(crate) fn rules(&self, bits: u8) -> impl Iterator<Item = usize> {
        let is_one = move |bit: u8| bits >> bit & 1 != 0;
        self.rules.iter().zip(0..).filter(move |(_, bit)| is_one(*bit)).map(|(rule, _)| *rule)
    }
}

/// Rules by their indices, each a bit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RuleSet([u64; 2]);

impl RuleSet {
    fn of(rules: impl Iterator<Item = usize>) -> Self {
        let mut set = Self::default();
        rules.for_each(|rule| set.put(rule, true));
        set
    }

    fn put(&mut self, rule: usize, is_in: bool) {
        let (word, bit) = (&mut self.0[rule / 64], 1 << (rule % 64));
        *word = if is_in { *word | bit } else { *word & !bit };
    }

    /// Each of them in its order.
    pub(crate) fn for_each(self, mut see: impl FnMut(usize)) {
        for (first, mut left) in [0, 64].into_iter().zip(self.0) {
            while left != 0 {
                see(first + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

/// Who is asked at which calls.
#[derive(Debug)]
pub(crate) struct Asked {
    /// By kind of call and whether it returned well, in this order: all who have an interest in it.
    interested: [[RuleSet; 2]; KINDS],
    /// Those of them who have it even where they remember nothing.
    woken: [[RuleSet; 2]; KINDS],
    /// Who remembers something now.
    remembering: RuleSet,
}

impl Asked {
    /// Of interests in their order: all of each, and the part of it while nothing is remembered.
    pub(crate) fn new(interests: &[(Interest, Interest)]) -> Self {
        assert!(interests.len() <= 128, "a bit for each");
        let by_kind = |of: fn(&(Interest, Interest)) -> Interest| {
            let rules = |kind, is_ok| {
                let rules = 0..interests.len();
                RuleSet::of(rules.filter(move |rule| of(&interests[*rule]).has(kind, is_ok)))
            };
            std::array::from_fn(|kind| [rules(kind, false), rules(kind, true)])
        };
        let (interested, woken) = (by_kind(|(all, _)| *all), by_kind(|(_, woken)| *woken));
        Self { interested, woken, remembering: RuleSet::default() }
    }

    /// Who is asked at a call, or at a first look at what is there.
    pub(crate) fn at(&self, action: &FileAction, is_ok: bool, is_first_look: bool) -> RuleSet {
        let kind = if is_first_look && is_ok { Kind::FirstLook } else { Kind::of(action) };
        let (kind, outcome) = (kind as usize, usize::from(is_ok));
        let (interested, woken) = (self.interested[kind][outcome].0, self.woken[kind][outcome].0);
        RuleSet(std::array::from_fn(|word| woken[word] | interested[word] & self.remembering.0[word]))
    }

    /// Notes whether a rule remembers anything.
    pub(crate) fn note(&mut self, rule: usize, remembers: bool) {
        self.remembering.put(rule, remembers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Audit;
    use crate::auditor::Auditor;
    use crate::rules::TRIOS;
    use crate::script::Script;

    /// What is found where rules are asked at their calls, and at all.
    fn found(script: &Script) -> [Audit; 2] {
        let judged = |auditor| script.audited(auditor);
        [judged(Auditor::new()), judged(Auditor::new().asking_all_at_all())]
    }

    #[test]
    fn a_rule_misses_nothing_at_the_calls_where_it_is_not_asked() {
        for trio in TRIOS {
            let look_alikes = trio.look_alikes.iter().map(|(_, program)| program);
            for program in [&trio.waste, &trio.fixed].into_iter().chain(look_alikes) {
                let mut script = Script::new();
                program(&mut script);
                let [asked, all] = found(&script);
                assert_eq!(asked, all, "R{:02}", trio.rule);
            }
        }
    }

    #[test]
    fn first_looks_are_taken_in_before_the_calls_that_need_them() {
        let of_opens = Interest::in_calls(&[Kind::Open]);
        let recalling = Recalling::new(&[Interest::NONE, of_opens, Interest::ALL]);
        assert_eq!(recalling.all(), 0b11);
        let close = recalling.before(&FileAction::Close { descriptor: 3 });
        assert_eq!(recalling.rules(close).collect::<Vec<_>>(), [2]);
        assert_eq!(recalling.rules(recalling.all()).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(Recalling::new(&[Interest::NONE]).all(), 0);
    }

    fn indices(rules: RuleSet) -> Vec<usize> {
        let mut all = Vec::new();
        rules.for_each(|rule| all.push(rule));
        all
    }

    /// Who is asked at a call that returned well, by the index.
    fn at(asked: &Asked, action: &FileAction) -> Vec<usize> {
        indices(asked.at(action, true, false))
    }

    #[test]
    fn who_is_asked_is_asked_in_order_and_at_its_calls_alone() {
        let of_closes = Interest::in_calls(&[Kind::Stat]).and_ends();
        let all = [of_closes, Interest::ALL, Interest::in_calls(&[Kind::Fork])];
        let asked = Asked::new(&all.map(|interest| (interest, interest)));
        assert_eq!(at(&asked, &FileAction::Close { descriptor: 3 }), [0, 1]);
        assert_eq!(at(&asked, &FileAction::Exit { code: None, whole: true }), [0, 1]);
        assert_eq!(at(&asked, &FileAction::Lock { descriptor: 3 }), [1]);
        assert_eq!(at(&asked, &FileAction::Other), [1]);
        let fork = FileAction::Fork { shares_descriptors: false, shares_directory: false, is_thread: false };
        assert_eq!(at(&asked, &fork), [1, 2]);
    }

    #[test]
    fn who_looks_at_stats_is_asked_at_first_looks_but_where_it_says_so() {
        let of_stats = Interest::in_calls(&[Kind::Stat]);
        let all = [of_stats, of_stats.but_first_looks(), Interest::in_calls(&[Kind::Open])];
        let asked = Asked::new(&all.map(|interest| (interest, interest)));
        let stat = FileAction::Access { target: Target::Descriptor(3), mode: 0 };
        assert_eq!(indices(asked.at(&stat, true, true)), [0]);
        assert_eq!(at(&asked, &stat), [0; 0]);
    }

    #[test]
    fn who_wants_one_outcome_is_not_asked_at_the_other() {
        let of_locks = Interest::in_calls(&[Kind::Lock]);
        let all = [of_locks.if_ok(), of_locks.unless_ok(), of_locks.if_ok().or(of_locks.unless_ok())];
        let asked = Asked::new(&all.map(|interest| (interest, interest)));
        let lock = FileAction::Lock { descriptor: 3 };
        let at = |is_ok| indices(asked.at(&lock, is_ok, false));
        assert_eq!((at(true), at(false)), (vec![0, 2], vec![1, 2]));
    }

    #[test]
    fn who_remembers_nothing_is_asked_where_it_wakes_alone() {
        let of_closes = Interest::in_calls(&[Kind::Close]);
        let mut asked = Asked::new(&[(Interest::ALL, of_closes), (of_closes, of_closes)]);
        let (close, other) = (FileAction::Close { descriptor: 3 }, FileAction::Other);
        assert_eq!((at(&asked, &close), at(&asked, &other)), (vec![0, 1], vec![]));
        asked.note(0, true);
        assert_eq!((at(&asked, &close), at(&asked, &other)), (vec![0, 1], vec![0]));
        asked.note(0, false);
        assert_eq!(at(&asked, &other), [0; 0]);
    }
}
