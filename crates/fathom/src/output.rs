//! Where text goes: data to standard output, everything else to standard error.

use crate::arguments::ColorChoice;
use anstream::ColorChoice as StreamChoice;
use fathom_report::{visible_json, visible_styled};
use serde::Serialize;
use std::io::{IsTerminal, Write};

/// Columns of output that is not a terminal.
const DEFAULT_WIDTH: usize = 80;
/// Wider lines are hard to read.
const MAX_WIDTH: usize = 120;

/// Sets for the whole program when to color.
pub(crate) fn choose_color(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => StreamChoice::Auto.write_global(),
        ColorChoice::Always => StreamChoice::Always.write_global(),
        ColorChoice::Never => StreamChoice::Never.write_global(),
    }
}

/// Whether standard output takes color.
pub(crate) fn color() -> bool {
    !matches!(anstream::AutoStream::choice(&std::io::stdout()), StreamChoice::Never)
}

/// Columns of the terminal on standard output.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let asked = columns.or_else(terminal_width).unwrap_or(DEFAULT_WIDTH);
    asked.clamp(DEFAULT_WIDTH, MAX_WIDTH)
}

/// A value as JSON on one line. What is hidden in its strings is escaped, and stays what it is.
pub(crate) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(visible_json(&serde_json::to_string(value)?))
}

/// The same in lines for people.
pub(crate) fn pretty_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(visible_json(&serde_json::to_string_pretty(value)?))
}

/// Writes data. What is hidden in names is shown.
pub(crate) fn data(text: &str) -> anyhow::Result<()> {
    let text = visible_styled(text);
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// Writes data that is no text, as it is: never to a terminal.
pub(crate) fn binary(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Writes a line for the person who waits; a closed stream is no error.
pub(crate) fn note(text: &str) {
    let _closed = writeln!(anstream::stderr(), "{}", visible_styled(text));
}

fn terminal_width() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col))
}
