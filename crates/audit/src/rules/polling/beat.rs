//! The questions about one file: rows with one answer, and whether they come at a beat.

use super::{BUSY, FAST, OWN_HAND};
use crate::cases::Scene;
use crate::claims::Claims;
use crate::moment::{Moment, When};
use crate::rule::Guards;
use crate::world::PlaceId;
use fathom_events::FileFacts;

/// From this many questions on it is a beat.
const HABIT: u64 = 5;
/// Questions that come faster than this belong together, in ns.
const BEAT_NS: u64 = 5_000_000;
/// So many times as long as the middle gap before its other calls is no piece of work.
const BEAT_PACES: u64 = 8;
/// From so many questions with one answer on, which then is another, it waited.
const WAIT: u64 = 10;
/// Other calls between two questions of a wait, at most, on average.
const WAIT_CALLS: u64 = 4;
/// Gaps that are looked at.
const GAPS: usize = 64;
/// Other calls between two questions, from which on it works, on average.
const WORK_CALLS: u64 = 16;

/// Questions with one answer, one after the other.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) count: u64,
    pub(super) other_calls: u64,
    pub(super) sleeps: u64,
    /// Processes that were made before it began.
    pub(super) forks: u64,
    /// The event of its first question.
    pub(super) began: u64,
    /// Those that waiting otherwise spares: all but one that brought news.
    pub(super) calls: Claims,
}

#[derive(Debug)]
pub(super) struct Beat {
    pub(super) last: When,
    pub(super) thread: u32,
    pub(super) answer: Option<FileFacts>,
    pub(super) is_there: bool,
    /// Questions that came after a while.
    pub(super) count: u64,
    /// Questions that came at once.
    pub(super) fast: u64,
    pub(super) news: u64,
    pub(super) gaps_ns: Vec<u64>,
    pub(super) other_calls: u64,
    /// How often a script slept before it asked.
    pub(super) sleeps: u64,
    pub(super) is_script: bool,
    /// Gaps in which its process opened a path that was not opened before.
    pub(super) fresh_gaps: u64,
    /// Gaps in which its process made another.
    pub(super) fork_gaps: u64,
    /// Processes that were made before the last question.
    pub(super) forks: u64,
    /// How long its thread had slept until the last question, in ns.
    pub(super) slept_ns: u64,
    /// Gaps most of which its thread slept.
    pub(super) slept_gaps: u64,
    /// Gaps in which its process may have changed by itself what it asks for.
    pub(super) own_gaps: u64,
    pub(super) scene: Option<Box<Scene>>,
    pub(super) calls: Claims,
    pub(super) row: Row,
    /// Questions of rows that ended with news from elsewhere.
    pub(super) waited: u64,
    pub(super) waited_calls: Claims,
    pub(super) waited_scene: Option<Box<Scene>>,
    /// When the process itself changed it last.
    pub(super) own_change: u64,
}

impl Beat {
    pub(super) fn new(
        last: When,
        thread: u32,
        answer: Option<FileFacts>,
        is_there: bool,
        is_script: bool,
    ) -> Self {
        Self {
            last,
            thread,
            answer,
            is_there,
            count: 1,
            fast: 0,
            news: 0,
            gaps_ns: Vec::new(),
            other_calls: 0,
            sleeps: 0,
            is_script,
            fresh_gaps: 0,
            own_gaps: 0,
            fork_gaps: 0,
            forks: 0,
            slept_ns: 0,
            slept_gaps: 0,
            scene: None,
            calls: Claims::default(),
            row: Row { count: 1, began: last.number, ..Row::default() },
            waited: 0,
            waited_calls: Claims::default(),
            waited_scene: None,
            own_change: 0,
        }
    }

    /// A question again, by calls alone; true where the answer is another one.
    pub(super) fn row_goes_on(
        &mut self,
        moment: &Moment<'_>,
        (place, forks): (PlaceId, u64),
        slept: bool,
        guards: Guards,
    ) -> bool {
        let answer = moment.facts();
        let differs = self.answer.as_ref().zip(answer).is_some_and(|(before, now)| before != now);
        let is_news = differs || self.is_there != moment.is_ok();
        if self.thread == moment.thread() {
            self.row.other_calls += self.last.thread_calls_until(moment.when).saturating_sub(1);
        }
        self.row.sleeps += u64::from(slept);
        if !is_news {
            self.row.count += 1;
            self.row.calls.push(moment.claim());
            return false;
        }
        let began = (moment.when.number, forks);
        let row = std::mem::replace(
            &mut self.row,
            Row { count: 1, began: began.0, forks: began.1, ..Row::default() },
        );
        if row.count >= WAIT
            && !guards.spare(BUSY, self.works_in(&row, forks))
            && !guards.spare(OWN_HAND, self.own_change > row.began || is_written_by(moment, place))
        {
            self.waited += row.count + 1;
            self.waited_calls.join(&row.calls);
            self.waited_scene.get_or_insert_with(|| Box::new(Scene::of_program(moment)));
        }
        true
    }

    /// True where something else was done between the questions of a row.
    fn works_in(&self, row: &Row, forks: u64) -> bool {
        // A script that does next to nothing waits by a builtin (`read -t`).
        if self.is_script && row.sleeps * 2 >= row.count {
            return false;
        }
        // A process that was forgotten meanwhile begins to count anew.
        let made = forks.saturating_sub(row.forks);
        row.other_calls > WAIT_CALLS * row.count || made * 4 > row.count
    }

    pub(super) fn remember(&mut self, moment: &Moment<'_>) {
        (self.last, self.thread, self.is_there) = (moment.when, moment.thread(), moment.is_ok());
        self.answer = moment.facts().copied().or(self.answer);
        self.slept_ns = moment.world.slept_ns(moment.thread());
    }

    pub(super) fn asked_again(
        &mut self,
        moment: &Moment<'_>,
        (slept, is_news): (bool, bool),
        pace_ns: u64,
        guards: Guards,
    ) {
        let gap_ns = moment.when.at_ns.saturating_sub(self.last.at_ns);
        // That a script sleeps a command tells.
        let pace_ns = if self.is_script { 0 } else { pace_ns };
        let is_fast = gap_ns < BEAT_NS.max(pace_ns.saturating_mul(BEAT_PACES));
        if guards.spare(FAST, is_fast) {
            self.fast += 1;
        } else {
            self.count += 1;
            self.news += u64::from(is_news);
            self.sleeps += u64::from(slept);
            self.slept_gaps += u64::from(slept || self.thread_slept_ns(moment) * 2 >= gap_ns);
            if self.gaps_ns.len() < GAPS {
                self.gaps_ns.push(gap_ns);
            }
            if self.thread == moment.thread() {
                let between = self.last.thread_calls_until(moment.when);
                self.other_calls += between.saturating_sub(1);
            }
            if self.count == HABIT {
                self.scene = Some(Box::new(Scene::of_program(moment)));
            }
        }
        if !is_news {
            self.calls.push(moment.claim());
        }
    }

    /// How long the thread was seen to sleep since the last question, where that was its own.
    fn thread_slept_ns(&self, moment: &Moment<'_>) -> u64 {
        let slept_ns = moment.world.slept_ns(moment.thread());
        if self.thread == moment.thread() { slept_ns.saturating_sub(self.slept_ns) } else { 0 }
    }

    /// True where its threads were seen to sleep between the questions. Beside load not every sleep is seen.
    pub(super) fn is_asleep(&self) -> bool {
        self.slept_gaps >= HABIT && self.slept_gaps * 4 >= self.count
    }

    /// True where it does something else between the questions.
    pub(super) fn is_busy(&self) -> bool {
        let works = self.other_calls > WORK_CALLS * self.count
            || self.fresh_gaps * 2 > self.count
            || self.fork_gaps * 2 > self.count;
        if self.is_script { self.sleeps * 2 < self.count } else { works }
    }

    /// True where most gaps are about as long as the middle one: sleeps are longer on a busy machine.
    pub(super) fn is_regular(&self) -> bool {
        let mut gaps = self.gaps_ns.clone();
        gaps.sort_unstable();
        let Some(middle) = gaps.get(gaps.len() / 2).copied() else { return false };
        let alike = gaps.iter().filter(|gap| **gap >= middle / 2 && **gap <= middle * 2).count();
        alike * 5 >= gaps.len() * 4
    }
}

/// True of a file that the process has open for writing.
fn is_written_by(moment: &Moment<'_>, place: PlaceId) -> bool {
    let mut open = moment.world.descriptors(moment.process());
    open.any(|(_, _, file)| file.place == Some(place) && crate::open_flags::can_write(file.flags))
}
