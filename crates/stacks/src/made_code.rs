//! Functions that a runtime made at run time, from the names that its map gives them:
//! `CPython`'s, V8's and the JVM's forms.

use crate::names::CodeFrame;

/// What V8 calls what it made of a script.
const OF_SCRIPTS: [&str; 6] = ["JS:", "LazyCompile:", "Function:", "Script:", "Eval:", "Callback:"];
/// Before a path in such a name.
const PATHS: [&str; 4] = [" file://", " node:", " /", " evalmachine."];

/// The frame of a function that is called so in a map.
pub(crate) fn frame(name: &str) -> CodeFrame {
    let made = CodeFrame { made_at_run_time: true, ..CodeFrame::default() };
    if let Some((function, file)) = name.strip_prefix("py::").and_then(|rest| rest.split_once(':')) {
        return CodeFrame { function: Some(function.to_owned()), file: Some(file.to_owned()), ..made };
    }
    if let Some(rest) = OF_SCRIPTS.iter().find_map(|kind| name.strip_prefix(kind)) {
        return of_script(rest.trim_start_matches(['~', '*', '^', '+']), made);
    }
    // `int org.me.Main.load(java.lang.String)`
    let function = match name.split_once('(') {
        Some((before, _)) if !before.ends_with(' ') => before.rsplit(' ').next().unwrap_or(before),
        _ => name,
    };
    CodeFrame { function: Some(function.to_owned()), ..made }
}

/// `load file:///a/b.js:10:3`, with or without a name and a place.
fn of_script(rest: &str, made: CodeFrame) -> CodeFrame {
    // The name may be missing, the space is not.
    let cut = PATHS.iter().filter_map(|beginning| rest.find(beginning)).min();
    let (function, place) = match cut {
        Some(cut) => (&rest[..cut], rest[cut..].trim_start()),
        None => (rest, ""),
    };
    let numbered = |text: &str| {
        let (before, number) = text.rsplit_once(':')?;
        Some((before.to_owned(), number.parse::<u32>().ok()?))
    };
    let (file, line) = match numbered(place) {
        Some((before, last)) => match numbered(&before) {
            Some((file, line)) => (file, Some(line)),
            None => (before, Some(last)),
        },
        None => (place.to_owned(), None),
    };
    let file = file.strip_prefix("file://").unwrap_or(&file).to_owned();
    let function = if function.is_empty() { "(anonymous)" } else { function };
    CodeFrame { function: Some(function.to_owned()), file: (!file.is_empty()).then_some(file), line, ..made }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_runtime() {
        for (name, function, file, line) in [
            ("py::Loader.load:/home/me/a b.py", "Loader.load", Some("/home/me/a b.py"), None),
            (
                "py::<module>:<frozen importlib._bootstrap>",
                "<module>",
                Some("<frozen importlib._bootstrap>"),
                None,
            ),
            ("JS:~load file:///a b.js:10:3", "load", Some("/a b.js"), Some(10)),
            ("JS:*readFileSync node:fs:450:22", "readFileSync", Some("node:fs"), Some(450)),
            ("LazyCompile:~ /a/b.js:7:1", "(anonymous)", Some("/a/b.js"), Some(7)),
            ("Script:~ /a/b.js:1:1", "(anonymous)", Some("/a/b.js"), Some(1)),
            ("Builtin:InterpreterEntryTrampoline", "Builtin:InterpreterEntryTrampoline", None, None),
            ("void java.lang.Object.<init>()", "java.lang.Object.<init>", None, None),
            ("int org.me.Main.load(java.lang.String, int)", "org.me.Main.load", None, None),
            ("Interpreter", "Interpreter", None, None),
            ("StubRoutines (1)", "StubRoutines (1)", None, None),
        ] {
            let frame = frame(name);
            assert_eq!(
                (frame.function.as_deref(), frame.file.as_deref(), frame.line, frame.made_at_run_time),
                (Some(function), file, line, true),
                "{name}"
            );
        }
    }
}
