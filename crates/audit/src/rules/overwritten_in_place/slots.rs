//! Two parts of a file that take turns: one of them is always whole.

/// What was written over between one sync and the next, from where to where.
type Span = (u64, u64);

/// Whether two parts of a file take turns.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// Since the last sync.
    current: Option<Span>,
    /// The one before that, and the one before that one.
    last: [Option<Span>; 2],
    /// How often a part was written whose turn it was, and how often another.
    turns: u64,
    others: u64,
}

impl Slots {
    /// A write, of whatever size.
    pub(super) fn add(&mut self, begin: u64, bytes: u64) {
        let end = begin.saturating_add(bytes);
        let (from, to) = self.current.unwrap_or((begin, end));
        self.current = Some((from.min(begin), to.max(end)));
    }

    /// A sync, or the end.
    pub(super) fn turn(&mut self) {
        let Some(current) = self.current.take() else { return };
        let [last, before] = self.last;
        let overlaps = |other: Span| current.0 < other.1 && other.0 < current.1;
        // A slot need not be filled from end to end each time.
        if !last.is_some_and(overlaps) && before.is_none_or(overlaps) {
            self.turns += 1;
        } else {
            self.others += 1;
        }
        self.last = [Some(current), last];
    }

    /// True when it was seen that one comes again after the other: of two writes nobody can tell.
    pub(super) fn take_turns(&self) -> bool {
        self.turns > 2 && self.others == 0
    }
}
