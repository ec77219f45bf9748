//! `fathom man`: the words of `--help` as pages for man and as Markdown. What a
//! page says is clap's; nothing is said here a second time.

mod after_help;
mod exit_codes;
mod markdown;
mod page;

use crate::arguments::{Arguments, Man, ManFormat};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output;
use anyhow::Context;
use clap::{Command, CommandFactory};
use std::path::Path;

/// Prints a page, or writes all of them.
pub(crate) fn run(man: &Man) -> anyhow::Result<Exit> {
    let fathom = fathom();
    match &man.output {
        None => output::data(&one(&fathom, man)?)?,
        Some(folder) => write_all(folder, &all(&fathom, man.format)?)?,
    }
    Ok(Exit::Done)
}

/// The command line, complete to the last subcommand.
fn fathom() -> Command {
    // Of the subcommand `help` there is nothing to tell.
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    command
}

fn one(fathom: &Command, man: &Man) -> anyhow::Result<String> {
    let mut command = fathom;
    for word in &man.command {
        command = command.find_subcommand(word).ok_or_else(|| {
            let message = format!("no command `{}`", man.command.join(" "));
            Hinted::error(message, "`fathom --help` lists the commands")
        })?;
    }
    match man.format {
        ManFormat::Man => page::render(command),
        ManFormat::Markdown if man.command.is_empty() => Ok(markdown::render(fathom)),
        ManFormat::Markdown => Ok(markdown::render_command(command)),
    }
}

/// Every page, with the name of its file.
fn all(fathom: &Command, format: ManFormat) -> anyhow::Result<Vec<(String, String)>> {
    match format {
        ManFormat::Markdown => Ok(vec![
            ("commands.md".to_owned(), markdown::render(fathom)),
            ("exit-codes.md".to_owned(), exit_codes::render(fathom)),
        ]),
        ManFormat::Man => {
            let pages = with_subcommands(fathom).into_iter();
            pages.map(|command| Ok((page::file_name(command), page::render(command)?))).collect()
        }
    }
}

/// A command and all below it that are shown, each before its own.
fn with_subcommands(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    std::iter::once(command).chain(below.flat_map(with_subcommands)).collect()
}

fn write_all(folder: &Path, pages: &[(String, String)]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("failed to make {}", folder.display()))?;
    for (name, text) in pages {
        let file = folder.join(name);
        std::fs::write(&file, text).with_context(|| format!("failed to write {}", file.display()))?;
    }
    output::note(&format!("wrote {} files to {}", pages.len(), folder.display()));
    Ok(())
}
