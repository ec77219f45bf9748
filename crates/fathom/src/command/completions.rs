//! `fathom completions`: what a shell needs to complete fathom's words.

use crate::arguments::Completions;
use crate::completion;
use crate::exit::Exit;
use crate::output;

/// Prints the script for a shell.
pub(crate) fn run(completions: &Completions) -> anyhow::Result<Exit> {
    output::binary(&completion::script(completions.shell)?)?;
    Ok(Exit::Done)
}
