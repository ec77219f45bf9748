//! Method lists as people write them: names and wildcards, made into methods.

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::manifest::NULL_METHOD;
use crate::registry::MethodRegistry;
use crate::suggestion::hint_for;
use fathom_model::{MethodId, Operation};

/// A method that was chosen, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) id: MethodId,
    pub(crate) origin: Origin,
    /// True when it was written out, false when a wildcard brought it.
    pub(crate) by_name: bool,
}

/// The methods that a list stands for, in the list's order, a wildcard's in the
/// registry's order.
///
/// A method written out stands where it is written, as often as it is written
/// (twice is an A/A comparison); wildcards bring each other method once, and
/// `null` only for the operation `null`.
pub(crate) fn expand(
    patterns: &[Located<String>],
    operation: Operation,
    registry: &MethodRegistry,
) -> Result<Vec<Chosen>, CatalogError> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for pattern in patterns {
        match pattern.value.split_once(':') {
            _ if pattern.value == "*" => {
                let found = wildcard(pattern, None, operation, registry)?;
                add_new(&mut chosen, patterns, pattern, found);
            }
            Some((driver, "*")) => {
                let found = wildcard(pattern, Some(driver), operation, registry)?;
                add_new(&mut chosen, patterns, pattern, found);
            }
            _ => {
                let id = named(pattern, operation, registry)?;
                chosen.push(Chosen { id, origin: pattern.origin.clone(), by_name: true });
            }
        }
    }
    Ok(chosen)
}

/// The method of this name, which must exist and perform the operation.
pub(crate) fn named(
    written: &Located<String>,
    operation: Operation,
    registry: &MethodRegistry,
) -> Result<MethodId, CatalogError> {
    let known = written.value.parse::<MethodId>().ok().filter(|id| registry.find(id).is_some());
    let Some(id) = known else {
        let hint = registry.nearest(&written.value, Some(operation)).map_or_else(
            || drivers_hint(written, operation, registry),
            |id| Some(format!("did you mean `{id}`?")),
        );
        return Err(written.error(Problem::UnknownMethod(written.value.clone()), hint));
    };
    if registry.performs(&id, operation) {
        return Ok(id);
    }
    let performs = registry.find(&id).map(|method| method.operations.as_slice()).unwrap_or_default();
    let words: Vec<_> = performs.iter().map(|operation| format!("`{operation}`")).collect();
    let hint = format!("it performs {}", words.join(", "));
    Err(written.error(Problem::CannotPerform(id, operation), Some(hint)))
}

/// What a method that resembles none could have been.
fn drivers_hint(
    written: &Located<String>,
    operation: Operation,
    registry: &MethodRegistry,
) -> Option<String> {
    let driver = written.value.split_once(':').map_or("", |(driver, _)| driver);
    if let Some(driver) = registry.driver(driver) {
        return Some(format!("`{}:*` stands for its methods that perform `{operation}`", driver.name));
    }
    let names: Vec<_> = registry.drivers().iter().map(|driver| driver.name.as_str()).collect();
    hint_for(driver, &names).map(|hint| format!("a method is written `driver:name`; for the driver, {hint}"))
}

fn wildcard(
    pattern: &Located<String>,
    driver: Option<&str>,
    operation: Operation,
    registry: &MethodRegistry,
) -> Result<Vec<MethodId>, CatalogError> {
    if let Some(unknown) = driver.filter(|name| registry.driver(name).is_none()) {
        let names: Vec<_> = registry.drivers().iter().map(|driver| driver.name.as_str()).collect();
        let problem = Problem::UnknownDriver(unknown.to_owned());
        return Err(pattern.error(problem, hint_for(unknown, &names)));
    }
    let mut found = registry.methods_of(operation);
    found.retain(|id| driver.is_none_or(|driver| id.driver == driver));
    found.retain(|id| id.name != NULL_METHOD || operation == Operation::Null);
    if found.is_empty() {
        return Err(pattern.error(Problem::NothingMatches(pattern.value.clone(), operation), None));
    }
    Ok(found)
}

/// Adds what is neither there yet nor written out elsewhere in the list.
fn add_new(
    chosen: &mut Vec<Chosen>,
    patterns: &[Located<String>],
    by: &Located<String>,
    found: Vec<MethodId>,
) {
    for id in found {
        let written_out = patterns.iter().any(|pattern| pattern.value == id.to_string());
        if !written_out && chosen.iter().all(|earlier| earlier.id != id) {
            chosen.push(Chosen { id, origin: by.origin.clone(), by_name: false });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixture::registry;

    fn expanded(patterns: &[&str], operation: Operation) -> Result<Vec<String>, CatalogError> {
        let written: Vec<_> =
            patterns.iter().map(|p| Located::new((*p).to_owned(), &Origin::Option("--methods"))).collect();
        expand(&written, operation, &registry()).map(|list| list.iter().map(|c| c.id.to_string()).collect())
    }

    #[test]
    fn order_is_kept_and_wildcards_bring_each_other_method_once() {
        let list = expanded(&["native:fopen", "go:*", "*", "native:open"], Operation::OpenClose).unwrap();
        assert_eq!(list[0], "native:fopen");
        assert_eq!(list[1], "go:os.Open");
        assert_eq!(list.last().unwrap(), "native:open");
        let all = registry().methods_of(Operation::OpenClose);
        assert_eq!(list.len(), all.len() - 2, "everything but the two null methods");
        assert!(all.iter().filter(|id| id.name != "null").all(|id| list.contains(&id.to_string())));
    }

    #[test]
    fn a_method_written_twice_stands_twice() {
        let list = expanded(&["go:os.Open", "go:os.Open"], Operation::OpenClose).unwrap();
        assert_eq!(list, ["go:os.Open", "go:os.Open"]);
        let list = expanded(&["go:*", "go:*"], Operation::ReadBlock).unwrap();
        assert_eq!(list.iter().filter(|name| *name == "go:mmap").count(), 1);
    }

    #[test]
    fn null_comes_by_name_or_for_its_own_operation() {
        assert!(!expanded(&["*"], Operation::ReadBlock).unwrap().contains(&"go:null".to_owned()));
        assert_eq!(expanded(&["go:null"], Operation::ReadBlock).unwrap(), ["go:null"]);
        assert_eq!(expanded(&["*"], Operation::Null).unwrap(), ["native:null", "go:null"]);
    }

    #[test]
    fn mistakes_get_the_nearest_word() {
        for (pattern, message, hint) in [
            ("go:os.Opne", "--methods: unknown method `go:os.Opne`", "did you mean `go:os.Open`?"),
            ("nativ:*", "--methods: unknown driver `nativ`", "did you mean `native`?"),
            ("*:open", "--methods: unknown method `*:open`", "did you mean `native:open`?"),
            (
                "go:os.ReadFile",
                "--methods: `go:os.ReadFile` cannot perform `open-close`",
                "it performs `read-whole`",
            ),
            (
                "go:zzzzzz",
                "--methods: unknown method `go:zzzzzz`",
                "`go:*` stands for its methods that perform `open-close`",
            ),
            (
                "zzzzzz",
                "--methods: unknown method `zzzzzz`",
                "a method is written `driver:name`; for the driver, one of `native`, `go`",
            ),
        ] {
            let error = expanded(&[pattern], Operation::OpenClose).unwrap_err();
            assert_eq!((error.to_string().as_str(), error.hint()), (message, Some(hint)));
        }
    }
}
