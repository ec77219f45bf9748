//! `fathom flame-graph`: the stacks of a record as pictures or folded text, one
//! file per method.

use crate::arguments::FlameGraph as Words;
use crate::command::Hinted;
use crate::exit::Exit;
use crate::output_file::OutputFile;
use crate::{output, record_file};
use anyhow::Context;
use fathom_model::Record;
use fathom_report::{FlameGraph, flame_graphs, missing_stacks};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    let record = record_file::read(&words.record)?;
    let graphs = chosen(&record, words)?;
    let ending = if words.folded { "folded" } else { "svg" };
    let path = |graph: &FlameGraph<'_>| words.output.join(format!("{}.{ending}", graph.stem));
    let paths: Vec<PathBuf> = graphs.iter().map(path).collect();
    if !words.force {
        refuse_to_replace(&paths)?;
    }
    let folder = &words.output;
    fs::create_dir_all(folder).with_context(|| format!("failed to make {}", folder.display()))?;
    for (graph, path) in graphs.iter().zip(&paths) {
        let text = if words.folded { graph.folded() } else { graph.svg()? };
        write_whole(&text, path, words.force)
            .with_context(|| format!("failed to write {}", path.display()))?;
        output::data(&path.display().to_string())?;
    }
    Ok(Exit::Done)
}

/// The graphs asked for; an error when there are none.
fn chosen<'a>(record: &'a Record, words: &Words) -> anyhow::Result<Vec<FlameGraph<'a>>> {
    let all = flame_graphs(record);
    let shown = words.record.display();
    if all.is_empty() {
        let reasons: Vec<_> = missing_stacks(record).into_iter().collect();
        if reasons.is_empty() {
            let hint = "run with --profile: `fathom bench … --profile -o RECORD`";
            return Err(Hinted::error(format!("{shown} holds no stacks"), hint));
        }
        anyhow::bail!("{shown} holds no stacks: {}", reasons.join("; "));
    }
    let fits = |graph: &FlameGraph<'_>| {
        let method = graph.method.to_string();
        words.experiment.as_ref().is_none_or(|name| name == graph.experiment)
            && (words.method.is_empty() || words.method.contains(&method))
    };
    let known = names_of(&all);
    let missing = words.method.iter().find(|&name| all.iter().all(|graph| graph.method.to_string() != *name));
    if let Some(missing) = missing {
        let message = format!("{shown} holds no stacks of {missing}");
        return Err(Hinted::error(message, format!("it has those of {known}")));
    }
    let chosen: Vec<_> = all.into_iter().filter(fits).collect();
    if chosen.is_empty() {
        let message = format!("{shown} holds no stacks of what was asked for");
        return Err(Hinted::error(message, format!("it has those of {known}")));
    }
    Ok(chosen)
}

/// Methods with their experiments, each pair once.
fn names_of(graphs: &[FlameGraph<'_>]) -> String {
    let names: BTreeSet<_> =
        graphs.iter().map(|graph| format!("{} ({})", graph.method, graph.experiment)).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Looks before anything is written, so that it is all or nothing.
fn refuse_to_replace(paths: &[PathBuf]) -> anyhow::Result<()> {
    match paths.iter().find(|path| fs::symlink_metadata(path).is_ok()) {
        None => Ok(()),
        Some(path) => Err(Hinted::error(
            format!("{} is there already", path.display()),
            "--force replaces it; -o names another directory",
        )),
    }
}

/// A new file under its name at once, or none.
fn write_whole(text: &str, path: &Path, replace: bool) -> anyhow::Result<()> {
    let mut file = OutputFile::begin(path)?;
    file.write_all(text.as_bytes())?;
    Ok(if replace { file.commit() } else { file.commit_as_new() }?)
}
