//! What functions of the user's answered: bytes beside those of the file, counts beside the counts
//! of the others. What a count means is not known here.

use crate::data::truth::Answer;
use fathom_model::{Answered, Variant};
use std::collections::BTreeMap;

/// The word for a number that a function returned.
const COUNT: &str = "count";

/// What a function answered for each file, beside what the files hold.
pub(crate) fn of_own_function(found: &[Answer], truth: &[Answer]) -> Answered {
    let answered = |what: &str, found, expected, disagrees| Answered {
        what: what.to_owned(),
        found,
        expected,
        flaw: None,
        predicted: None,
        further: Vec::new(),
        disagrees,
    };
    if found.iter().any(|answer| answer.is_count) {
        let count = found.iter().fold(0_u64, |sum, answer| sum.wrapping_add(answer.digest));
        return answered(COUNT, count, count, None);
    }
    let bytes = |answers: &[Answer]| answers.iter().map(|answer| answer.bytes).sum::<u64>();
    let (returned, held) = (bytes(found), bytes(truth));
    let differs =
        |(found, truth): (&Answer, &Answer)| found.bytes != truth.bytes || found.digest != truth.digest;
    // Of the first file every byte is compared, of the others the length and a byte of each page.
    let first_differs =
        found.first().zip(truth.first()).is_some_and(|(found, truth)| found.crc32 != truth.crc32);
    let disagrees = if returned != held {
        Some(format!("returns {returned} bytes where the data has {held}"))
    } else if first_differs || found.iter().zip(truth).any(differs) {
        Some(format!("returns {returned} bytes as the data has, and other ones"))
    } else {
        None
    };
    answered("bytes", returned, held, disagrees)
}

/// Says of counts that are not those of most functions, how they differ; without a majority of all.
pub(crate) fn compare_counts(answers: &mut [Answered], variants: &[Variant]) {
    let mut holders: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (index, answer) in answers.iter().enumerate().filter(|(_, answer)| answer.what == COUNT) {
        holders.entry(answer.found).or_default().push(index);
    }
    if holders.len() < 2 {
        return;
    }
    let most = holders.values().map(Vec::len).max().unwrap_or(0);
    let mut leading = holders.iter().filter(|(_, of)| of.len() == most);
    let majority = leading.next().filter(|_| leading.next().is_none()).map(|(count, _)| *count);
    for (&count, of) in &holders {
        let Some((other, by)) =
            holders.iter().filter(|(other, _)| **other != count).max_by_key(|(_, of)| of.len())
        else {
            continue;
        };
        for &index in of.iter().filter(|_| majority != Some(count)) {
            let who = match by.as_slice() {
                [one] => format!("{} returns", variants[*one].method),
                many => format!("{} others return", many.len()),
            };
            answers[index].disagrees = Some(format!("returns {count}, {who} {other}"));
            answers[index].expected = majority.unwrap_or(count);
        }
    }
}
