//! The figures of a command's count: all its calls, and those of each name and outcome.

use super::{Figure, FigureForm, Figures, Quantity};
use crate::command_count::calls_by_outcome;
use crate::export_error::ExportError;
use fathom_model::CommandCount;

/// The calls of a command as figures. A count that was cut short has names of its own: lower bounds
/// in the series of whole counts would look like fewer calls. Pure.
///
/// # Errors
///
/// Where nothing was counted.
pub fn command_count_figures(count: &CommandCount, form: FigureForm) -> Result<String, ExportError> {
    let command = count.command.join(" ");
    let cut = if count.cut.is_some() { " (cut short: at least)" } else { "" };
    let labels = [("command", command.clone()), ("complete", count.cut.is_none().to_string())];
    let sums = calls_by_outcome(count);
    let all: u64 = sums.values().map(|(calls, _)| calls).sum();
    let all = Figure::new(Quantity::AllCalls, format!("{command}: system calls{cut}"), all as f64);
    let mut figures = vec![all.labels(&labels).extra(count.exactness.clone())];
    figures.extend(sums.into_iter().map(|((call, outcome), (calls, bytes))| {
        let shown = if outcome.is_empty() { call.to_owned() } else { format!("{call}={outcome}") };
        let figure = Figure::new(Quantity::Calls, format!("{command}: {shown}{cut}"), calls as f64);
        let figure = figure.labels(&labels).label("call", call).label("outcome", outcome);
        if bytes == 0 { figure } else { figure.extra(format!("{bytes} bytes")) }
    }));
    let about = vec![
        ("fathom", count.fathom_version.clone()),
        ("created", count.created.clone()),
        ("kernel", count.environment.kernel.clone()),
        ("architecture", count.environment.architecture.clone()),
        ("complete", count.cut.is_none().to_string()),
    ];
    Figures { about, figures }.written(form, "no calls")
}
