//! `fathom bench --ranks`: what starts the ranks, and which methods they have.

use super::plans::is_front_page;
use crate::arguments::Bench;
use crate::command::Hinted;
use fathom_catalog::{Plan, Request};
use fathom_lab::Launcher;
use std::time::Duration;

/// What starts ranks when nobody says it.
const LAUNCHER: &str = "mpirun -n {ranks}";

/// What starts the ranks, where some are asked for.
pub(super) fn launcher_of(bench: &Bench) -> anyhow::Result<Option<Launcher>> {
    let Some(ranks) = bench.ranks.ranks else { return Ok(None) };
    if is_front_page(bench) {
        return Err(Hinted::error(
            "--ranks: nothing to measure is named",
            "name an entry or an operation: fathom bench create-storm --ranks 4 --launcher 'mpirun -n {ranks}'",
        ));
    }
    let text = bench.ranks.launcher.as_deref().unwrap_or(LAUNCHER);
    launcher_by(bench, ranks, text).map(Some)
}

/// What starts so many ranks by these words.
pub(super) fn launcher_by(bench: &Bench, ranks: u32, text: &str) -> anyhow::Result<Launcher> {
    let words = shell_words::split(text).map_err(|error| {
        Hinted::error(format!("--launcher: `{text}`: {error}"), "quote it as a shell wants words quoted")
    })?;
    if words.is_empty() {
        return Err(Hinted::error(
            "--launcher: no words",
            "such as 'mpirun -n {ranks}' or 'srun -n {ranks}'",
        ));
    }
    let words = words.into_iter().map(|word| word.replace("{ranks}", &ranks.to_string())).collect();
    let limit = Duration::from_secs(bench.ranks.launcher_limit.into());
    Ok(Launcher { ranks, words, limit })
}

/// Refuses what the MPI driver does not do.
pub(super) fn check(plans: &[Plan]) -> anyhow::Result<()> {
    if let Some(plan) = plans.iter().find(|plan| plan.scenario.is_some()) {
        return Err(Hinted::error(
            format!("--ranks: {} is about one process or one machine", plan.name),
            "ranks perform operations: create, stat, remove, make-directory, stat-directory, remove-directory, write-block, read-whole, read-block, open-close, open-missing",
        ));
    }
    let variants = plans.iter().flat_map(|plan| &plan.comparisons).flat_map(|planned| &planned.variants);
    let mut methods = variants.map(|variant| &variant.method);
    match methods.find(|method| method.driver != "mpi") {
        None => Ok(()),
        Some(method) => Err(Hinted::error(
            format!("--ranks: {method} is no method of ranks"),
            "leave --methods and --baseline out, or name methods of the MPI driver (mpi:*)",
        )),
    }
}

/// Every method of ranks, where none is named: those of the entry are one process'.
pub(super) fn lay_over(request: &mut Request, launcher: &Launcher) {
    request.settings.push(("ranks".to_owned(), launcher.ranks.to_string()));
    if request.methods.is_empty() {
        request.methods = vec!["mpi:*".to_owned()];
    }
}
