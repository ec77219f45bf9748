//! `fathom prices`: prices are taken, kept and printed, or printed again.

use crate::arguments::{Format, Prices};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::{interrupt, output, record_file};
use anyhow::Context;
use fathom_collect::{machine, place_facts};
use fathom_lab::prices::{self, Effort, PriceError};
use fathom_model::{Place, PriceList};
use fathom_report::{Details, TextOptions, render_prices};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Does what the command line asks for.
pub(crate) fn run(arguments: &Prices) -> anyhow::Result<Exit> {
    if arguments.list {
        return list();
    }
    if arguments.output.is_some() && arguments.dir.len() > 1 {
        return Err(Hinted::error(
            "-o takes the prices of one directory",
            "give one --dir, or leave -o out: every list is kept anyway",
        ));
    }
    if let Some(file) = &arguments.output {
        record_file::check_folder(file)?;
    }
    if let Some(file) = &arguments.show {
        give(arguments, &read(file)?, file)?;
        return Ok(Exit::Done);
    }
    if !arguments.kept {
        return take(arguments);
    }
    for directory in &arguments.dir {
        let (path, list) = kept_for(directory)?;
        give(arguments, &list, &path)?;
    }
    Ok(Exit::Done)
}

fn take(arguments: &Prices) -> anyhow::Result<Exit> {
    let stop = interrupt::flag()?;
    for directory in &arguments.dir {
        let mut progress = Progress::new();
        let taken = take_one(arguments, directory, &stop, &mut progress);
        progress.finish();
        for removal in fathom_lab::take_removal_reports() {
            output::note(&format!("warning: {removal}"));
        }
        let list = match taken {
            Err(PriceError::Interrupted) => {
                output::note("interrupted: nothing is kept of the prices taken so far");
                return Ok(Exit::Interrupted);
            }
            taken => taken.with_context(|| format!("failed to take prices in {}", directory.display()))?,
        };
        if !arguments.only.is_empty() {
            give(arguments, &list, Path::new(""))?;
            continue;
        }
        // Printed before anything else can fail: nothing measured is lost.
        match prices::keep(&list) {
            Ok(path) => give(arguments, &list, &path)?,
            Err(error) => {
                output::note(&format!("warning: the list cannot be kept: {error}"));
                give(arguments, &list, Path::new(""))?;
            }
        }
    }
    Ok(Exit::Done)
}

fn take_one(
    arguments: &Prices,
    directory: &Path,
    stop: &AtomicBool,
    progress: &mut Progress,
) -> Result<PriceList, PriceError> {
    let effort = if arguments.quick { Effort::QUICK } else { Effort::FULL };
    let time = arguments.seconds.map(Duration::from_secs_f64);
    let effort = time.map_or(effort, |time| effort.lasting(time));
    prices::take(directory, effort, &arguments.only, stop, progress)
}

/// Prints a list, writes it where it was asked for, and says where it is kept.
fn give(arguments: &Prices, list: &PriceList, path: &Path) -> anyhow::Result<()> {
    let written = arguments.output.as_deref().map(|file| write(list, file));
    match arguments.format {
        Format::Json => output::data(&output::json(list)?)?,
        Format::Text => {
            let (width, color) = (output::width(), output::color());
            output::data(&render_prices(list, &TextOptions { width, color, details: Details::Brief }))?;
        }
    }
    if !path.as_os_str().is_empty() {
        output::note(&format!("prices: {}", path.display()));
    }
    written.unwrap_or(Ok(()))
}

fn write(list: &PriceList, file: &Path) -> anyhow::Result<()> {
    record_file::put(output::json(list)?.as_bytes(), file)
        .with_context(|| format!("failed to write the prices to {}", file.display()))
}

fn read(file: &Path) -> anyhow::Result<PriceList> {
    prices::read(file).map_err(|error| match error {
        PriceError::Foreign { .. } => {
            Hinted::error(error.to_string(), "price lists are the JSON files that `fathom prices` writes")
        }
        other => anyhow::Error::from(other).context("failed to read prices"),
    })
}

/// The newest kept list that fits this machine and the file system of a directory.
fn kept_for(directory: &Path) -> anyhow::Result<(PathBuf, PriceList)> {
    let place = place_facts(&Place::Directory(directory.to_owned()), directory)?;
    prices::fitting(&machine(), &place)?.ok_or_else(|| {
        let directory = directory.display();
        Hinted::error(
            format!("no kept prices fit {directory} on {} and this machine", place.file_system),
            format!(
                "`fathom prices --dir {directory}` takes them; `fathom prices --list` shows what is kept"
            ),
        )
    })
}

fn list() -> anyhow::Result<Exit> {
    let kept = prices::all()?;
    if kept.is_empty() {
        output::data(&format!("no prices are kept in {}", prices::folder()?.display()))?;
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for file in kept {
        let path = file.path.display();
        match file.list {
            Ok(list) => writeln!(
                text,
                "{}  {} in {}, Linux {}, {} prices of {} processes{}\n    {path}",
                list.created,
                list.place.file_system,
                list.place.place,
                list.environment.kernel,
                list.prices.len(),
                list.processes,
                list.noise.value().map_or_else(String::new, |noise| format!(" in {:.0} s", noise.seconds)),
            )?,
            Err(error) => writeln!(text, "unreadable: {error}")?,
        }
    }
    output::data(&text)?;
    Ok(Exit::Done)
}
