//! The experiments and the write-ups that ship inside the program.

/// A file of the catalog as it was when the program was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedFile {
    /// Its name in the source tree, for errors: `catalog/open-all.toml`.
    pub file: &'static str,
    /// The name of what it holds: `open-all`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! shipped {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(ShippedFile {
            file: concat!($folder, $name, ".toml"),
            name: $name,
            text: include_str!(concat!("../../../", $folder, $name, ".toml")),
        }),+]
    };
}

/// Every shipped experiment, in the order of `fathom list`.
pub static SHIPPED: &[ShippedFile] = shipped![
    "catalog/":
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
    "go-allocations",
    "method",
    "first-read",
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
    "shared-descriptor",
    "limits",
    "go-runtime",
    "memory-files",
];

/// Every write-up, in the order of `fathom list`.
pub static WRITE_UPS: &[ShippedFile] = shipped![
    "catalog/write-ups/":
    "open-deep-dive",
    "small-files-go",
    "read-vs-mmap",
    "open-and-close",
    "jdk-8373647",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, WriteUpFile};
    use std::collections::BTreeSet;

    fn check_shipped(folder: &str, shipped: &[ShippedFile]) {
        let directory = format!("{}/../../{folder}", env!("CARGO_MANIFEST_DIR"));
        let listed: BTreeSet<_> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap()))
            .collect();
        let names: BTreeSet<_> = shipped.iter().map(|shipped| shipped.file.to_owned()).collect();
        assert_eq!(names, listed);
        assert_eq!(names.len(), shipped.len());
    }

    #[test]
    fn every_file_of_the_catalog_is_shipped_once() {
        check_shipped("catalog", SHIPPED);
        check_shipped("catalog/write-ups", WRITE_UPS);
    }

    #[test]
    fn write_ups_refer_to_claims_of_the_catalog() {
        let entries: Vec<Entry> =
            SHIPPED.iter().map(|file| Entry::parse(file.file, file.text).unwrap()).collect();
        for shipped in WRITE_UPS {
            let file = WriteUpFile::parse(shipped.file, shipped.text)
                .unwrap_or_else(|error| panic!("{error}; {}", error.hint().unwrap_or_default()));
            assert_eq!(file.write_up.name, shipped.name);
            file.check_claims(&entries)
                .unwrap_or_else(|error| panic!("{error}; {}", error.hint().unwrap_or_default()));
        }
    }
}
