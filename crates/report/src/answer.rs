//! What variants answered where an operation counts something: whether it is
//! true, and a wrong answer in words.

use crate::quantity::{grouped, number};
use fathom_model::{Answered, AnsweredFigure, Comparison};

/// What a variant answered, where its operation counts something.
pub(crate) fn answer(comparison: &Comparison, index: usize) -> Option<&Answered> {
    comparison.answers.get(index)
}

/// True of a variant that answers, and not the truth.
pub(crate) fn is_wrong(comparison: &Comparison, index: usize) -> bool {
    answer(comparison, index).is_some_and(|answered| !answered.is_right())
}

/// What is wrong with an answer, or with the method that gave it though it is
/// right here: the words behind the method's name.
pub(crate) fn fault(answered: &Answered) -> Option<String> {
    let why = answered.flaw.as_ref().map(|flaw| format!(": {flaw}")).unwrap_or_default();
    if let Some(disagrees) = &answered.disagrees {
        return Some(disagrees.clone());
    }
    let prediction = prediction(answered);
    if answered.is_right() {
        return answered
            .flaw
            .as_ref()
            .map(|_| format!("is right on these files{prediction}, and known to be wrong on others{why}"));
    }
    if answered.what == "digest" {
        return Some(format!("delivers other data than the file holds{why}"));
    }
    let verb = if answered.what == "lines" { "delivers" } else { "counts" };
    let (found, expected) = (answered.found, answered.expected);
    let further: String = answered.further.iter().map(further).collect();
    if found == expected {
        return Some(format!("{verb} all {} {}{further}{prediction}{why}", grouped(found), answered.what));
    }
    let (amount, word) =
        if found > expected { (found - expected, "too many") } else { (expected - found, "too few") };
    let share = share(found, expected).map(|share| format!(", {share}")).unwrap_or_default();
    Some(format!(
        "{verb} {} {} of {} ({} {word}{share}){further}{prediction}{why}",
        grouped(found),
        answered.what,
        grouped(expected),
        grouped(amount),
    ))
}

/// Whether a known program answered what follows from the files' bytes.
fn prediction(answered: &Answered) -> String {
    let Some(predicted) = answered.predicted else { return String::new() };
    if answered.is_as_predicted() == Some(true) {
        return ", exactly as predicted from their bytes".to_owned();
    }
    let wrong = answered.further.iter().filter(|figure| figure.found != figure.predicted);
    let wrong = wrong.map(|figure| format!("{} {}", grouped(figure.predicted), figure.what));
    let first = format!("{} {}", grouped(predicted), answered.what);
    let all: Vec<_> = std::iter::once(first).chain(wrong).collect();
    format!(", NOT as predicted from their bytes: {}", all.join(", "))
}

/// `, 97,334,112 of 98,097,893 bytes delivered`
fn further(figure: &AnsweredFigure) -> String {
    let of = figure.expected.filter(|&expected| expected > 0);
    let of = of.map(|expected| format!(" of {}", grouped(expected))).unwrap_or_default();
    format!(", {}{of} {}", grouped(figure.found), figure.what)
}

/// `+0.4 %`: with as many decimals as keep a little from being nothing.
fn share(found: u64, expected: u64) -> Option<String> {
    if expected == 0 {
        return None;
    }
    let percent = (found as f64 - expected as f64) / expected as f64 * 100.0;
    let decimals = (1..=4).find(|&d| percent.abs() >= 0.5 * 0.1_f64.powi(d)).unwrap_or(5);
    let sign = if percent > 0.0 { "+" } else { "" };
    Some(format!("{sign}{} %", number(percent, usize::try_from(decimals).unwrap_or(1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(what: &str, found: u64, expected: u64, flaw: Option<&str>) -> Option<String> {
        fault(&Answered {
            what: what.to_owned(),
            found,
            expected,
            flaw: flaw.map(str::to_owned),
            predicted: None,
            further: Vec::new(),
            disagrees: None,
        })
    }

    #[test]
    fn a_wrong_answer_says_by_how_much_and_why() {
        assert_eq!(
            shown("lines", 1_234_567, 1_230_000, Some("lines cut at 4 KiB")).unwrap(),
            "delivers 1,234,567 lines of 1,230,000 (4,567 too many, +0.4 %): lines cut at 4 KiB"
        );
        assert_eq!(
            shown("matches", 997_413, 998_321, None).unwrap(),
            "counts 997,413 matches of 998,321 (908 too few, -0.1 %)"
        );
        assert_eq!(shown("matches", 2, 0, None).unwrap(), "counts 2 matches of 0 (2 too many)");
        assert!(shown("lines", 1_000_001, 1_000_000, None).unwrap().contains("+0.0001 %"));
    }

    #[test]
    fn a_known_program_is_held_to_its_prediction() {
        let figure = |what: &str, found, expected| AnsweredFigure {
            what: what.to_owned(),
            found,
            predicted: 700,
            expected,
        };
        let mut answered = Answered {
            what: "lines".to_owned(),
            found: 412,
            expected: 1000,
            flaw: Some("joins".to_owned()),
            predicted: Some(412),
            disagrees: None,
            further: vec![
                figure("bytes delivered", 700, Some(900)),
                figure("bytes never delivered", 700, Some(0)),
            ],
        };
        assert_eq!(
            fault(&answered).unwrap(),
            "delivers 412 lines of 1,000 (588 too few, -58.8 %), 700 of 900 bytes delivered, 700 bytes never \
             delivered, exactly as predicted from their bytes: joins"
        );
        answered.further[1].found = 699;
        let text = fault(&answered).unwrap();
        assert!(
            text.contains("NOT as predicted from their bytes: 412 lines, 700 bytes never delivered"),
            "{text}"
        );
        answered.found = 1000;
        assert!(
            fault(&answered)
                .unwrap()
                .starts_with("delivers all 1,000 lines, 700 of 900 bytes delivered, 699 ")
        );
    }

    #[test]
    fn a_digest_is_no_count_and_a_known_flaw_is_told_of_a_right_answer() {
        assert_eq!(shown("digest", 7, 9, None).unwrap(), "delivers other data than the file holds");
        assert_eq!(shown("lines", 9, 9, None), None);
        assert!(shown("lines", 9, 9, Some("cut")).unwrap().starts_with("is right on these files"));
    }
}
