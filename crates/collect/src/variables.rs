//! Variables of the environment that change how programs start, allocate or run. What Fathom
//! measures inherits them.

use std::collections::BTreeMap;

const GO: &str = "Go";
const JAVA: &str = "Java";
const NODE: &str = "JavaScript (Node.js)";
const PYTHON: &str = "Python";
const RUST: &str = "Rust and C library";

/// Names, and beginnings of names, with the languages that they concern, as drivers call them; none
/// is named where they concern every program: the loader and the C library read them.
const CONCERNS: [(&str, &[&str]); 19] = [
    ("LD_*", &[]),
    ("MALLOC_*", &[]),
    ("GLIBC_TUNABLES", &[]),
    ("GODEBUG", &[GO]),
    ("GOGC", &[GO]),
    ("GOMAXPROCS", &[GO]),
    ("GOMEMLIMIT", &[GO]),
    ("JAVA_TOOL_OPTIONS", &[JAVA]),
    ("JDK_JAVA_OPTIONS", &[JAVA]),
    ("JDK_JAVAC_OPTIONS", &[JAVA]),
    ("_JAVA_OPTIONS", &[JAVA]),
    ("CLASSPATH", &[JAVA]),
    ("NODE_OPTIONS", &[NODE]),
    ("NODE_PATH", &[NODE]),
    ("UV_THREADPOOL_SIZE", &[NODE]),
    ("UV_USE_IO_URING", &[NODE]),
    ("PYTHON*", &[PYTHON]),
    ("RUST_MIN_STACK", &[RUST]),
    ("PERL5*", &["Perl"]),
];
/// The languages whose programs are known to read no other language's variables.
const KNOWN: [&str; 7] = [RUST, "C++", GO, JAVA, "Zig", PYTHON, NODE];

/// Those that are set now and not empty, with their values.
pub fn telling_variables() -> BTreeMap<String, String> {
    chosen(
        std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())),
    )
}

/// True of a variable that a driver in this language may read, as the driver calls it. One that is
/// not known may read any.
pub fn concerns_language(variable: &str, language: &str) -> bool {
    let languages = CONCERNS.iter().find(|(pattern, _)| fits(pattern, variable)).map(|(_, known)| *known);
    languages.is_some_and(|languages| {
        languages.is_empty() || languages.contains(&language) || !KNOWN.contains(&language)
    })
}

/// The runtime, as audits call it, whose programs alone read a variable: where none of them ran, it
/// changed nothing. `None` where audits may not know a program as one of those that read it.
pub fn only_reader(variable: &str) -> Option<&'static str> {
    let (_, languages) = CONCERNS.iter().find(|(pattern, _)| fits(pattern, variable))?;
    match *languages {
        [PYTHON] => Some("python"),
        [JAVA] => Some("java"),
        _ => None,
    }
}

fn chosen(variables: impl Iterator<Item = (String, String)>) -> BTreeMap<String, String> {
    let is_telling = |name: &str| CONCERNS.iter().any(|(pattern, _)| fits(pattern, name));
    variables.filter(|(name, value)| !value.is_empty() && is_telling(name)).collect()
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_programs_is_chosen_and_nothing_else() {
        let names = [
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "LD_AUDIT",
            "GODEBUG",
            "GOMAXPROCS",
            "GOGC",
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "NODE_OPTIONS",
            "PYTHONPATH",
            "MALLOC_ARENA_MAX",
            "GLIBC_TUNABLES",
        ];
        let others = [
            "PATH",
            "NODE_EXTRA_CA_CERTS",
            "UV_CACHE_DIR",
            "HOME",
            "GOPATH",
            "LDFLAGS",
            "JAVA_HOME",
            "AWS_SECRET_ACCESS_KEY",
        ];
        let set = names.iter().chain(&others).map(|name| ((*name).to_owned(), "x".to_owned()));
        let found = chosen(set.chain([("LD_BIND_NOW".to_owned(), String::new())]));
        assert_eq!(found.len(), names.len(), "{found:?}");
        assert!(names.iter().all(|name| found.contains_key(*name)));
    }

    #[test]
    fn only_what_one_runtime_reads_is_of_no_concern_without_it() {
        assert_eq!(only_reader("PYTHONPATH"), Some("python"));
        assert_eq!(only_reader("CLASSPATH"), Some("java"));
        // Programs of Go and Perl are not always known as such.
        assert_eq!([only_reader("GODEBUG"), only_reader("PERL5LIB"), only_reader("LD_PRELOAD")], [None; 3]);
    }

    #[test]
    fn a_variable_concerns_the_languages_that_read_it() {
        assert!(concerns_language("LD_PRELOAD", "Zig") && concerns_language("GODEBUG", "Go"));
        assert!(!concerns_language("GODEBUG", "Zig") && !concerns_language("PYTHONPATH", "Java"));
        assert!(concerns_language("JAVA_TOOL_OPTIONS", "Java") && concerns_language("PYTHONPATH", "Cobol"));
        assert!(!concerns_language("NODE_OPTIONS", "Java") && !concerns_language("PATH", "Cobol"));
    }
}
