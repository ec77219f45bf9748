//! What `fathom bench --fail-on` takes.

use fathom_model::MethodId;

/// What a run is failed for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Gate {
    /// Answers of functions that differ.
    Answers,
    /// The first method makes more calls than the second.
    Calls(MethodId, MethodId),
    /// The first method is slower than the second by more than this share.
    Time(MethodId, MethodId, f64),
}

/// A gate in its words.
pub(crate) fn gate(text: &str) -> Result<Gate, String> {
    let method = |word: &str| word.parse::<MethodId>().map_err(|error| error.to_string());
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["answers"] => Ok(Gate::Answers),
        ["calls", one, ">", other] => Ok(Gate::Calls(method(one)?, method(other)?)),
        ["time", one, ">", other] => Ok(Gate::Time(method(one)?, method(other)?, 0.0)),
        ["time", one, ">", other, percent] => {
            let share = percent.strip_prefix('+').and_then(|text| text.strip_suffix('%'));
            let share = share.and_then(|text| text.parse::<f64>().ok()).filter(|share| *share >= 0.0);
            let share = share.ok_or_else(|| format!("`{percent}` is no limit like +5%"))?;
            Ok(Gate::Time(method(one)?, method(other)?, share / 100.0))
        }
        _ => Err("a gate is `answers`, `calls A > B` or `time A > B +5%`, with methods like ways.go:Read"
            .to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_read_and_mistakes_are_refused() {
        let method = |text: &str| text.parse::<MethodId>().unwrap();
        assert_eq!(gate("answers"), Ok(Gate::Answers));
        let calls = Gate::Calls(method("ways.go:A"), method("ways.go:B"));
        assert_eq!(gate("calls ways.go:A > ways.go:B"), Ok(calls));
        let time = Gate::Time(method("a.c:x"), method("native:read"), 0.05);
        assert_eq!(gate("time a.c:x > native:read +5%"), Ok(time));
        for mistaken in ["", "answer", "calls A > B", "time a.c:x > a.c:y 5", "time a.c:x > a.c:y +-5%"] {
            assert!(gate(mistaken).is_err(), "{mistaken}");
        }
    }
}
