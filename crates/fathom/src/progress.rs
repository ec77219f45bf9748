//! What a waiting person is shown on standard error: a view that is redrawn, or
//! lines for a log. Told between forks, never while a clock runs; there is no
//! thread that draws, which would disturb the drivers.

mod course;
mod screen;

use crate::arguments::ProgressChoice;
use crate::output;
use course::Course;
use fathom_collect::NoiseSnapshot;
use fathom_lab::{Event, Observer};
use fathom_model::ValidityFlag;
use fathom_report::{
    LiveState, OneOf, Pass, render_live, render_live_line, validity_hint, validity_sentence,
};
pub(crate) use screen::Screen;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Between two lines for a log.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);
/// Between two drawings of something that moves quickly.
const DRAWING_INTERVAL: Duration = Duration::from_millis(100);

static CHOICE: OnceLock<ProgressChoice> = OnceLock::new();

/// Sets for the whole program how progress is shown.
pub(crate) fn choose(choice: ProgressChoice) {
    let _first_choice_stays = CHOICE.set(choice);
}

/// Shows how a run goes.
pub(crate) struct Progress {
    drawing: Drawing,
    course: Course,
    shown: Option<Instant>,
}

enum Drawing {
    View(Screen),
    Plain,
    Nothing,
}

/// What comes after an entry.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Later {
    /// Time that its time passes may take.
    pub(crate) time: Duration,
    /// How many comparisons it has.
    pub(crate) comparisons: usize,
}

impl Progress {
    /// Nothing shown yet.
    pub(crate) fn new() -> Self {
        let drawing = match CHOICE.get().copied().unwrap_or(ProgressChoice::Auto) {
            ProgressChoice::Auto => Screen::of_terminal().map_or(Drawing::Nothing, Drawing::View),
            ProgressChoice::Plain => Drawing::Plain,
            ProgressChoice::Never => Drawing::Nothing,
        };
        Self { drawing, course: Course::begin(), shown: None }
    }

    /// Measuring begins: time counts from here, and so does what disturbs the machine.
    pub(crate) fn begin(&mut self, before: &NoiseSnapshot) {
        if !matches!(self.drawing, Drawing::Nothing) {
            self.course = Course::begin();
            self.course.watch_noise(before);
        }
    }

    /// Says which experiment runs, and what comes after it.
    pub(crate) fn experiment(&mut self, name: &str, number: usize, of: usize, later: Later) {
        self.course.enter(name, number, of, later);
        if let Drawing::View(_) = self.drawing {
            self.show(Pass::Starting);
        }
    }

    /// Prints a line above.
    pub(crate) fn note(&mut self, text: &str) {
        self.finish();
        output::note(text);
    }

    /// Wipes the view.
    pub(crate) fn finish(&mut self) {
        if let Drawing::View(screen) = &mut self.drawing {
            screen.wipe();
        }
    }

    fn say_validity(&mut self, flags: &[ValidityFlag], names: &[String]) {
        for flag in flags.iter().filter(|flag| flag.problem.voids()) {
            self.note(&format!("warning: not a valid comparison: {}", validity_sentence(flag, names)));
            self.note(&format!("hint: {}", validity_hint(flag.problem)));
        }
    }

    fn is_due(&self, event: &Event<'_>) -> bool {
        let waited = self.shown.map(|shown| shown.elapsed());
        match self.drawing {
            Drawing::Nothing => false,
            Drawing::Plain => {
                matches!(event, Event::Comparison { .. })
                    || waited.is_none_or(|waited| waited >= PLAIN_INTERVAL)
            }
            // Of what is said once for each variant, nothing is left out: it may stand for long.
            Drawing::View(_) => {
                !moves_quickly(event) || waited.is_none_or(|waited| waited >= DRAWING_INTERVAL)
            }
        }
    }

    fn show(&mut self, pass: Pass<'_>) {
        let state: LiveState<'_> = self.course.state(pass);
        match &mut self.drawing {
            Drawing::View(screen) => {
                let lines = render_live(&state, screen.size());
                screen.draw(lines);
            }
            Drawing::Plain => output::note(&render_live_line(&state)),
            Drawing::Nothing => {}
        }
        self.shown = Some(Instant::now());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Observer for Progress {
    fn event(&mut self, event: &Event<'_>) {
        if let Some(line) = estimate(event) {
            self.note(&line);
        }
        // Whoever looks at no progress has to know it too, before the time is spent.
        if let Event::Validity { flags, names } = event {
            self.say_validity(flags, names);
            return;
        }
        if matches!(self.drawing, Drawing::Nothing) {
            return;
        }
        let is_due = self.is_due(event);
        self.course.hear(event, is_due);
        if is_due {
            let name = name(event);
            if let Some(pass) = pass(event, &name) {
                self.show(pass);
            }
        }
    }
}

/// What is said of a comparison that takes long, or longer than was asked for.
fn estimate(event: &Event<'_>) -> Option<String> {
    let Event::Estimated { label, counting, timing, is_long, short_of } = event else { return None };
    let seconds = |of: &Duration| format!("{} s", of.as_secs_f64().ceil());
    if let Some((asked, least)) = short_of {
        return Some(format!(
            "note: {label}: --time cannot be kept: {} here, and one run of every method takes about {}; that one is made",
            seconds(asked),
            seconds(least)
        ));
    }
    is_long.then(|| {
        // How many calls an operation makes is not known before they are counted.
        let counted = "and some 25 us for each call that is counted";
        let parts = match (counting.is_zero(), timing.is_zero()) {
            (_, true) => format!("counting calls, {counted}"),
            (true, false) => "timing".to_owned(),
            (false, false) => {
                format!("counting calls {}, timing {}, {counted}", seconds(counting), seconds(timing))
            }
        };
        format!("note: {label}: about {}: {parts}", seconds(&(*counting + *timing)))
    })
}

fn moves_quickly(event: &Event<'_>) -> bool {
    match event {
        Event::Timing { so_far, .. } => so_far.forks() > 0,
        Event::MakingData { .. } | Event::Pricing { .. } | Event::TimingCommands { .. } => true,
        _ => false,
    }
}

/// What the event names, in words.
fn name(event: &Event<'_>) -> String {
    match event {
        Event::Checking { method, .. }
        | Event::Counting { method, .. }
        | Event::Explaining { method, .. } => method.to_string(),
        Event::Pricing { directory, .. } => directory.display().to_string(),
        Event::CountingCommand { command, .. } => (*command).to_owned(),
        _ => String::new(),
    }
}

fn pass<'a>(event: &Event<'a>, name: &'a str) -> Option<Pass<'a>> {
    let one = |number, of| OneOf { name, number, of };
    Some(match *event {
        Event::Comparison { .. } => Pass::Starting,
        Event::Trying { case, setting } => Pass::Trying(case, setting),
        Event::MakingData { done, total } => Pass::MakingData(done, total),
        Event::Checking { number, of, .. } => Pass::Checking(one(number, of)),
        Event::Counting { number, of, .. } => Pass::Counting(one(number, of)),
        Event::Timing { .. } => Pass::Timing,
        Event::Ceilings => Pass::Ceilings,
        Event::Explaining { what, number, of, .. } => Pass::Explaining(what, one(number, of)),
        Event::Pricing { done, of, .. } => Pass::Pricing(name, done, of),
        Event::CountingCommand { number, of, .. } => Pass::CountingCommand(one(number, of)),
        Event::TimingCommands { blocks, ratio, precision, .. } => {
            Pass::TimingCommands(blocks, ratio, precision)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(timing: u64, is_long: bool, short_of: Option<(u64, u64)>) -> Option<String> {
        let seconds = Duration::from_secs;
        estimate(&Event::Estimated {
            label: "1 GiB",
            counting: seconds(12),
            timing: seconds(timing),
            is_long,
            short_of: short_of.map(|(asked, least)| (seconds(asked), seconds(least))),
        })
    }

    #[test]
    fn long_operations_say_beforehand_how_long_they_take() {
        assert_eq!(
            said(28, true, None).unwrap(),
            "note: 1 GiB: about 40 s: counting calls 12 s, timing 28 s, and some 25 us for each call that is counted"
        );
        assert_eq!(
            said(0, true, None).unwrap(),
            "note: 1 GiB: about 12 s: counting calls, and some 25 us for each call that is counted"
        );
        assert_eq!(said(28, false, None), None);
    }

    #[test]
    fn a_time_that_cannot_be_kept_is_said_before_it_begins() {
        let text = said(24, true, Some((5, 24))).unwrap();
        assert!(
            text.contains("--time cannot be kept: 5 s here") && text.contains("takes about 24 s"),
            "{text}"
        );
        assert!(estimate(&Event::Ceilings).is_none());
    }
}
