//! Budgets: what a project allows its own operations to cost, as a file beside its
//! sources. Each budget is read as a claim ("it stays within"), so that the same
//! plans and verdicts serve both.

use crate::choices::Choices;
use crate::claims::{CheckBase, EntryClaim};
use crate::compared::Compare;
use crate::entry::{Entry, Part, Work};
use crate::error::{CatalogError, Located, Problem};
use crate::reported::Reported;
use crate::toml_reader::{Item, Source, TableReader};
use crate::words::read_word;
use fathom_model::{Check, Claim, Conditions, Form, MethodId, Metric, Operation, Region, Subject};
use toml::de::DeValue;

/// A file of budgets.
#[derive(Debug, Clone, PartialEq)]
pub struct Budgets {
    /// Driver programs, relative to the file's directory.
    pub drivers: Vec<String>,
    /// The budgets as the claims of an experiment.
    pub entry: Entry,
}

impl Budgets {
    /// Reads a file of budgets; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, CatalogError> {
        Source { file, text }.read(|top| read_budgets(top, file))
    }
}

fn read_budgets(top: &TableReader<'_>, file: &str) -> Result<Budgets, CatalogError> {
    let drivers = match (top.take("driver"), top.take("drivers")) {
        (Some(_), Some(drivers)) => {
            return Err(CatalogError::new(&drivers.origin(), Problem::Exclusive("driver", "drivers"), None));
        }
        (Some(driver), None) => vec![driver.text()?.value],
        (None, Some(drivers)) => drivers.texts()?.into_iter().map(|driver| driver.value).collect(),
        (None, None) => Vec::new(),
    };
    let (mut parts, mut claims): (Vec<Part>, Vec<EntryClaim>) = (Vec::new(), Vec::new());
    for item in top.require("budgets")?.list()? {
        let (name, part, claim) = item.table(|table| read_budget(table, file))?;
        if claims.iter().any(|known| known.claim.name == name.value) {
            return Err(name.error(Problem::Repeated("budget", name.value.clone()), None));
        }
        parts.push(part);
        claims.push(claim);
    }
    let entry = Entry {
        name: "budgets".to_owned(),
        title: format!("The budgets of {file}"),
        question: "Does each operation stay within its budget?".to_owned(),
        source: Some(file.to_owned()),
        ceilings: Vec::new(),
        work: Work::Parts(parts),
        reported: Reported::default(),
        claims,
    };
    Ok(Budgets { drivers, entry })
}

fn read_budget(
    table: &TableReader<'_>,
    file: &str,
) -> Result<(Located<String>, Part, EntryClaim), CatalogError> {
    let name = table.require("name")?.text()?;
    let operation: Located<Operation> = read_word(&table.require("operation")?.text()?)?;
    let method = table.require("method")?.text()?;
    let mut choices = Choices::default();
    choices.read_flat(table)?;
    choices.methods = Some(vec![method.clone()]);
    let origin = table.origin().clone();
    let of = conditions(&method)?;
    let checks = read_limits(table, &of)?;
    if checks.is_empty() {
        let hint = "set `calls`, `calls-of`, `allocs`, `alloc-bytes` or `time-ratio`".to_owned();
        return Err(CatalogError::new(&origin, Problem::Empty(format!("budget {}", name.value)), Some(hint)));
    }
    let base = CheckBase { part: Some(name.clone()), origin: origin.clone() };
    let claim = Claim {
        name: name.value.clone(),
        sentence: format!("{} stays within its budget", method.value),
        source: file.to_owned(),
        reported: None,
        fair: None,
        untestable: None,
        checks,
    };
    let bases = vec![base; claim.checks.len()];
    let part = Part {
        name: Some(name.value.clone()),
        operation,
        compare: Compare::Methods,
        choices,
        quick: Choices::default(),
        only_in_full: false,
        explain: Vec::new(),
    };
    Ok((name, part, EntryClaim { claim, bases, origin }))
}

/// The limits, each a check.
fn read_limits(table: &TableReader<'_>, of: &Conditions) -> Result<Vec<Check>, CatalogError> {
    let mut checks = Vec::new();
    let mut at_most = |metric: Metric, form: Form, to: Option<Conditions>, most: f64| {
        let subject = Subject::Variants { metric, form, of: of.clone(), to };
        checks.push(Check { subject, region: Region::at_most(most), usual_margin: false });
    };
    let single = [
        ("calls", Metric::Calls),
        ("allocs", Metric::Runtime("allocs".to_owned())),
        ("alloc-bytes", Metric::Runtime("alloc_bytes".to_owned())),
    ];
    for (key, metric) in single {
        if let Some(item) = table.take(key) {
            at_most(metric, Form::Value, None, limit(&item)?);
        }
    }
    if let Some(item) = table.take("calls-of") {
        for (call, most) in named_limits(&item)? {
            at_most(Metric::Call(call), Form::Value, None, most);
        }
    }
    if let Some(item) = table.take("time-ratio") {
        item.table(|ratio| {
            let to = conditions(&ratio.require("to")?.text()?)?;
            let most = limit(&ratio.require("at-most")?)?;
            at_most(Metric::Time, Form::Ratio, Some(to), most);
            Ok(())
        })?;
    }
    Ok(checks)
}

fn conditions(method: &Located<String>) -> Result<Conditions, CatalogError> {
    let parsed: Result<MethodId, _> = method.value.parse();
    let method = parsed.map_err(|_| {
        let problem = Problem::UnknownMethod(method.value.clone());
        method.error(problem, Some("a method is written `driver:name`".to_owned()))
    })?;
    Ok(Conditions { method: Some(method), ..Conditions::default() })
}

/// A number that is not negative.
fn limit(item: &Item<'_>) -> Result<f64, CatalogError> {
    let most = item.number()?;
    if most < 0.0 {
        let problem = Problem::OutOfRange("a limit".to_owned(), most.to_string());
        return Err(CatalogError::new(&item.origin(), problem, None));
    }
    Ok(most)
}

/// `calls-of = { openat = 1, newfstatat = 0 }`: names are checked by who knows calls.
fn named_limits(item: &Item<'_>) -> Result<Vec<(String, f64)>, CatalogError> {
    let DeValue::Table(table) = item.value() else { return Err(item.wrong_type("a table")) };
    table
        .iter()
        .map(|(name, value)| Ok((name.get_ref().clone().into_owned(), limit(&item.within(value))?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        driver = "./build/my-driver"

        [[budgets]]
        name = "load"
        operation = "read-whole"
        method = "mine:load"
        size = "4 KiB"
        calls = 5
        calls-of = { openat = 1, newfstatat = 0 }
        time-ratio = { to = "native:read", at-most = 1.2 }
    "#;

    fn error(text: &str) -> String {
        Budgets::parse("gate.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn each_limit_is_a_check() {
        let budgets = Budgets::parse("gate.toml", FILE).unwrap();
        assert_eq!(budgets.drivers, ["./build/my-driver"]);
        let claim = budgets.entry.claims().next().unwrap();
        let limits: Vec<_> = claim.checks.iter().map(|check| check.region.high.unwrap()).collect();
        assert_eq!(limits, [5.0, 0.0, 1.0, 1.2], "calls of names in their own order");
        assert_eq!(claim.methods()[3..], ["mine:load", "native:read"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (from, to, message) in [
            ("calls = 5", "calls = -5", "gate.toml:9: `a limit` is out of range: -5"),
            ("mine:load", "load", "gate.toml:7: unknown method `load`"),
            ("read-whole", "read-hole", "gate.toml:6: unknown operation `read-hole`"),
            ("calls-of = {", "calls-by = {", "gate.toml:10: unknown key `calls-by`"),
        ] {
            assert_eq!(error(&FILE.replacen(from, to, 1)), message);
        }
        assert_eq!(error("driver = \"x\""), "gate.toml:1: missing key `budgets`");
        let none = "[[budgets]]\nname = \"a\"\noperation = \"open-close\"\nmethod = \"native:open\"";
        assert!(error(none).contains("budget a` is empty"), "{}", error(none));
    }
}
