//! `fathom track`: counts and times of a project's commands over its commits.

mod add;
mod branch;
mod counted;
mod directory;
mod kept;
mod report;
mod sources;
mod store;
mod timing;

use crate::arguments::{Track, TrackCommand};
use crate::command::stop::Interrupted;
use crate::exit::Exit;

/// Does what the command line asks for.
pub(crate) fn run(words: &Track) -> anyhow::Result<Exit> {
    let done = match &words.command {
        TrackCommand::Add(words) => add::add(words),
        TrackCommand::Report(words) => report::report(words),
    };
    match done {
        Err(error) if error.is::<Interrupted>() => Ok(Exit::Interrupted),
        other => other,
    }
}
