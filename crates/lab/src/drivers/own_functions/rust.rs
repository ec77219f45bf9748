//! The functions of a user's Rust file. What each takes and returns is found out by the compiler
//! (`drivers/own/rust_own.rs`); here is found only what the file calls `pub fn`.

use super::kit::{Prepared, UserFile, files_of, replaced};
use super::leaked;
use super::rust_items::{Item, public_functions};
use crate::drivers::driver_source::{BuildSystem, DriverSource};
use std::fmt::Write as _;

/// The user's file as the compiler names it.
pub(super) const COPY: &str = "own_source.rs";

/// Bounds that the text of a path meets.
const PATH_BOUNDS: [&str; 5] = ["AsRef<Path>", "AsRef<OsStr>", "AsRef<str>", "Into<PathBuf>", "Into<String>"];

/// The native driver with the user's file as a crate of its own, of which the list names functions.
pub(super) fn rust(shipped: &DriverSource, user: UserFile<'_>) -> Prepared {
    let (mut list, mut rows) = (LIST_HEAD.to_owned(), String::new());
    let mut skipped = Vec::new();
    for item in public_functions(user.text).iter().filter(|item| item.name != "main") {
        let Some(call) = call_of(item) else {
            skipped.push((item.name.to_owned(), "has type parameters".to_owned()));
            continue;
        };
        let Item { name, conditions, .. } = item;
        for condition in conditions {
            writeln!(list, "    {condition}").expect("a String grows");
        }
        let misfit = misfit(item);
        writeln!(
            list,
            "    all.push(Own {{ name: \"{name}\", misfit: \"{misfit}\", reader: (&&&Wrap({call})).reader() }});"
        )
        .expect("a String grows");
        for condition in conditions {
            writeln!(rows, "    {condition}").expect("a String grows");
        }
        writeln!(rows, "    row(\"{name}\", WHOLE, \"{}\"),", plain(&item.signature()))
            .expect("a String grows");
    }
    list.push_str("    all\n}\n");
    let mut files = files_of(shipped);
    for (name, text) in &mut files {
        match name.as_str() {
            "lib.rs" => {
                *text =
                    replaced(text, "mod table;\n", "mod own;\nmod own_answer;\nmod own_list;\nmod table;\n");
            }
            "methods.rs" => {
                *text = replaced(text, UNAVAILABLE, &format!("{UNAVAILABLE}{ASK}"));
                *text = replaced(
                    text,
                    READ_WHOLE,
                    "(_, Operation::ReadWhole) => super::own::method(name, plan)?",
                );
            }
            "table.rs" => *text = with_rows(text, &rows),
            _ => {}
        }
    }
    let own = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    files.push(own("own.rs", include_str!("../../../../../drivers/own/rust_own.rs")));
    files.push(own("own_answer.rs", include_str!("../../../../../drivers/own/rust_answer.rs")));
    files.push(own("own_list.rs", &list));
    files.push(own(COPY, user.text));
    let mut source = leaked("own-rust", files, shipped);
    source.build_system = BuildSystem::OwnRust;
    (source, skipped)
}

const LIST_HEAD: &str = "//! Made for the file.\n\nuse super::own::{ByPath as _, ByText as _, Misfit as _, Own, Wrap};\n\n\
    pub(crate) fn list_functions() -> Vec<Own> {\n    let mut all = Vec::new();\n";
const UNAVAILABLE: &str = "pub(crate) fn unavailable(name: &str) -> Option<String> {\n";
const ASK: &str =
    "    if let Some(reason) = super::own::misfit(name) {\n        return Some(reason);\n    }\n";
const READ_WHOLE: &str = "(_, Operation::ReadWhole) => read_whole::method(name, plan)?";

/// The driver's table with `null` alone, and these rows.
fn with_rows(text: &str, rows: &str) -> String {
    const TABLE: &str = "pub(crate) const METHODS: &[Described] = &[\n";
    let begin = text.find(TABLE).map(|at| at + TABLE.len()).expect("a test of this file finds it");
    let end = begin + text[begin..].find("];\n").expect("a test of this file finds it");
    let null = text[begin..end].lines().find(|line| line.contains("row(\"null\""));
    let null = null.expect("a test of this file finds it");
    format!("{}{null}\n{rows}{}", &text[..begin], &text[end..])
}

/// How the list names a function: itself, or where a bound takes the text of a path, a call with it.
fn call_of(item: &Item<'_>) -> Option<String> {
    let Item { name, generics, parameters, bounds, .. } = item;
    let is_generic = generics.iter().any(|each| !each.starts_with('\''));
    let one = parameters.first().filter(|_| parameters.len() == 1);
    let is_opaque =
        one.is_some_and(|each| each.split_once(':').is_some_and(|(_, kind)| kind.trim().starts_with("impl")));
    if !is_generic && !is_opaque {
        return Some(format!("own_functions::{name}"));
    }
    let written: String = [generics.join(","), parameters.join(","), (*bounds).to_owned()]
        .concat()
        .split_whitespace()
        .collect();
    let written = written.replace("std::path::", "").replace("std::ffi::", "").replace("path::", "");
    let kinds = generics.iter().filter(|each| !each.starts_with('\'')).count();
    let takes_text = PATH_BOUNDS.iter().any(|bound| written.contains(bound));
    (one.is_some() && kinds <= 1 && takes_text && !item.is_unsafe())
        .then(|| format!("|path: &str| own_functions::{name}(path)"))
}

/// Why it is no method, if the compiler finds that it is none.
fn misfit(item: &Item<'_>) -> String {
    let kind = |text: &str| text.split_once(':').map_or(text, |(_, kind)| kind).trim().to_owned();
    let reason = match item.parameters.as_slice() {
        _ if item.is_unsafe() => "is unsafe".to_owned(),
        _ if item.qualifiers.contains("async") => "is async".to_owned(),
        [one] => format!("takes {} and returns {}", kind(one), item.result),
        all => format!("takes {} arguments", all.len()),
    };
    plain(&reason)
}

/// Text that stands in a literal of Rust's and of JSON's as it is.
fn plain(text: &str) -> String {
    let visible = |c: char| match c {
        '"' | '\\' => '\'',
        ' '..='~' => c,
        _ => '?',
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drivers::driver_source::SHIPPED;

    const FILE: &str = "use std::path::Path;\n\
        pub fn text(path: &str) -> Vec<u8> { vec![] }\n\
        #[cfg(unix)]\npub fn generic<P: AsRef<Path>>(path: P) -> std::io::Result<String> { todo!() }\n\
        pub fn opaque(path: impl AsRef<std::path::Path>) -> usize { 0 }\n\
        pub fn many<T: Clone>(all: &[T]) -> usize { 0 }\n\
        pub fn two(a: &str, b: &[(u8, u8)]) -> usize { 0 }\n\
        fn main() {}\n";

    #[test]
    fn the_native_driver_takes_the_list_and_keeps_null() {
        let native = SHIPPED.iter().find(|source| source.name == "native").unwrap();
        let user = UserFile { name: "ways.rs", place: "/w/ways.rs", text: FILE };
        let (source, skipped) = rust(native, user);
        let text = |name| source.files.iter().find(|(known, _)| *known == name).unwrap().1;
        assert!(text("own_list.rs").contains("(&&&Wrap(own_functions::text)).reader()"));
        assert!(text("own_list.rs").contains("#[cfg(unix)]\n    all.push(Own { name: \"generic\""));
        assert!(text("own_list.rs").contains("|path: &str| own_functions::opaque(path)"));
        assert!(text("own_list.rs").contains("name: \"two\", misfit: \"takes 2 arguments\""));
        assert_eq!(skipped, [("many".to_owned(), "has type parameters".to_owned())]);
        assert_eq!(text("table.rs").matches("    row(\"").count(), 5, "null and four functions");
        assert!(
            text("methods.rs").contains("super::own::method") && text("lib.rs").contains("mod own_list;")
        );
    }
}
