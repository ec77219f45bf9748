//! Variables of the environment that change how programs start, allocate or run. What Fathom
//! measures inherits them.

use std::collections::BTreeMap;

/// Names, and beginnings of names, with the drivers that they concern; none is named where they
/// concern every program: the loader and the C library read them.
const CONCERNS: [(&str, &[&str]); 19] = [
    ("LD_*", &[]),
    ("MALLOC_*", &[]),
    ("GLIBC_TUNABLES", &[]),
    ("GODEBUG", &["go"]),
    ("GOGC", &["go"]),
    ("GOMAXPROCS", &["go"]),
    ("GOMEMLIMIT", &["go"]),
    ("JAVA_TOOL_OPTIONS", &["java"]),
    ("JDK_JAVA_OPTIONS", &["java"]),
    ("JDK_JAVAC_OPTIONS", &["java"]),
    ("_JAVA_OPTIONS", &["java"]),
    ("CLASSPATH", &["java"]),
    ("NODE_OPTIONS", &["node"]),
    ("NODE_PATH", &["node"]),
    ("UV_THREADPOOL_SIZE", &["node"]),
    ("UV_USE_IO_URING", &["node"]),
    ("PYTHON*", &["python"]),
    ("RUST_MIN_STACK", &["native"]),
    ("PERL5*", &["perl"]),
];
/// The drivers that Fathom ships, of which it knows the language.
const SHIPPED: [&str; 7] = ["native", "cpp", "go", "java", "zig", "python", "node"];

/// Those that are set now and not empty, with their values.
pub fn telling_variables() -> BTreeMap<String, String> {
    chosen(
        std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())),
    )
}

/// True of a variable that a driver of this name may read. A driver of somebody's own may be in any
/// language.
pub fn concerns_driver(variable: &str, driver: &str) -> bool {
    let drivers = CONCERNS.iter().find(|(pattern, _)| fits(pattern, variable)).map(|(_, drivers)| *drivers);
    let driver = driver.split('@').next().unwrap_or(driver);
    drivers
        .is_some_and(|drivers| drivers.is_empty() || drivers.contains(&driver) || !SHIPPED.contains(&driver))
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
    fn a_variable_concerns_the_runtimes_that_read_it() {
        assert!(concerns_driver("LD_PRELOAD", "native") && concerns_driver("GODEBUG", "go"));
        assert!(!concerns_driver("GODEBUG", "native") && !concerns_driver("PYTHONPATH", "java@25"));
        assert!(concerns_driver("JAVA_TOOL_OPTIONS", "java@25") && concerns_driver("PYTHONPATH", "mine"));
        assert!(!concerns_driver("PATH", "mine"));
    }
}
