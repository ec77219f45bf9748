//! Driver manifests: what `driver.toml` beside a driver's sources says of it.
//! Whether the driver can be built and run here is not known from it.

use crate::error::{CatalogError, Located, Origin, Problem};
use crate::toml_reader::{Source, TableReader};
use crate::words::read_word;
use fathom_model::{MethodDescription, Operation};

/// The name of the method that every driver has for every operation.
pub(crate) const NULL_METHOD: &str = "null";

/// A driver as its manifest describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverManifest {
    /// Its short name, the first half of a method's: `go`.
    pub name: String,
    /// The language: `Go`.
    pub language: String,
    /// What builds it.
    pub toolchain: Toolchain,
    /// Its methods, in the order of the manifest.
    pub methods: Vec<MethodDescription>,
}

/// The program that builds a driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    /// The program, looked up in PATH: `go`.
    pub program: String,
    /// The environment variable that names another one: `FATHOM_GO`.
    pub variable: String,
    /// Arguments that make it print its version: `["version"]`.
    pub version: Vec<String>,
}

impl DriverManifest {
    /// Reads a manifest; `file` names it in errors.
    pub fn parse(file: &str, text: &str) -> Result<Self, CatalogError> {
        Source { file, text }.read(|top| {
            let name = top.require("name")?.text()?;
            check_name(&name, "a driver", |c| c.is_ascii_alphanumeric() || "-.@".contains(c))?;
            let manifest = Self {
                name: name.value.clone(),
                language: top.require("language")?.text()?.value,
                toolchain: top.require("toolchain")?.table(read_toolchain)?,
                methods: read_methods(top)?,
            };
            check_null(&manifest, &name.origin)?;
            Ok(manifest)
        })
    }

    /// The description of one of its methods.
    pub fn method(&self, name: &str) -> Option<&MethodDescription> {
        self.methods.iter().find(|method| method.name == name)
    }
}

fn read_toolchain(table: &TableReader<'_>) -> Result<Toolchain, CatalogError> {
    Ok(Toolchain {
        program: table.require("program")?.text()?.value,
        variable: table.require("variable")?.text()?.value,
        version: table.require("version")?.texts()?.into_iter().map(|argument| argument.value).collect(),
    })
}

fn read_methods(top: &TableReader<'_>) -> Result<Vec<MethodDescription>, CatalogError> {
    let mut methods: Vec<MethodDescription> = Vec::new();
    for item in top.require("methods")?.list()? {
        let (name, description) = item.table(read_method)?;
        if methods.iter().any(|method| method.name == name.value) {
            return Err(name.error(Problem::Repeated("method", name.value.clone()), None));
        }
        methods.push(description);
    }
    Ok(methods)
}

fn read_method(table: &TableReader<'_>) -> Result<(Located<String>, MethodDescription), CatalogError> {
    let name = table.require("name")?.text()?;
    // A comma separates methods on the command line, a star stands for all.
    check_name(&name, "a method", |c| c.is_ascii_graphic() && c != ',' && c != '*')?;
    let mut operations = Vec::new();
    for word in table.require("operations")?.texts()? {
        let operation: Operation = read_word(&word)?.value;
        if operations.contains(&operation) {
            return Err(word.error(Problem::Repeated("operation", word.value.clone()), None));
        }
        operations.push(operation);
    }
    let does = table.require("does")?.text()?.value;
    let takes = match table.take("takes") {
        Some(item) => {
            item.texts()?.iter().map(|word| Ok(read_word(word)?.value)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    let flaw = table.take("flaw").map(|item| item.text().map(|text| text.value)).transpose()?;
    let name_text = name.value.clone();
    let description = MethodDescription { name: name_text, operations, does, unavailable: None, takes, flaw };
    Ok((name, description))
}

fn check_name(name: &Located<String>, of: &'static str, valid: fn(char) -> bool) -> Result<(), CatalogError> {
    if name.value.chars().all(valid) {
        return Ok(());
    }
    Err(name.error(Problem::BadName(name.value.clone(), of), None))
}

/// The loop's price needs `null` for every operation that is timed.
fn check_null(manifest: &DriverManifest, origin: &Origin) -> Result<(), CatalogError> {
    let covered =
        |operation| manifest.method(NULL_METHOD).is_some_and(|null| null.operations.contains(&operation));
    let timed = Operation::ALL.into_iter().filter(|&operation| {
        operation == Operation::Null || manifest.methods.iter().any(|m| m.operations.contains(&operation))
    });
    match timed.into_iter().find(|&operation| !covered(operation)) {
        Some(missing) => {
            let hint = format!("add `{missing}` to the operations of its method `{NULL_METHOD}`");
            Err(CatalogError::new(origin, Problem::NoNull(manifest.name.clone(), missing), Some(hint)))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"name = "go"
language = "Go"

[toolchain]
program = "go"
variable = "FATHOM_GO"
version = ["version"]

[[methods]]
name = "null"
operations = ["null", "open-close"]
does = "nothing"

[[methods]]
name = "os.Open"
operations = ["open-close"]
does = "os.Open, File.Close"
"#;

    /// The message for the good manifest with one stretch of text replaced.
    fn message_with(from: &str, to: &str) -> String {
        assert!(GOOD.contains(from), "{from:?} is in the manifest");
        let error = DriverManifest::parse("driver.toml", &GOOD.replacen(from, to, 1)).unwrap_err();
        format!("{error} / {}", error.hint().unwrap_or("-"))
    }

    #[test]
    fn a_manifest_is_read_whole() {
        let manifest = DriverManifest::parse("driver.toml", GOOD).unwrap();
        assert_eq!((manifest.name.as_str(), manifest.language.as_str()), ("go", "Go"));
        assert_eq!(manifest.toolchain.variable, "FATHOM_GO");
        assert_eq!(manifest.toolchain.version, ["version"]);
        assert_eq!(manifest.method("os.Open").unwrap().operations, [Operation::OpenClose]);
        assert_eq!(manifest.methods[0].name, "null");
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        for (from, to, message) in [
            (
                "does = \"os.Open",
                "dose = \"os.Open",
                "driver.toml:17: unknown key `dose` / did you mean `does`?",
            ),
            (
                "\"open-close\"]\ndoes = \"os",
                "\"open-clsoe\"]\ndoes = \"os",
                "driver.toml:16: unknown operation `open-clsoe` / did you mean `open-close`?",
            ),
            ("\"os.Open\"", "\"null\"", "driver.toml:15: method `null` is listed twice / -"),
            ("\"os.Open\"", "\"os,Open\"", "driver.toml:15: `os,Open` is no name for a method / -"),
            ("\"go\"", "\"g:o\"", "driver.toml:1: `g:o` is no name for a driver / -"),
            ("variable = \"FATHOM_GO\"\n", "", "driver.toml:4: missing key `variable` / -"),
            ("[\"version\"]", "\"version\"", "driver.toml:7: `version` takes a list, not a string / -"),
            (
                "operations = [\"null\", \"open-close\"]",
                "operations = [\"null\"]",
                "driver.toml:1: driver `go` has no method `null` that performs `open-close` / \
              add `open-close` to the operations of its method `null`",
            ),
        ] {
            assert_eq!(message_with(from, to), message);
        }
    }
}
