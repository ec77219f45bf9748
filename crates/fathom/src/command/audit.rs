//! `fathom audit`: what a command, or a log of strace's, wastes or risks on its file path.

mod put;
mod source;

use crate::arguments::Audit as Words;
use crate::command::Hinted;
use crate::exit::Exit;
use crate::{kept_prices, output, record_file};
use fathom_audit::{Audit, Finding, PriceList as Priced, RuleId, rule_facts};
use fathom_collect::environment;
use fathom_model::Reading;
use std::fmt::Write as _;

/// Does what the command line asks for.
pub(crate) fn run(words: &Words) -> anyhow::Result<Exit> {
    if words.rules {
        output::data(&rules())?;
        return Ok(Exit::Done);
    }
    known(words.only.iter().chain(&words.ignore))?;
    if let Some(path) = &words.output {
        record_file::check_folder(path)?;
    }
    let prices = kept_prices::asked_or_kept(words.prices.as_deref(), &environment())?;
    let mut audit = source::audited(words)?;
    match &prices {
        Reading::Value((file, list)) => {
            audit.price(&Priced(&list.prices), None);
            audit.say("prices", format!("untraced, of {}, {}", list.created, file.display()));
        }
        Reading::Unavailable(reason) => audit.say("prices", reason),
    }
    audit.findings.retain(|finding| is_wanted(words, finding.rule));
    put::put(words, &audit)?;
    Ok(exit_of(&audit))
}

/// A rule that is named has to exist.
fn known<'a>(mut named: impl Iterator<Item = &'a RuleId>) -> anyhow::Result<()> {
    match named.find(|rule| !rule_facts().iter().any(|facts| facts.id == **rule)) {
        None => Ok(()),
        Some(rule) => {
            Err(Hinted::error(format!("there is no rule {rule} yet"), "`fathom audit --rules` lists them"))
        }
    }
}

fn is_wanted(words: &Words, rule: RuleId) -> bool {
    (words.only.is_empty() || words.only.contains(&rule)) && !words.ignore.contains(&rule)
}

/// Every rule with when it keeps silent.
fn rules() -> String {
    let mut text = String::new();
    for rule in rule_facts() {
        let _infallible = writeln!(text, "{} {}\n    needs: {}", rule.id, rule.name, rule.needs);
        for guard in rule.guards {
            let _infallible = writeln!(text, "    spares: {}", guard.spares);
        }
    }
    text
}

fn exit_of(audit: &Audit) -> Exit {
    if audit.events == 0 {
        Exit::NothingRan
    } else if audit.findings.iter().any(Finding::matters) {
        Exit::Findings
    } else {
        Exit::Done
    }
}
