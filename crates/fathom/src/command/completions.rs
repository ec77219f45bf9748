//! `fathom completions`: what a shell needs to complete fathom's words.

use crate::arguments::{Arguments, Completions};
use crate::exit::Exit;
use crate::output;
use clap::CommandFactory;

/// Prints the script for a shell.
pub(crate) fn run(completions: &Completions) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut Arguments::command(), "fathom", &mut script);
    output::binary(&script)?;
    Ok(Exit::Done)
}
