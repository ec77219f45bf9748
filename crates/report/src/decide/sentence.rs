//! Answers in sentences: what to use, by what margin, and whether it matters.

use super::row::{heading, label};
use crate::quantity::{bytes, capitalized, grouped, rounded_bytes, short_time, things};
use crate::written::{ratio, time_phrase};
use fathom_model::MethodId;
use fathom_stats::{
    Certainty, Decision, DecisionAnswer, DecisionCell, DecisionMatrix, DecisionQuestion, Dimension, Gain,
    Pattern,
};
use std::collections::BTreeSet;

/// More answers than these are told by the table alone.
const TOLD_EACH: usize = 8;

/// The first sentence.
pub(crate) fn headline(decision: &Decision) -> String {
    let [answer] = decision.answers.as_slice() else { return of_several(decision) };
    self::answer(answer, decision)
}

/// True when every answer has a sentence of its own below the headline.
pub(crate) fn are_told_each(decision: &Decision) -> bool {
    (2..=TOLD_EACH).contains(&decision.answers.len())
}

/// The first sentence of a matrix.
pub(crate) fn of_matrix(matrix: &DecisionMatrix) -> String {
    let cells = matrix.cells.len() as u64;
    if cells == 0 {
        return "Nothing to choose from: the records hold no two methods of a language that were timed side by side."
            .to_owned();
    }
    let count = |certainty| matrix.cells.iter().filter(|cell| cell.certainty == certainty).count();
    let (decided, tied) = (count(Certainty::Decided), count(Certainty::Tied));
    let usual = matrix.cells.iter().filter(|cell| {
        cell.advised.is_some() && cell.usual.as_ref().is_some_and(|usual| usual.saving_ns.is_none())
    });
    format!(
        "Which method to use, in {}: {decided} decided, {tied} with methods that cannot be told apart, {} undecided. \
         The usual way of the language is the one to use in {}.",
        things(cells, "cell"),
        matrix.cells.len() - decided - tied,
        usual.count()
    )
}

/// One answer.
pub(crate) fn answer(answer: &DecisionAnswer, decision: &Decision) -> String {
    let (at, question) = (at(answer, decision), &decision.question);
    let Some(advised) = &answer.advised else { return format!("{at}: {}", open(answer)) };
    let mut text = format!("{at}: use {}{}.", advised.name, beside(answer, advised));
    let speaking: Vec<&Gain> = answer.gains.iter().filter(|gain| gain.advised == *advised).collect();
    let at_size = |gain: &Gain| match (speaking.len() > 1, gain.size_bytes) {
        (true, Some(size)) => format!(" at {}", bytes(size)),
        _ => String::new(),
    };
    let others: Vec<_> = speaking.iter().filter_map(|gain| Some((gain, gain.saving_ns.as_ref()?))).collect();
    if let Some((first, _)) = others.first() {
        let ratios = others.iter().filter_map(|(gain, _)| {
            let cell = answer.cells.iter().find(|cell| cell.conditions.size_bytes == gain.size_bytes)?;
            let times = ratio(cell.usual.as_ref()?.ratio.as_ref()?).phrase();
            Some(format!("{times} times as long{}", at_size(gain)))
        });
        let ratios = ratios.collect::<Vec<_>>().join(", ");
        let savings = others.iter().map(|(gain, saving)| {
            format!("{}{}{}", time_phrase(saving), total(gain, question), at_size(gain))
        });
        let savings = savings.collect::<Vec<_>>().join("; ");
        let unit = unit(answer.conditions.pattern);
        let usual = &first.usual.name;
        let gain = format!(" The usual {usual} takes {ratios}; switching saves per {unit} {savings}.");
        text += &gain;
    } else if !speaking.is_empty() {
        text += " It is the usual way: nothing that was measured beside it is shown to gain.";
    } else {
        text += &next(&answer.cells, advised);
    }
    text + &tied(&answer.cells, &advised.name)
}

/// ` (no O_CLOEXEC: …)`: what may not be left unsaid where the method is named.
fn beside(answer: &DecisionAnswer, advised: &MethodId) -> String {
    let speaking = answer.cells.iter().filter(|cell| cell.advised.as_ref() == Some(advised));
    let found: BTreeSet<_> =
        speaking.flat_map(|cell| cell.beside.iter().map(|caveat| caveat.words())).collect();
    let words: Vec<_> = found.into_iter().collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join("; ")) }
}

/// The conditions, and what sets them apart from those of the other answers.
pub(super) fn at(answer: &DecisionAnswer, decision: &Decision) -> String {
    let own = &answer.conditions;
    let mut words = vec![label(own)];
    if decision.answers.iter().any(|other| other.conditions.place != own.place) {
        words.push(own.place.clone());
    }
    if decision.answers.iter().any(|other| other.conditions.circumstances != own.circumstances) {
        words.extend(own.circumstances.iter().cloned());
    }
    if decision.answers.iter().any(|other| other.conditions.operation != own.operation) {
        words.push(own.operation.to_string());
    }
    words.join(", ")
}

/// `, 21 ms of 35 ms for 10,000`.
fn total(gain: &Gain, question: &DecisionQuestion) -> String {
    let (Some(count), Some(saving), Some(usual)) = (question.count, gain.saving_s, gain.usual_s) else {
        return format!(" of {}", short_time(gain.usual_ns.value));
    };
    let [saved, of] = [saving.value, usual].map(|seconds| short_time(seconds * 1e9));
    format!(", {saved} of {of} for {}", grouped(count))
}

fn unit(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Whole | Pattern::Open => "file",
        Pattern::Random | Pattern::Sequential => "block",
        Pattern::Write => "operation",
    }
}

/// Where the usual way was not measured, the next method stands for it.
fn next(cells: &[DecisionCell], advised: &MethodId) -> String {
    let cell = cells.iter().find(|cell| cell.advised.as_ref() == Some(advised));
    let rival = cell.and_then(|cell| cell.rivals.first());
    let Some((rival, times)) = rival.and_then(|rival| Some((rival, rival.ratio.as_ref()?))) else {
        return String::new();
    };
    let times = ratio(times).phrase();
    format!(
        " The next, {}, takes {times} times as long; the usual way was not measured beside.",
        rival.method.name
    )
}

pub(super) fn tied(cells: &[DecisionCell], advised: &str) -> String {
    let mut names = BTreeSet::new();
    for cell in cells.iter().filter(|cell| cell.advised.as_ref().is_some_and(|method| method.name == advised))
    {
        names.insert(cell.fastest.method.name.as_str());
        names.extend(cell.tied().map(|rival| rival.method.name.as_str()));
    }
    names.remove(advised);
    if names.is_empty() {
        return String::new();
    }
    format!(" Not to be told from it: {}.", names.into_iter().collect::<Vec<_>>().join(", "))
}

/// An answer that names no one method.
pub(super) fn open(answer: &DecisionAnswer) -> String {
    let named = |cell: &DecisionCell| {
        let size = cell.conditions.size_bytes.filter(|_| answer.cells.len() > 1).map(bytes);
        let at = size.map(|size| format!(" at {size}")).unwrap_or_default();
        let led = &cell.chosen().name;
        match (&cell.advised, cell.certainty) {
            (Some(method), _) => format!("{}{at}", method.name),
            (None, Certainty::Fault) => format!("the A/A control{at} is at fault ({led} led)"),
            (None, Certainty::StateUnproven) => format!("the cache state{at} is not proven ({led} led)"),
            (None, Certainty::Contradicted) => format!("another comparison{at} contradicts ({led} led)"),
            (None, _) => format!("too few forks{at} ({led} led)"),
        }
    };
    let named: Vec<String> = answer.cells.iter().map(named).collect();
    if answer.cells.iter().any(|cell| cell.advised.is_none()) {
        return format!("not decided: {}.", named.join(", "));
    }
    let crossing = answer.crossing_bytes.map_or_else(String::new, |size| {
        format!(" On a line between the two sizes they cross at about {} (no interval).", rounded_bytes(size))
    });
    format!("it depends. It is {}.{crossing}", named.join(", and "))
}

fn of_several(decision: &Decision) -> String {
    let answers = &decision.answers;
    let advised: BTreeSet<_> = answers.iter().map(|answer| answer.advised.as_ref()).collect();
    let cases = things(answers.len() as u64, "case");
    if let (1, Some(Some(method))) = (advised.len(), advised.first()) {
        let beside: BTreeSet<_> = answers.iter().map(|answer| beside(answer, method)).collect();
        let beside = beside.into_iter().collect::<String>();
        return format!("Use {}{beside}: it is the one to use in all {cases}.", method.name);
    }
    let what: BTreeSet<_> = answers.iter().map(|answer| heading(&answer.conditions)).collect();
    let who: BTreeSet<_> = answers.iter().map(|answer| &answer.conditions.title).collect();
    let opening = if what.len() > 1 || who.len() > 1 { "One answer for each of" } else { "It depends:" };
    let words = |dimension| match dimension {
        Dimension::Size => "the size",
        Dimension::Cache => "the cache state",
        Dimension::Place => "the place",
        Dimension::Block => "the size of blocks",
    };
    let same: Vec<_> = decision.indifferent.iter().map(|found| words(found.dimension)).collect();
    let same = match same.as_slice() {
        [] => String::new(),
        [one] => format!(" {} does not matter here.", capitalized(one)),
        many => format!(" {} do not matter here.", capitalized(&many.join(" and "))),
    };
    let undecided = answers.iter().filter(|answer| answer.advised.is_none()).count();
    let undecided = if undecided > 0 { format!(", {undecided} of them undecided") } else { String::new() };
    format!("{opening} {cases}{undecided}.{same}")
}
