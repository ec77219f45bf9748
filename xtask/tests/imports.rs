//! Modules of a crate import downward: no two modules need each other but parent and child
//! (ARCHITECTURE.md). What order they have follows from the imports themselves.

#![expect(clippy::unwrap_used, reason = "a test")]

#[path = "imports/graph.rs"]
mod graph;

use graph::{Imports, circles};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The root files of our crates, by the names of their folders. A driver is a program of its own,
/// a table of methods whose files stand for themselves.
fn roots() -> Vec<(String, PathBuf)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let crates = fs::read_dir(top.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let folders = crates.filter(|path| path.is_dir()).chain([top.join("xtask")]);
    let root = |folder: PathBuf| {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let files = ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file));
        (name, files.into_iter().find(|file| file.exists()).unwrap())
    };
    let mut roots: Vec<_> = folders.map(root).collect();
    roots.sort();
    roots
}

fn circles_of(root: &Path) -> String {
    let imports = Imports::of_crate(root).between_files();
    let mut text = String::new();
    for circle in circles(&imports) {
        text.push_str("a circle:\n");
        for import in circle {
            let (user, used) = (import.user.join("::"), import.used.join("::"));
            writeln!(text, "    {user} takes {} from {used}", import.name).unwrap();
        }
    }
    text
}

#[test]
fn modules_make_no_circle_but_parent_and_child() {
    let roots = roots();
    assert!(roots.len() > 15, "{roots:?}");
    let found: Vec<_> = roots
        .iter()
        .map(|(name, root)| (name, circles_of(root)))
        .filter(|(_, circles)| !circles.is_empty())
        .map(|(name, circles)| format!("{name}: {circles}"))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_root_of_report_and_of_lab_is_imported_by_none() {
    for (name, root) in roots().into_iter().filter(|(name, _)| name == "report" || name == "lab") {
        let imports = Imports::of_crate(&root).between_files();
        assert!(imports.len() > 1000, "{name}: {} imports", imports.len());
        let of_root: Vec<_> = imports.iter().filter(|import| import.used.is_empty()).collect();
        assert!(of_root.is_empty(), "{name}: {of_root:?}");
    }
}

/// The floor of each room, as the first page of a crate lists them: `//! 2. `name`: …`.
fn listed_floors(text: &str) -> BTreeMap<&str, usize> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//! ")?.split_once(". "));
    let floors = lines.filter_map(|(number, rest)| Some((number.parse().ok()?, rest.split(':').next()?)));
    floors
        .flat_map(|(floor, names)| names.split('`').skip(1).step_by(2).map(move |name| (name, floor)))
        .collect()
}

#[test]
fn rooms_of_lab_import_downward_in_the_order_that_its_first_page_lists() {
    let (_, root) = roots().into_iter().find(|(name, _)| name == "lab").unwrap();
    let text = fs::read_to_string(&root).unwrap();
    let floors = listed_floors(&text);
    assert!(floors.len() > 8, "{floors:?}");
    for import in Imports::of_crate(&root).between_files() {
        let (Some(user), Some(used)) = (import.user.first(), import.used.first()) else { continue };
        let [above, below] = [user, used]
            .map(|room| floors.get(room.as_str()).unwrap_or_else(|| panic!("{room} is not listed")));
        assert!(user == used || above > below, "{import:?}");
    }
}

/// A crate of these files, each with its path below `src`.
fn circles_among(files: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    circles_of(&folder.path().join("lib.rs"))
}

const ROOT: (&str, &str) = ("lib.rs", "mod low; mod high; pub use high::Page;");
const HIGH: (&str, &str) = ("high.rs", "use crate::low::Unit;\npub struct Page(Unit);\npub fn write() {}");

#[test]
fn imports_downward_and_between_parent_and_child_are_none() {
    let low = ("low.rs", "mod child;\npub struct Unit;\nfn of() { child::make(); }");
    let child = ("low/child.rs", "use super::Unit;\npub fn make() -> Unit { Unit }");
    assert_eq!(circles_among(&[ROOT, HIGH, low, child]), "");
}

#[test]
fn an_import_upward_is_a_circle_however_it_is_written() {
    for low in [
        "use crate::high::write;\npub struct Unit;",
        "use super::high::{self as top};\npub struct Unit;",
        "pub struct Unit;\nfn of() { crate::high::write(); }",
        "pub struct Unit;\nfn of() { println!(\"{:?}\", crate::high::write()); }",
        // The root hands on what is defined in `high`.
        "use crate::Page;\npub struct Unit;",
        "pub struct Unit;\nmod inner { fn of() { super::super::high::write(); } }",
    ] {
        let found = circles_among(&[ROOT, HIGH, ("low.rs", low)]);
        assert!(found.contains("high takes crate::low::Unit from low"), "{low}: {found}");
        assert!(found.contains("low takes"), "{low}: {found}");
    }
}

#[test]
fn a_child_of_a_lower_module_is_as_low_as_its_parent() {
    let low = ("low.rs", "mod child;\npub struct Unit;");
    let child = ("low/child.rs", "use crate::high::write;");
    let found = circles_among(&[ROOT, HIGH, low, child]);
    assert!(found.contains("low::child takes crate::high::write from high"), "{found}");
}

#[test]
fn what_tests_import_does_not_count() {
    let low = ("low.rs", "pub struct Unit;\n#[cfg(test)]\nmod tests { use crate::high::write; }");
    assert_eq!(circles_among(&[ROOT, HIGH, low]), "");
}
