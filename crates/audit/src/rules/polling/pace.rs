//! How fast a process makes its other calls.

use crate::moment::{Moment, When};

/// Of fewer gaps before other calls nothing is said.
const FEW_GAPS: u32 = 8;

/// Gaps before calls, by the powers of two in ns.
#[derive(Debug)]
pub(super) struct Pace {
    last: Option<(u32, When)>,
    gaps: [u32; 64],
    count: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { last: None, gaps: [0; 64], count: 0 }
    }
}

impl Pace {
    /// A call that is no question asked again.
    pub(super) fn add(&mut self, moment: &Moment<'_>) {
        if let Some((thread, last)) = self.last
            && thread == moment.thread()
            && last.at_ns != 0
        {
            let gap_ns = moment.when.at_ns.saturating_sub(last.at_ns);
            // Calls that this rule is not asked at came between.
            let each_ns = gap_ns / last.thread_calls_until(moment.when).max(1);
            self.gaps[each_ns.max(1).ilog2() as usize] += 1;
            self.count += 1;
        }
        self.pass(moment);
    }

    /// A question: the next gap is counted from it.
    pub(super) fn pass(&mut self, moment: &Moment<'_>) {
        self.last = Some((moment.thread(), moment.when));
    }

    /// What the middle gap takes at least, in ns; 0 where there are too few to tell.
    pub(super) fn middle_ns(&self) -> u64 {
        if self.count < FEW_GAPS {
            return 0;
        }
        let mut below = 0;
        let middle = self.gaps.iter().position(|gaps| {
            below += gaps;
            below * 2 >= self.count
        });
        middle.map_or(0, |power| 1 << power)
    }
}
