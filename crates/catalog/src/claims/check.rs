//! One check of a claim: what is looked at, and where its value has to lie.

use super::conditions::{overlaid, read_conditions, read_many};
use super::region::{Scale, read_region};
use crate::error::{CatalogError, Located, Origin, Problem};
use crate::suggestion::hint_for;
use crate::toml_reader::{Item, TableReader};
use crate::words::{Word, read_word};
use fathom_model::{Check, Conditions, Fact, Form, Metric, Subject};

/// Metrics that are one word.
const METRICS: [&str; 9] =
    ["time", "batch-p99", "calls", "answer", "resident", "cpu-share", "allocs", "alloc-bytes", "gc-count"];

/// What a check is planned from, beside what it says itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CheckBase {
    /// The part of the experiment whose choices hold where the check is silent.
    pub(crate) part: Option<Located<String>>,
    pub(crate) origin: Origin,
}

impl Word for Form {
    const KIND: &'static str = "form";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::Value, "value"),
        (Self::Ratio, "ratio"),
        (Self::Saving, "saving"),
        (Self::Speedup, "speedup"),
        (Self::Difference, "difference"),
    ];
}

impl Word for Fact {
    const KIND: &'static str = "fact";
    const WORDS: &'static [(Self, &'static str)] = &[
        (Self::ReadAhead, "read-ahead"),
        (Self::DentryBytes, "dentry-bytes"),
        (Self::InodeBytes, "inode-bytes"),
    ];
}

/// Reads a list of checks. A check `with` several values of something is one for each.
pub(super) fn read_checks(item: &Item<'_>) -> Result<(Vec<Check>, Vec<CheckBase>), CatalogError> {
    let (mut checks, mut bases) = (Vec::new(), Vec::new());
    for item in item.list()? {
        let (read, base) = item.table(read_check)?;
        bases.extend(vec![base; read.len()]);
        checks.extend(read);
    }
    Ok((checks, bases))
}

fn read_check(table: &TableReader<'_>) -> Result<(Vec<Check>, CheckBase), CatalogError> {
    let part = table.take("part").map(|item| item.text()).transpose()?;
    let base = CheckBase { part, origin: table.origin().clone() };
    let checks = match (table.take("metric"), table.take("outcome"), table.take("fact")) {
        (Some(metric), None, None) => read_of_variants(table, &metric.text()?)?,
        (None, Some(outcome), None) => vec![read_outcome_or_figure(table, &outcome)?],
        (None, None, Some(fact)) => {
            let fact: Fact = read_word(&fact.text()?)?.value;
            let (region, usual_margin) = read_region(&table.require("region")?.text()?, Scale::Bare)?;
            vec![Check { subject: Subject::Fact(fact), region, usual_margin }]
        }
        (Some(_), Some(other), _) | (_, Some(other), Some(_)) => {
            return Err(CatalogError::new(&other.origin(), Problem::Exclusive("metric", "outcome"), None));
        }
        (Some(_), None, Some(other)) => {
            return Err(CatalogError::new(&other.origin(), Problem::Exclusive("metric", "fact"), None));
        }
        (None, None, None) => {
            let hint = "a check looks at a `metric`, an `outcome` or a `fact`".to_owned();
            return Err(CatalogError::new(
                table.origin(),
                Problem::MissingKey("metric".to_owned()),
                Some(hint),
            ));
        }
    };
    Ok((checks, base))
}

fn read_of_variants(table: &TableReader<'_>, metric: &Located<String>) -> Result<Vec<Check>, CatalogError> {
    let metric = read_metric(metric)?;
    let shared = match table.take("with") {
        Some(item) => item.table(read_many)?,
        None => vec![Conditions::default()],
    };
    let of = table.require("of")?.table(read_conditions)?;
    let to = table.take("to").map(|item| item.table(read_conditions)).transpose()?;
    let form = match table.take("form") {
        Some(word) => read_form(&word.text()?, to.is_some())?,
        None if to.is_none() => Form::Value,
        // "17 % faster" says nothing without the quantity.
        None => table.require("form").and_then(|item| read_form(&item.text()?, true))?,
    };
    let (region, usual_margin) = read_region(&table.require("region")?.text()?, scale(&metric, form))?;
    let check = |shared: Conditions| {
        let to = to.as_ref().map(|to| overlaid(&shared, to));
        let subject = Subject::Variants { metric: metric.clone(), form, of: overlaid(&shared, &of), to };
        Check { subject, region, usual_margin }
    };
    Ok(shared.into_iter().map(check).collect())
}

fn read_form(word: &Located<String>, has_other: bool) -> Result<Form, CatalogError> {
    let form: Form = read_word(word)?.value;
    match (form == Form::Value, has_other) {
        (true, true) => Err(word.error(Problem::Exclusive("form = \"value\"", "to"), None)),
        (false, false) => {
            let hint = "say what it is compared with".to_owned();
            Err(word.error(Problem::MissingKey("to".to_owned()), Some(hint)))
        }
        _ => Ok(form),
    }
}

/// `time`, `calls`, `calls:fstat`, `counter:block_rq_issue`, `predicted:major-faults`, `stacks:md5.block`.
fn read_metric(written: &Located<String>) -> Result<Metric, CatalogError> {
    let text = written.value.as_str();
    if let Some((kind, name)) = text.split_once(':').filter(|(_, name)| !name.trim().is_empty()) {
        match kind {
            "calls" => return Ok(Metric::Call(name.to_owned())),
            "counter" => return Ok(Metric::Counter(name.to_owned())),
            "predicted" => return Ok(Metric::Predicted(name.to_owned())),
            "stacks" => return Ok(Metric::Stacks(name.to_owned())),
            _ => {}
        }
    }
    match text {
        "time" => Ok(Metric::Time),
        "batch-p99" => Ok(Metric::BatchP99),
        "calls" => Ok(Metric::Calls),
        "answer" => Ok(Metric::Answer),
        "resident" => Ok(Metric::Resident),
        "cpu-share" => Ok(Metric::CpuShare),
        // By the names that drivers give them.
        "allocs" | "alloc-bytes" | "gc-count" => Ok(Metric::Runtime(text.replace('-', "_"))),
        _ => {
            let hint = hint_for(text, &METRICS).or_else(|| {
                Some("or `calls:NAME`, `counter:NAME`, `predicted:NAME`, `stacks:WORDS`".to_owned())
            });
            Err(written.error(Problem::UnknownWord("metric", written.value.clone()), hint))
        }
    }
}

/// On which scale a region is written, and what a usual margin is a share of.
fn scale(metric: &Metric, form: Form) -> Scale {
    match (form, metric) {
        (Form::Saving, _) | (Form::Value, Metric::Stacks(_) | Metric::Resident | Metric::CpuShare) => {
            Scale::Share
        }
        (Form::Ratio | Form::Speedup, _) | (Form::Value, Metric::Predicted(_)) => Scale::Ratio,
        (_, Metric::Time | Metric::BatchP99) => Scale::Ns,
        (Form::Value | Form::Difference, _) => Scale::Bare,
    }
}

fn read_outcome_or_figure(table: &TableReader<'_>, item: &Item<'_>) -> Result<Check, CatalogError> {
    let form = table.take("form").map(|word| word.text()).transpose()?;
    let subject = item.table(|outcome| {
        let text = |key| outcome.require(key)?.text().map(|text| text.value);
        let optional = |key| outcome.take(key).map(|item| item.text().map(|text| text.value)).transpose();
        let case = text("case")?;
        let Some(figure) = optional("figure")? else {
            let setting = optional("setting")?.unwrap_or_default();
            return Ok(Subject::Outcome {
                case,
                setting,
                what: text("what")?,
                share_of: optional("share-of")?,
            });
        };
        let quantile = outcome.require("quantile")?.text()?;
        let quantile: Quantile = read_word(&quantile)?.value;
        let to = optional("to")?;
        let form = match &form {
            Some(word) => read_form(word, to.is_some())?,
            None if to.is_none() => Form::Value,
            None => table.require("form").and_then(|item| read_form(&item.text()?, true))?,
        };
        Ok(Subject::Figure { case, setting: text("setting")?, to, figure, quantile: quantile.0, form })
    })?;
    if let (Subject::Outcome { .. }, Some(word)) = (&subject, form) {
        return Err(word.error(Problem::Exclusive("form", "a count"), Some("a figure has a form".to_owned())));
    }
    let scale = match &subject {
        Subject::Figure { form: Form::Saving, .. } | Subject::Outcome { share_of: Some(_), .. } => {
            Scale::Share
        }
        Subject::Figure { form: Form::Ratio | Form::Speedup, .. } => Scale::Ratio,
        Subject::Figure { .. } => Scale::Ns,
        _ => Scale::Bare,
    };
    let (region, usual_margin) = read_region(&table.require("region")?.text()?, scale)?;
    Ok(Check { subject, region, usual_margin })
}

/// Which of the values of a scenario's figure.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Quantile(f64);

impl Word for Quantile {
    const KIND: &'static str = "quantile";
    const WORDS: &'static [(Self, &'static str)] = &[(Self(0.5), "median"), (Self(0.99), "p99")];
}
