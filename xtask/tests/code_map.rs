//! The map at the end of ARCHITECTURE.md names every file that stands at the top of a crate's
//! sources, in the words with which the file begins; `FATHOM_RENEW_MAP=1` writes it anew. Paths
//! that stand elsewhere on that page are there.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = "<!-- map: written by xtask/tests/code_map.rs -->\n";

fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The files of a folder, sorted, by their names.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The first sentence of what a file says of itself.
fn first_sentence(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let words = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    assert!(!words.is_empty(), "{} does not say what it is", path.display());
    let end = words.find(". ").map_or(words.len(), |end| end + 1);
    words[..end].trim_end_matches('.').to_owned()
}

/// A line of each file at the top of the sources in a folder, below `prefix`.
fn lines(folder: &Path, prefix: &str, map: &mut String) {
    for path in sorted(folder).iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if matches!(name, "lib.rs" | "tests.rs") || prefix.is_empty() && name == "main.rs" {
            continue;
        }
        writeln!(map, "- `{prefix}{name}`: {}", first_sentence(path)).unwrap();
    }
}

fn map() -> String {
    let mut map = String::new();
    let crates = sorted(&top().join("crates")).into_iter().filter(|path| path.is_dir());
    for folder in crates.chain([top().join("xtask")]) {
        let name = folder.strip_prefix(top()).unwrap().display().to_string();
        writeln!(map, "\n### `{name}/src`\n").unwrap();
        lines(&folder.join("src"), "", &mut map);
        let commands = folder.join("src/command");
        if commands.exists() {
            lines(&commands, "command/", &mut map);
        }
    }
    map
}

#[test]
fn the_map_names_every_file_in_its_own_words() {
    let page = top().join("ARCHITECTURE.md");
    let text = fs::read_to_string(&page).unwrap();
    let (before, found) = text.split_once(MARK).unwrap();
    let expected = map();
    if std::env::var_os("FATHOM_RENEW_MAP").is_some() {
        fs::write(&page, format!("{before}{MARK}{expected}")).unwrap();
        return;
    }
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "FATHOM_RENEW_MAP=1 cargo test -p xtask --test code_map renews it");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// Every file and folder of ours, seen from the top, without what is built.
fn everything(folder: &Path, found: &mut BTreeSet<String>) {
    for path in sorted(folder) {
        let name = path.file_name().unwrap().to_str().unwrap_or_default();
        if matches!(name, "target" | ".git" | "node_modules") {
            continue;
        }
        found.insert(format!("/{}", path.strip_prefix(top()).unwrap().display()));
        // Thousands of small programs.
        let is_corpus = folder.ends_with("tests") && name.starts_with("corpus-");
        if path.is_dir() && !path.is_symlink() && !is_corpus {
            everything(&path, found);
        }
    }
}

#[test]
fn what_the_page_names_is_there() {
    let text = fs::read_to_string(top().join("ARCHITECTURE.md")).unwrap();
    let (page, _map) = text.split_once(MARK).unwrap();
    let mut all = BTreeSet::new();
    everything(top(), &mut all);
    let is_path = |word: &&str| {
        let ending = word.rsplit('.').next().unwrap_or_default();
        !word.contains([' ', '*', '@'])
            && !word.contains("NAME")
            && !word.starts_with(['.', '~'])
            && (word.ends_with('/') || matches!(ending, "rs" | "toml" | "md" | "json") && word.contains('.'))
    };
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_path).collect();
    assert!(named.len() > 100, "{named:?}");
    let is_there = |word: &str| {
        let end = format!("/{}", word.trim_end_matches('/'));
        all.iter().any(|path| path.ends_with(&end))
    };
    let missing: Vec<_> = named.into_iter().filter(|word| !is_there(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
