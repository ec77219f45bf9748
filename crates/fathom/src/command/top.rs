//! `fathom top`: calls of running processes, counted in the kernel and looked at again and again.

mod keys;
mod rows;

use crate::arguments::{Top as Words, TopForm};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::progress::Screen;
use crate::{interrupt, output};
use fathom_model::{LIVE_CALLS_VERSION, LiveCalls};
use fathom_report::{Screen as Size, render_live_calls};
use fathom_sys::clock::process_cpu_ns;
use fathom_trace::{LiveCounts, LiveSubject, TraceError};
use keys::Keys;
use rows::Rows;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Lines of a table that is not on a terminal.
const PLAIN_ROWS: usize = 24;
/// How often it is looked whether the process has ended.
const LOOK: Duration = Duration::from_millis(100);

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    let subject = words.pid.map_or(LiveSubject::All, LiveSubject::Process);
    let signal = interrupt::number()?;
    let created = jiff::Timestamp::now().to_string();
    let counts = LiveCounts::begin(subject).map_err(|error| unavailable(&error))?;
    let mut session = Session {
        words,
        rows: Rows::new(counts, subject, words.sort),
        subject: rows::in_words(subject),
        created,
        begun: Instant::now(),
        before: Instant::now(),
        own_cpu_ns: process_cpu_ns(),
        own_cpu_before_ns: process_cpu_ns(),
    };
    let mut view = (words.format == TopForm::Text && std::io::stdout().is_terminal())
        .then(Screen::of_terminal)
        .flatten();
    if view.is_none() {
        output::note(&format!("counting the calls of {}", session.subject));
    }
    let keys = view.is_some().then(Keys::listen).flatten();
    loop {
        let is_last = session.rest(keys.as_ref(), &signal);
        let shown = session.look()?;
        match (&mut view, words.format) {
            (Some(screen), _) => screen.draw(render_live_calls(&shown, screen.size())),
            (None, TopForm::Text) if !is_last => plain(&shown)?,
            (None, _) => {}
        }
        if is_last {
            break;
        }
    }
    drop(keys);
    if let Some(screen) = &mut view {
        screen.wipe();
    }
    let whole = session.whole();
    match words.format {
        TopForm::Json => output::data(&output::json(&whole)?)?,
        TopForm::Text => plain(&whole)?,
    }
    Ok(if whole.rows.is_empty() { Exit::NothingRan } else { Exit::Done })
}

/// A view that goes on.
struct Session<'a> {
    words: &'a Words,
    rows: Rows,
    subject: String,
    created: String,
    begun: Instant,
    before: Instant,
    own_cpu_ns: u64,
    own_cpu_before_ns: u64,
}

impl Session<'_> {
    /// Until it is time for the next look; true when that is the last.
    fn rest(&self, keys: Option<&Keys>, signal: &AtomicUsize) -> bool {
        let next = self.before + Duration::from_secs_f64(self.words.interval);
        let end = self.words.seconds.map(|seconds| self.begun + Duration::from_secs_f64(seconds));
        loop {
            let now = Instant::now();
            let is_over = end.is_some_and(|end| now >= end) || self.rows.is_over();
            if is_over || signal.load(Ordering::SeqCst) != 0 || keys.is_some_and(Keys::wants_end) {
                return true;
            }
            if now >= next {
                return false;
            }
            let until = end.map_or(next, |end| end.min(next));
            match keys {
                Some(keys) => keys.rest(until.duration_since(now).min(LOOK)),
                None => std::thread::sleep(until.duration_since(now).min(LOOK)),
            }
        }
    }

    /// What came since the look before.
    fn look(&mut self) -> anyhow::Result<LiveCalls> {
        self.rows.read().map_err(|error| unavailable(&error))?;
        let (now, cpu_ns) = (Instant::now(), process_cpu_ns());
        let seconds = now.duration_since(self.before).as_secs_f64();
        let own = Duration::from_nanos(cpu_ns.saturating_sub(self.own_cpu_before_ns));
        (self.before, self.own_cpu_before_ns) = (now, cpu_ns);
        let at = format!("{} · {:.0} s", self.subject, self.begun.elapsed().as_secs_f64());
        Ok(LiveCalls { subject: at, rows: self.rows.latest(), ..self.of(seconds, own) })
    }

    /// Everything since the beginning.
    fn whole(&self) -> LiveCalls {
        let seconds = self.before.duration_since(self.begun).as_secs_f64();
        let own = Duration::from_nanos(process_cpu_ns().saturating_sub(self.own_cpu_ns));
        LiveCalls { rows: self.rows.all(), ..self.of(seconds, own) }
    }

    fn of(&self, seconds: f64, own: Duration) -> LiveCalls {
        LiveCalls {
            schema_version: LIVE_CALLS_VERSION,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            created: self.created.clone(),
            subject: self.subject.clone(),
            seconds,
            is_over: self.rows.is_over(),
            uncounted: self.rows.uncounted(),
            foreign: self.rows.foreign(),
            own_cpu_seconds: own.as_secs_f64(),
            rows: Vec::new(),
        }
    }
}

fn plain(calls: &LiveCalls) -> anyhow::Result<()> {
    let size = Size { columns: output::width() + 1, rows: PLAIN_ROWS, color: false };
    output::data(&(render_live_calls(calls, size).join("\n") + "\n"))
}

fn unavailable(error: &TraceError) -> anyhow::Error {
    let hint = match error {
        TraceError::Forbidden { program, .. } if program.starts_with("process") => {
            "`pgrep -a NAME` lists processes by name; `fathom doctor` says what this machine can measure"
        }
        _ => "`fathom doctor` says what this machine can measure",
    };
    Hinted::error(format!("calls cannot be counted: {error}"), hint)
}
