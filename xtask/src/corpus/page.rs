//! docs/audit-corpus.md: how often the audit was right, and over which programs.

use super::BlindSet;
use super::Outcome;
use super::again::{BEGIN as BEGIN_AGAIN, END as END_AGAIN};
use fathom_audit::{RuleId, rule_facts};
use fathom_corpus::{Case, Score, Tally};
use std::fmt::Write as _;

/// The whole page, with the parts of the blind sets of what it was `before`.
pub(super) fn text(cases: &[Case], outcomes: &[Outcome], score: &Score, before: &str) -> String {
    let mut text = String::from(BEGIN);
    let languages: std::collections::BTreeSet<_> = cases.iter().map(|case| case.words.language).collect();
    let names: Vec<_> = languages.iter().map(|language| language.name()).collect();
    let total = score.total();
    let _infallible = writeln!(
        text,
        "{} cases with {} programs in {} languages ({}); {} of {} rules have one.\n",
        cases.len(),
        cases.len() * 3,
        names.len(),
        names.join(", "),
        score.rules.values().filter(|tally| tally.cases > 0).count(),
        rule_facts().len()
    );
    let _infallible = writeln!(
        text,
        "In all: recall **{}** ({} of {}), precision **{}** ({} right, {} wrong, {} allowed with a reason).\n",
        percent(total.recall()),
        total.found,
        total.cases,
        percent(total.precision()),
        total.right,
        total.wrong,
        total.allowed
    );
    text.push_str(&table(score));
    text.push_str(
        "\n## The cases\n\n| case | language | found by | count | what is wasted |\n|---|---|---|---:|---|\n",
    );
    for (case, outcome) in cases.iter().zip(outcomes) {
        let words = &case.words;
        let state = match outcome {
            Outcome::Judged { verdict, .. } if verdict.problems.is_empty() => "",
            _ => " (**not as it should be**)",
        };
        let _infallible = writeln!(
            text,
            "| `{}` | {} | {} | {} | {}{state} |",
            case.name,
            words.language.name(),
            words.reference,
            words.count,
            words.summary
        );
    }
    for set in BlindSet::ALL {
        let _infallible = writeln!(text, "\n{}\n{}\n{}", set.begin(), set.part_of(before), set.end());
    }
    let kept = before.split_once(BEGIN_AGAIN).and_then(|(_, rest)| rest.split_once(END_AGAIN));
    let kept = kept.map_or("", |(kept, _)| kept.trim());
    let _infallible = writeln!(text, "\n{BEGIN_AGAIN}\n{kept}\n{END_AGAIN}");
    text
}

/// Precision and recall by rule, and of all.
pub(super) fn table(score: &Score) -> String {
    let mut text = String::from(
        "| rule | cases | found | recall | right | wrong | allowed | precision |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (rule, tally) in &score.rules {
        row(&mut text, &name(*rule), tally);
    }
    row(&mut text, "all", &score.total());
    text
}

fn row(text: &mut String, name: &str, tally: &Tally) {
    let Tally { cases, found, right, wrong, allowed } = tally;
    let (recall, precision) = (percent(tally.recall()), percent(tally.precision()));
    let _infallible = writeln!(
        text,
        "| {name} | {cases} | {found} | {recall} | {right} | {wrong} | {allowed} | {precision} |"
    );
}

fn name(rule: RuleId) -> String {
    let facts = rule_facts().iter().find(|facts| facts.id == rule);
    facts.map_or_else(|| rule.to_string(), |facts| format!("{rule} {}", facts.name))
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

const BEGIN: &str = "\
# How often the audit is right

`tests/corpus` holds real small programs in pairs: one with a waste that somebody found and removed elsewhere, one that does the same work without it, and beside them one that only looks like it.
Each is run under `fathom audit` by ptrace, with all rules, on data of its own; only findings on files below its working directory are looked at, since a runtime's own start is not the case's.
This page is written by `cargo run -p xtask -- corpus`; the same programs are tests (`cargo test -p fathom-io --test cli corpus`).

- A case is **found** when its rule finds something in the program with the waste, with exactly the count that was worked out by hand. **Recall** is the share of cases that are found.
- A **finding** is one rule in one of the three programs. It is right when it is the case's rule, or one of those that the case names beside it, in the program with the waste, with the exact count. It is wrong
  in any other place or with any other count. **Precision** is the share of findings that are right.
- A look-alike has to be one: where a guard of the rule spares it, the same calls judged without that guard have to be accused, or the case fails.
- What a case allows in its other two programs, with a reason (an interpreter's `open` that asks by itself), counts for neither.

The cases were written for rules that exist, by people who know the rules: the numbers say that the rules do what they are meant to do on real programs in these languages, and not how often a finding in
an unknown program is worth acting on: that is what the parts on sets whose authors saw no rule are about, further below.

";
