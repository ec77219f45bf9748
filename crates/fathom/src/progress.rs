//! Progress on standard error: drawn between forks, never while a clock runs.

use fathom_lab::{Event, Observer};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line that says what is being done now. Nothing is drawn when standard
/// error is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// An empty line.
    pub(crate) fn new() -> Self {
        // No steady tick: a thread of ours that wakes up would disturb the drivers.
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template("{prefix} {wide_msg}").expect("a literal template"));
        Self { bar }
    }

    /// Says which experiment runs.
    pub(crate) fn experiment(&self, name: &str) {
        self.bar.set_prefix(name.to_owned());
        self.bar.tick();
    }

    /// Prints a line above.
    pub(crate) fn note(&self, text: &str) {
        self.bar.suspend(|| crate::output::note(text));
    }

    /// Wipes the line.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&self, text: String) {
        self.bar.set_message(text);
        self.bar.tick();
    }
}

impl Observer for Progress {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Comparison { label, variants } => self.say(format!("{label}: {variants} variants")),
            Event::Trying { case, setting } => self.say(format!("{case}: {setting}")),
            Event::MakingData { done, total } => {
                self.say(format!("writing files: {} of {} MiB", done >> 20, total.div_ceil(1 << 20)));
            }
            Event::Checking { method, number, of } => {
                self.say(format!("trying {method} ({} of {of})", number + 1));
            }
            Event::Counting { method, number, of } => {
                self.say(format!("counting calls of {method} ({} of {of})", number + 1));
            }
            Event::Explaining { what, method, number, of } => {
                self.say(format!("{what} of {method} ({} of {of})", number + 1));
            }
            Event::Pricing { directory, done, of } => {
                self.say(format!("prices of calls in {}: {done} of {of} processes", directory.display()));
            }
            Event::Timing { label, forks, elapsed, budget } => self.say(format!(
                "timing {label}: fork {forks}, {:.0} of at most {:.0} s",
                elapsed.as_secs_f64(),
                budget.as_secs_f64()
            )),
            Event::CountingCommand { command, number, of } => {
                self.say(format!("counting calls of {command}: run {} of {of}", number + 1));
            }
            Event::TimingCommands { blocks, elapsed, budget } => self.say(format!(
                "timing: block {blocks}, {:.0} of about {:.0} s",
                elapsed.as_secs_f64(),
                budget.as_secs_f64()
            )),
            _ => {}
        }
    }
}
