//! The nearest valid word to a mistaken one.

/// The hint for a mistaken `word`: the nearest of `valid`, or all of them when
/// none is near.
pub(crate) fn hint_for(word: &str, valid: &[&str]) -> Option<String> {
    did_you_mean(word, valid).or_else(|| list_hint(valid))
}

/// ``did you mean `x`?`` when one of `valid` is near.
pub(crate) fn did_you_mean(word: &str, valid: &[&str]) -> Option<String> {
    nearest(word, valid.iter().copied()).map(|found| format!("did you mean `{found}`?"))
}

/// The candidate with the fewest edits from `word`, letter case aside; the
/// first of several. `None` when a third of the word or more would change.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let letters = word.chars().count();
    let limit = (letters / 3).max(1);
    candidates
        .into_iter()
        // So many edits it takes at least; words without end are not compared letter by letter.
        .filter(|candidate| candidate.chars().count().abs_diff(letters) <= limit)
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(|&(edits, _)| edits <= limit)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// `one of …`, for lists short enough to be read.
fn list_hint(valid: &[&str]) -> Option<String> {
    let quoted: Vec<_> = valid.iter().map(|word| format!("`{word}`")).collect();
    (!quoted.is_empty()).then(|| format!("one of {}", quoted.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_wins_whatever_its_case() {
        let words = ["os.Open", "os.OpenFile+O_DIRECT", "os.ReadFile"];
        assert_eq!(nearest("os.Opne", words), Some("os.Open"));
        assert_eq!(nearest("OS.READFILE", words), Some("os.ReadFile"));
        assert_eq!(nearest("fopen", words), None);
    }

    #[test]
    fn of_equally_near_words_the_first_is_taken() {
        assert_eq!(nearest("rea", ["reae", "read"]), Some("reae"));
    }

    #[test]
    fn a_far_word_gets_the_whole_list() {
        assert_eq!(hint_for("hot", &["warm", "cold"]).unwrap(), "one of `warm`, `cold`");
        assert_eq!(hint_for("wram", &["warm", "cold"]).unwrap(), "did you mean `warm`?");
        assert_eq!(hint_for("x", &[]), None);
    }
}
