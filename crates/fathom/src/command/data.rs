//! `fathom data`: data sets that stay are made, listed and removed.

mod listing;
mod making;

use crate::arguments::{Data, DataCommand, DataRemove};
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output;
use fathom_lab::data_set::DataError;
use fathom_lab::kept_set::{self, KeptError, SetName};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;

/// Runs a subcommand of `fathom data`.
pub(crate) fn run(data: &Data) -> anyhow::Result<Exit> {
    match &data.command {
        DataCommand::Make(make) => making::run(make),
        DataCommand::List(list) => listing::run(list),
        DataCommand::Remove(remove) => run_remove(remove),
    }
}

fn run_remove(remove: &DataRemove) -> anyhow::Result<Exit> {
    let DataRemove { name, dir } = remove;
    let removal = kept_set::remove(dir, name).map_err(|error| explained("remove", name, dir, &error))?;
    let path = removal.path.display();
    if removal.is_complete() {
        output::data(&format!("removed {path} ({} files)", removal.files))?;
        return Ok(Exit::Done);
    }
    output::data(&format!("{path} stays; {} files of the data set were removed", removal.files))?;
    if !removal.foreign.is_empty() {
        output::data(&format!("  not of the data set, and untouched: {}", removal.foreign.join(", ")))?;
    }
    for problem in &removal.problems {
        output::data(&format!("  not removed: {problem}"))?;
    }
    Ok(Exit::Findings)
}

/// An error with what was tried and the next step.
fn explained(verb: &str, name: &SetName, dir: &Path, error: &KeptError) -> anyhow::Error {
    let message = format!("failed to {verb} the data set `{name}`: {error}");
    let hint = match error {
        KeptError::Exists(_) => {
            "`fathom data list` shows what is there; --name gives this one another name".to_owned()
        }
        KeptError::Absent { .. } => match nearest_set(name, dir) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`fathom data list --dir DIR` shows what is in a directory".to_owned(),
        },
        KeptError::InUse(_) => "wait until the process ends that makes, checks or measures it".to_owned(),
        KeptError::Data(DataError::NoSpace { .. } | DataError::NoFiles { .. }) => {
            "nothing of it was left behind; try a smaller --size or --files, or another --dir".to_owned()
        }
        _ => return anyhow::Error::msg(message),
    };
    Hinted::error(message, hint)
}

fn nearest_set(name: &SetName, dir: &Path) -> Option<String> {
    let known: Vec<String> = kept_set::survey(dir).ok()?.iter().map(|found| found.name.to_string()).collect();
    fathom_catalog::nearest(&name.to_string(), known.iter().map(String::as_str)).map(str::to_owned)
}

/// A bar of bytes on standard error; nothing when that is no terminal. It may
/// tick: what is timed here takes a processor of its own, not a driver's.
fn bar(what: &str) -> ProgressBar {
    const FORM: &str = "{prefix} {wide_bar} {bytes} of {total_bytes}, {decimal_bytes_per_sec}, {eta} left";
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(FORM).expect("a literal template"));
    bar.set_prefix(what.to_owned());
    bar
}

/// Moves a bar.
fn show(bar: &ProgressBar) -> impl FnMut(u64, u64) {
    |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    }
}
