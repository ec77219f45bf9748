//! Claims of an experiment file: the tables `[[claims]]`, read strictly into
//! what the model calls a claim. Runs that decide them are planned in `plan`.

mod check;
mod conditions;
mod region;

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::toml_reader::{Item, TableReader};
pub(crate) use check::CheckBase;
use check::read_checks;
use fathom_model::{CacheState, Check, Claim, FairCheck, Operation, Subject};

/// A claim, and what its checks are planned from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EntryClaim {
    pub(crate) claim: Claim,
    /// One per check: those of the published statement, then those of the fair one.
    pub(crate) bases: Vec<CheckBase>,
    pub(crate) origin: Origin,
}

impl EntryClaim {
    /// Every check with what it is planned from.
    pub(crate) fn checks(&self) -> impl Iterator<Item = (&Check, &CheckBase)> {
        let fair = self.claim.fair.iter().flat_map(|fair| &fair.checks);
        self.claim.checks.iter().chain(fair).zip(&self.bases)
    }
}

/// What a part measures in every one of its comparisons.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Always {
    pub(crate) operation: Operation,
    pub(crate) cache: Option<CacheState>,
}

impl EntryClaim {
    /// Gives checks that name no operation or no cache state that of their part, by the part's name;
    /// the first's where they name none. A run also measures others, for other claims.
    pub(crate) fn pin(&mut self, always: impl Fn(Option<&str>) -> Option<Always>) {
        let fair = self.claim.fair.iter_mut().flat_map(|fair| &mut fair.checks);
        for (check, base) in self.claim.checks.iter_mut().chain(fair).zip(&self.bases) {
            let Subject::Variants { of, to, .. } = &mut check.subject else { continue };
            let Some(part) = always(base.part.as_ref().map(|part| part.value.as_str())) else { continue };
            for conditions in std::iter::once(of).chain(to.as_mut()) {
                conditions.operation = conditions.operation.or(Some(part.operation));
                conditions.cache = conditions.cache.or(part.cache);
            }
        }
    }
}

/// Reads the tables `[[claims]]`; `source` is the experiment's.
pub(crate) fn read_claims(item: &Item<'_>, source: Option<&str>) -> Result<Vec<EntryClaim>, CatalogError> {
    let mut claims: Vec<EntryClaim> = Vec::new();
    for item in item.list()? {
        let (name, claim) = item.table(|table| read_claim(table, source))?;
        if claims.iter().any(|known| known.claim.name == name.value) {
            return Err(name.error(Problem::Repeated("claim", name.value.clone()), None));
        }
        claims.push(claim);
    }
    Ok(claims)
}

fn read_claim(
    table: &TableReader<'_>,
    source: Option<&str>,
) -> Result<(Located<String>, EntryClaim), CatalogError> {
    let optional = |key| table.take(key).map(|item| item.text().map(|text| text.value)).transpose();
    let name = table.require("name")?.text()?;
    if !name.value.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
        let problem = Problem::BadName(name.value.clone(), "a claim");
        return Err(name.error(problem, Some("use lower-case letters, digits and `-`".to_owned())));
    }
    let sentence = table.require("sentence")?.text()?.value;
    let source = match (optional("source")?, source) {
        (Some(source), _) => source,
        (None, Some(source)) => source.to_owned(),
        (None, None) => table.require("source")?.text()?.value,
    };
    let reported = optional("reported")?;
    let untestable = optional("untestable")?;
    let (checks, mut bases) = match table.take("checks") {
        Some(item) if untestable.is_some() => {
            return Err(CatalogError::new(&item.origin(), Problem::Exclusive("untestable", "checks"), None));
        }
        Some(item) => read_checks(&item)?,
        None if untestable.is_some() => Default::default(),
        None => {
            let hint = "give it `checks`, or say why it is `untestable`".to_owned();
            return Err(CatalogError::new(
                table.origin(),
                Problem::MissingKey("checks".to_owned()),
                Some(hint),
            ));
        }
    };
    let fair = match table.take("fair") {
        Some(item) => {
            let (fair, more) = item.table(read_fair)?;
            bases.extend(more);
            Some(fair)
        }
        None => None,
    };
    let claim = Claim { name: name.value.clone(), sentence, source, reported, checks, fair, untestable };
    Ok((name, EntryClaim { claim, bases, origin: table.origin().clone() }))
}

fn read_fair(table: &TableReader<'_>) -> Result<(FairCheck, Vec<CheckBase>), CatalogError> {
    let because = table.require("because")?.text()?.value;
    let (checks, bases) = read_checks(&table.require("checks")?)?;
    Ok((FairCheck { checks, because }, bases))
}
