//! `cargo xtask reference`: the pages of docs/reference, made from the program. The
//! command line's pages come from `fathom man`; the rest is made here, of the same
//! catalog, manifests and tables that `fathom` has.

mod catalog;
mod methods;
mod schemas;
mod settings;

use crate::calibrate::programs::build_fathom;
use anyhow::Context;
use std::path::Path;
use std::process::Command;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference");

/// Said at the top of each page.
const GENERATED: &str =
    "<!-- Made by `cargo run -p xtask -- reference`: change the program, not this page. -->";

/// Writes every page; `fathom` is the program to ask, or one is built.
pub(crate) fn write(fathom: Option<&Path>) -> anyhow::Result<()> {
    let fathom = fathom.map_or_else(build_fathom, |fathom| Ok(fathom.to_owned()))?;
    let status = Command::new(&fathom)
        .args(["man", "--format", "markdown", "--output", FOLDER])
        .status()
        .with_context(|| format!("failed to start {}", fathom.display()))?;
    anyhow::ensure!(status.success(), "`fathom man` ended with {status}");
    for (name, text) in pages()? {
        let file = Path::new(FOLDER).join(name);
        std::fs::write(&file, text).with_context(|| format!("failed to write {}", file.display()))?;
    }
    Ok(())
}

/// The pages that are made here.
fn pages() -> anyhow::Result<[(&'static str, String); 4]> {
    Ok([
        ("operations-and-methods.md", methods::page()?),
        ("settings.md", settings::page()),
        ("catalog.md", catalog::page()?),
        ("schemas.md", schemas::page()?),
    ])
}

/// A page with its heading.
fn titled(title: &str, body: &str) -> String {
    format!("# {title}\n\n{GENERATED}\n\n{}\n", body.trim())
}

/// Words in which nothing is markup but code in backticks.
pub(crate) fn prose(words: &str) -> String {
    let pieces = words.split('`').enumerate().map(|(number, piece)| match number % 2 {
        0 => {
            let escaped = piece.chars().flat_map(|c| {
                let escape = "\\*_<[]|".contains(c).then_some('\\');
                escape.into_iter().chain(std::iter::once(c))
            });
            escaped.collect()
        }
        _ => format!("`{piece}`"),
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_pages_are_those_of_the_program() {
        for (name, text) in pages().unwrap() {
            let written = std::fs::read_to_string(Path::new(FOLDER).join(name)).unwrap_or_default();
            assert!(written == text, "docs/reference/{name} is stale: run `cargo run -p xtask -- reference`");
        }
    }

    #[test]
    fn no_other_page_lies_there() {
        let mut made: Vec<_> = pages().unwrap().map(|(name, _)| name.to_owned()).to_vec();
        // Of `fathom man`; crates/fathom/tests/cli/manual.rs compares them.
        made.extend(["commands.md".to_owned(), "exit-codes.md".to_owned()]);
        made.sort();
        let entries = std::fs::read_dir(FOLDER).unwrap();
        let mut written: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        written.sort();
        assert_eq!(written, made);
    }

    #[test]
    fn words_are_no_markup() {
        assert_eq!(prose("a*b `c_d` <e> [f] x_y"), "a\\*b `c_d` \\<e> \\[f\\] x\\_y");
    }
}
