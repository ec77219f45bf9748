//! The map at the end of ARCHITECTURE.md names every file of the crates' and the drivers' sources, in the
//! words with which the file begins; `FATHOM_RENEW_MAP=1` writes it anew. Paths that stand elsewhere on
//! that page are there.

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

/// The comment with which a file begins, in any of the languages, without its marks.
fn beginning(text: &str) -> String {
    let text =
        if text.starts_with("#!/") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
    if let Some(rest) = text.strip_prefix("\"\"\"") {
        return rest.split("\"\"\"").next().unwrap_or_default().to_owned();
    }
    if let Some(rest) = text.strip_prefix("/*") {
        let comment = rest.split("*/").next().unwrap_or_default();
        return comment
            .lines()
            .map(|line| line.trim().trim_start_matches('*').trim())
            .collect::<Vec<_>>()
            .join("\n");
    }
    let uncommented =
        |line: &'_ str| Some(line.strip_prefix("//!").or_else(|| line.strip_prefix("//"))?.trim().to_owned());
    text.lines().map_while(uncommented).collect::<Vec<_>>().join("\n")
}

/// The first sentence of what a file says of itself; nothing where it says nothing.
fn first_sentence(path: &Path) -> String {
    let text = beginning(&fs::read_to_string(path).unwrap());
    let words = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let end = words.find(". ").map_or(words.len(), |end| end + 1);
    words[..end].trim_end_matches('.').to_owned()
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rs")
}

/// The types that a file of Rust's defines beside its modules, as somebody may search for them.
fn types(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let named = |line: &str| {
        let line = line
            .strip_prefix("pub ")
            .or_else(|| Some(line.strip_prefix("pub(")?.split_once(") ")?.1))
            .unwrap_or(line);
        let rest =
            ["struct ", "enum ", "trait ", "union "].iter().find_map(|word| line.strip_prefix(word))?;
        let name = rest.split(|letter: char| !letter.is_alphanumeric()).next()?;
        Some(format!("`{name}`"))
    };
    text.lines().filter(|_| is_rust(path)).filter_map(named).collect::<Vec<_>>().join(", ")
}

/// A line of each file of sources in a folder and its folders, below `prefix`.
fn lines(folder: &Path, prefix: &str, map: &mut String) {
    let is_source = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["rs", "c", "cpp", "go", "h", "hpp", "java", "mjs", "py", "zig"].contains(&ending)
    };
    let (folders, files): (Vec<_>, Vec<_>) = sorted(folder).into_iter().partition(|path| path.is_dir());
    for path in files.iter().filter(|path| is_source(path)) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == "lib.rs" || prefix.is_empty() && name == "main.rs" {
            continue;
        }
        let sentence = first_sentence(path);
        let is_ours = path.to_string_lossy().contains("/src/") && is_rust(path) && name != "tests.rs";
        assert!(!sentence.is_empty() || !is_ours, "{} does not say what it is", path.display());
        let said = if sentence.is_empty() { String::new() } else { format!(": {sentence}") };
        let types = types(path);
        let types = if types.is_empty() { types } else { format!(" ({types})") };
        writeln!(map, "- `{prefix}{name}`{said}{types}").unwrap();
    }
    for path in folders {
        let name = path.file_name().unwrap().to_str().unwrap();
        if !matches!(name, "target" | "fixtures" | "snapshots" | "node_modules") {
            lines(&path, &format!("{prefix}{name}/"), map);
        }
    }
}

fn map() -> String {
    let mut map = String::new();
    let crates = sorted(&top().join("crates")).into_iter().filter(|path| path.is_dir());
    let drivers = sorted(&top().join("drivers")).into_iter().filter(|path| path.is_dir());
    for folder in crates.chain([top().join("xtask")]).chain(drivers) {
        let name = folder.strip_prefix(top()).unwrap().display().to_string();
        let sources = Some(folder.join("src")).filter(|sources| sources.is_dir());
        let inside = if sources.is_some() { "/src" } else { "" };
        writeln!(map, "\n### `{name}{inside}`\n").unwrap();
        lines(sources.as_deref().unwrap_or(&folder), "", &mut map);
        if sources.is_some() && folder.join("tests").is_dir() {
            writeln!(map, "\n### `{name}/tests`\n").unwrap();
            lines(&folder.join("tests"), "", &mut map);
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
