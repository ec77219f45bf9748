//! What a person who waits for a run sees: a few lines, drawn again and again.
//! What they say and which of them fit; drawing them is the caller's.

mod clock;
mod intervals;
mod noise;
mod pass;
mod picture;
#[cfg(test)]
mod tests;

pub use clock::{LiveClock, TimeLeft};
pub use intervals::LiveTimes;
pub use noise::LiveNoise;
pub use pass::{OneOf, Pass};

use crate::visible::visible;
use crate::wrap::{elide, width};

/// Wider lines would only be hard to read, and break when the terminal is made narrower.
const WIDTH_MAX: usize = 100;
/// More lines than these only where they are less than half of the terminal.
const LINES_WANTED: usize = 12;
/// The noise takes no more lines …
const NOISE_LINES_MOST: usize = 3;
/// … and only one where the table would have fewer than these.
const TABLE_LINES_WANTED: usize = 5;

/// Between figures of one line.
const SEPARATOR: &str = " · ";

/// A run at one moment.
#[derive(Debug, Clone, Copy)]
pub struct LiveState<'a> {
    /// The entry that is being measured.
    pub entry: Option<Position<'a>>,
    /// The comparison of this entry.
    pub comparison: Option<Position<'a>>,
    /// What is being done.
    pub pass: Pass<'a>,
    /// How long it takes.
    pub clock: LiveClock,
    /// The times of the comparison so far.
    pub times: Option<LiveTimes<'a>>,
    /// What disturbed it so far.
    pub noise: Option<LiveNoise<'a>>,
}

/// Something that is one of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its number, from 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// The terminal to be drawn on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Its columns.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
    /// Whether to use ANSI colors. No meaning rests on them.
    pub color: bool,
}

/// The lines to draw: each fits beside the cursor, and all fit above it.
pub fn render_live(state: &LiveState<'_>, screen: Screen) -> Vec<String> {
    let columns = screen.columns.saturating_sub(1).min(WIDTH_MAX);
    let most = screen.rows.saturating_sub(1).min(LINES_WANTED.max(screen.rows / 2));
    if columns == 0 || most == 0 {
        return Vec::new();
    }
    let mut head = head(state);
    let pass = pass::words(state);
    let mut here = clock::comparison_line(state, columns);
    let mut run = clock::run_line(state, columns);
    let mut noise = state.noise.map_or_else(Vec::new, |noise| noise::lines(&noise, state.times, columns));
    noise.truncate(NOISE_LINES_MOST);
    let others = |noise: &[String], lines: [bool; 3]| {
        1 + noise.len() + lines.into_iter().filter(|is_there| *is_there).count()
    };
    // What is left out first where the terminal is low.
    while others(&noise, [head.is_some(), here.is_some(), run.is_some()]) > most {
        if noise.pop().is_some() || here.take().is_some() || head.take().is_some() {
            continue;
        }
        run = None;
    }
    let is_timed = state.times.is_some_and(|times| times.forks > 0);
    let room = |noise: &[String]| most - others(noise, [head.is_some(), here.is_some(), run.is_some()]);
    while is_timed && noise.len() > 1 && room(&noise) < TABLE_LINES_WANTED {
        noise.pop();
    }
    let room = room(&noise);
    let table =
        state.times.map_or_else(Vec::new, |times| intervals::lines(&times, columns, room, screen.color));
    let short = |line: String| elide(&visible(&line), columns);
    let above = [head, Some(pass), here, run].into_iter().flatten().map(short);
    // Lines of the table are cut where they are made: they hold colors.
    if let Some(last) = noise.last_mut() {
        last.truncate(last.trim_end_matches(SEPARATOR.trim_end()).len());
    }
    above.chain(table).chain(noise.into_iter().map(short)).collect()
}

/// The same in one line, for a log.
pub fn render_live_line(state: &LiveState<'_>) -> String {
    let mut parts: Vec<String> = head(state).into_iter().collect();
    parts.push(pass::words(state));
    parts.push(clock::words(state));
    if let Some(noise) = &state.noise {
        parts.push(format!("noise: {}", noise::verdict(noise, state.times)));
    }
    visible(&parts.join("; "))
}

/// `open-go, entry 2 of 5: 128 B · warm, comparison 3 of 8`.
fn head(state: &LiveState<'_>) -> Option<String> {
    let one = |position: &Position<'_>, noun: &str| {
        let number = (position.of > 1).then(|| format!("{noun} {} of {}", position.number + 1, position.of));
        let name = Some(position.name.to_owned()).filter(|name| !name.is_empty());
        [name, number].into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    let entry = state.entry.as_ref().map(|entry| one(entry, "entry"));
    let comparison = state.comparison.as_ref().map(|comparison| one(comparison, "comparison"));
    let parts: Vec<_> = [entry, comparison].into_iter().flatten().filter(|part| width(part) > 0).collect();
    (!parts.is_empty()).then(|| parts.join(": "))
}
