//! Figures for dashboards: one list is made of a record, a count, an audit or a comparison, and each
//! form writes the list. What is not known has no figure: its absence shows, a 0 would be good news.

mod github_action_benchmark;
mod of_audit;
mod of_comparison;
mod of_count;
mod of_difference;
pub(crate) mod of_record;
mod open_metrics;
#[cfg(test)]
mod tests;

pub use of_audit::audit_figures;
pub use of_comparison::{commands_figures, record_comparison_figures};
pub use of_count::command_count_figures;
pub use of_difference::audit_difference_figures;

use crate::export_error::ExportError;
use crate::visible::visible;
use std::collections::BTreeMap;

/// A form of figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureForm {
    /// `customSmallerIsBetter` of github-action-benchmark.
    GithubActionBenchmark,
    /// `OpenMetrics` 1.0, as Prometheus and its relatives read it.
    OpenMetrics,
}

/// What a figure is of. The order is that of the forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quantity {
    /// An operation's median time, in ns.
    OperationTime,
    /// A run's median time, in ns.
    RunTime,
    /// New over old, or a variant over its baseline.
    TimeRatio,
    /// System calls of an operation.
    OperationCalls,
    /// System calls of one kind, of a run.
    Calls,
    /// All system calls of a run.
    AllCalls,
    /// The untraced price of calls, in ns.
    PricedTime,
    /// The part of it that need not be paid, in ns.
    AvoidableTime,
    /// Findings that nobody decided to live with.
    Findings,
    /// How often one of them happened.
    FindingCases,
    /// Whether a budget or a gate was not met, or is not known to be.
    NotMet,
    /// Whether it was measured.
    Measured,
}

/// How a quantity is called.
struct Naming {
    /// Of `OpenMetrics`, without the unit.
    family: &'static str,
    /// The unit of `OpenMetrics`, and how many of ours it has.
    base: Option<(&'static str, f64)>,
    /// The unit for people.
    unit: &'static str,
    help: &'static str,
}

impl Quantity {
    fn naming(self) -> Naming {
        const SECONDS: Option<(&str, f64)> = Some(("seconds", 1e9));
        let naming = |family, base, unit, help| Naming { family, base, unit, help };
        match self {
            Self::OperationTime => {
                naming("fathom_operation_time", SECONDS, "ns/op", "Median time of an operation")
            }
            Self::RunTime => naming("fathom_run_time", SECONDS, "ns/run", "Median wall time of a run"),
            Self::TimeRatio => {
                naming("fathom_time_ratio", None, "ratio", "Time over that of what it is compared with")
            }
            Self::OperationCalls => {
                naming("fathom_operation_system_calls", None, "syscalls/op", "System calls of an operation")
            }
            Self::Calls => {
                naming("fathom_system_calls", None, "calls", "System calls of a run, by name and outcome")
            }
            Self::AllCalls => naming(
                "fathom_all_system_calls",
                None,
                "calls",
                "All system calls of a run that were looked at",
            ),
            Self::PricedTime => {
                naming("fathom_priced_time", SECONDS, "ns", "Untraced price of the calls that have one")
            }
            Self::AvoidableTime => naming(
                "fathom_avoidable_time",
                SECONDS,
                "ns",
                "Untraced price of calls that need not be made",
            ),
            Self::Findings => naming("fathom_findings", None, "findings", "Findings that are not suppressed"),
            Self::FindingCases => {
                naming("fathom_finding_cases", None, "times", "How often a finding occurred")
            }
            Self::NotMet => naming(
                "fathom_not_met",
                None,
                "0 or 1",
                "1 where a budget or a gate is not met or not known, else 0",
            ),
            Self::Measured => naming("fathom_measured", None, "0 or 1", "1 where it was measured, else 0"),
        }
    }
}

/// One figure.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) quantity: Quantity,
    /// Its name for people; `None` where it is for programs alone.
    pub(crate) name: Option<String>,
    /// What tells it from others of its quantity.
    pub(crate) labels: Vec<(&'static str, String)>,
    pub(crate) value: f64,
    /// The older side's, where two are compared.
    pub(crate) before: Option<f64>,
    /// Its interval.
    pub(crate) ends: Option<(f64, f64)>,
    /// What a person wants to know besides, in lines.
    pub(crate) extra: String,
}

impl Figure {
    pub(crate) fn new(quantity: Quantity, name: impl Into<String>, value: f64) -> Self {
        let name = Some(name.into());
        Self { quantity, name, labels: Vec::new(), value, before: None, ends: None, extra: String::new() }
    }

    pub(crate) fn label(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.labels.push((key, value.into()));
        self
    }

    pub(crate) fn labels(mut self, labels: &[(&'static str, String)]) -> Self {
        self.labels.extend_from_slice(labels);
        self
    }

    pub(crate) fn extra(mut self, text: impl Into<String>) -> Self {
        self.extra = text.into();
        self
    }
}

/// The figures of one source.
#[derive(Debug)]
pub(crate) struct Figures {
    /// What they are of: version, date, machine.
    pub(crate) about: Vec<(&'static str, String)>,
    pub(crate) figures: Vec<Figure>,
}

impl Figures {
    /// Writes them; `nothing` says what is missing where there are none.
    pub(crate) fn written(mut self, form: FigureForm, nothing: &'static str) -> Result<String, ExportError> {
        self.figures.retain(|figure| figure.value.is_finite());
        if self.figures.iter().all(|figure| figure.quantity == Quantity::Measured) {
            return Err(ExportError::Nothing(nothing));
        }
        self.number();
        match form {
            FigureForm::GithubActionBenchmark => github_action_benchmark::written(&self.figures),
            FigureForm::OpenMetrics => Ok(open_metrics::written(&self)),
        }
    }

    /// Two that are called the same would be taken for one: the second gets a number.
    fn number(&mut self) {
        for (_, value) in &mut self.about {
            *value = visible(value);
        }
        let mut names: BTreeMap<String, u32> = BTreeMap::new();
        let mut labels: BTreeMap<_, u32> = BTreeMap::new();
        for figure in &mut self.figures {
            // Hidden characters are shown before names are compared.
            for (_, value) in &mut figure.labels {
                *value = visible(value);
            }
            if let Some(name) = &mut figure.name {
                *name = visible(name);
                let times = names.entry(name.clone()).or_default();
                *times += 1;
                if *times > 1 {
                    *name = format!("{name} nth={times}");
                }
            }
            let times = labels.entry((figure.quantity, figure.labels.clone())).or_default();
            *times += 1;
            if *times > 1 {
                figure.labels.push(("nth", times.to_string()));
            }
        }
    }
}
