//! The experiments that ship inside the program.

/// An experiment file as it was when the program was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedFile {
    /// Its name in the source tree, for errors: `catalog/open-all.toml`.
    pub file: &'static str,
    /// The experiment's name: `open-all`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        &[$(ShippedFile {
            file: concat!("catalog/", $name, ".toml"),
            name: $name,
            text: include_str!(concat!("../../../catalog/", $name, ".toml")),
        }),+]
    };
}

/// Every shipped experiment, in the order of `fathom list`.
pub const SHIPPED: &[ShippedFile] = shipped![
    "open-all",
    "read-all",
    "open-go",
    "open-pread-go",
    "small-go",
    "small-sweep",
    "places",
    "open-write-java",
    "open-write-whatif",
    "lines-go",
    "hash-go",
    "search-go",
    "layers",
    "direct",
    "go-internals",
    "method",
    "decide",
    "config-load",
    "embed",
    "generate",
    "random-blocks",
    "create-storm",
    "write-sustained",
    "scan-parallel",
    "random-uring",
    "pitfalls",
    "hot-reload",
    "write-directory",
    "config-errors",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_catalog_is_shipped_once() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../catalog");
        let listed: BTreeSet<_> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| format!("catalog/{}", path.file_name().unwrap().to_str().unwrap()))
            .collect();
        let shipped: BTreeSet<_> = SHIPPED.iter().map(|shipped| shipped.file.to_owned()).collect();
        assert_eq!(shipped, listed);
        assert_eq!(shipped.len(), SHIPPED.len());
    }
}
