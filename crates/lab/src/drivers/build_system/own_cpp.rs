//! The functions of a user's C++ file: those whose symbols the compiled file has for others. What
//! they take and return is found out by the compiler (`drivers/own/cpp_own.hpp`).

use super::{Failure, SKIPPED};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The user's file, which is no source of the driver's own by its ending.
pub(crate) const COPY: &str = "own_user.cc";
/// What it is compiled to, to be looked at.
pub(crate) const OBJECT: &str = "own_user.o";

/// Writes what the C++ kit includes of the functions whose symbols `work` has.
pub(crate) fn list_cpp_functions(work: &Path) -> Result<(), Failure> {
    let failed = |command: &str, output: String| Failure { command: command.to_owned(), output };
    let mut nm = Command::new("nm");
    nm.args(["-C", "--defined-only", OBJECT]).current_dir(work);
    let listed = nm
        .output()
        .map_err(|error| failed("nm", format!("nm, of binutils, lists the functions: {error}")))?;
    if !listed.status.success() {
        return Err(failed("nm", String::from_utf8_lossy(&listed.stderr).into_owned()));
    }
    let io = |error: std::io::Error| failed("list functions", error.to_string());
    let source = fs::read_to_string(work.join(COPY)).map_err(io)?;
    let found = functions(&String::from_utf8_lossy(&listed.stdout));
    let (mut skipped, mut header, mut list, mut code) = (
        String::new(),
        "#pragma once\n#include \"task.hpp\"\nnamespace driver::own {\n".to_owned(),
        String::new(),
        format!(
            "#include \"own.hpp\"\n#include \"own_list.hpp\"\n#define main own_main\n#include \"{COPY}\"\n#undef main\n\
             #line 7 \"own_list.cpp\"\nnamespace driver::own {{\n"
        ),
    );
    for (number, (name, overloads)) in found.iter().enumerate() {
        let function = function(name, overloads.first().and_then(Option::as_deref));
        let written = match misfit(name, overloads, &source) {
            Some(why) => writeln!(skipped, "{name}\t{why}"),
            None => write!(header, "std::unique_ptr<Task> make_{number}(const Plan&);\nextern const char* const misfit_{number};\n")
                .and_then(|()| {
                    write!(
                        code,
                        "std::unique_ptr<Task> make_{number}(const Plan& plan) {{ return maker<{function}>()(plan); }}\n\
                         const char* const misfit_{number} = Own<{function}>::misfit;\n"
                    )
                })
                .and_then(|()| {
                    writeln!(
                        list,
                        "{{.name = \"{name}\", .does = \"{name}({})\", .unavailable = own::misfit_{number}, .read_whole = own::make_{number}}},",
                        short(overloads[0].as_deref().unwrap_or("path"))
                    )
                }),
        };
        written.expect("a String grows");
    }
    header.push_str("}\n");
    code.push_str("}\n");
    for (name, text) in
        [("own_list.hpp", header), ("own_list.cpp", code), ("own_list.inc", list), (SKIPPED, skipped)]
    {
        fs::write(work.join(name), text).map_err(io)?;
    }
    Ok(())
}

/// The function for the compiler: by its arguments too, as the C library may have one of its name (`read`).
fn function(name: &str, arguments: Option<&str>) -> String {
    match arguments.filter(|arguments| !arguments.is_empty() && commas(arguments) == 0) {
        Some(arguments) => format!("taking<{arguments}>(&::{name})"),
        None => format!("&::{name}"),
    }
}

/// The arguments of each function by its name; those of a C function have none in its symbol.
fn functions(listed: &str) -> BTreeMap<String, Vec<Option<String>>> {
    let mut found: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for line in listed.lines() {
        let Some((_, symbol)) = line.split_once(" T ") else { continue };
        let (name, arguments) = match symbol.split_once('(') {
            Some((name, arguments)) => {
                (name, arguments.rsplit_once(')').map(|(arguments, _)| arguments.to_owned()))
            }
            None => (symbol, None),
        };
        // What returns a std::string is tagged with the form that strings have.
        let name = name.split("[abi:").next().unwrap_or(name);
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        if name != "own_main" && name != "main" && name.chars().all(is_name) && !name.contains("operator") {
            found.entry(name.to_owned()).or_default().push(arguments);
        }
    }
    found
}

fn misfit(name: &str, overloads: &[Option<String>], source: &str) -> Option<String> {
    let [arguments] = overloads else { return Some("is overloaded".to_owned()) };
    let (scope, _) = name.rsplit_once("::").unwrap_or_default();
    let words: Vec<&str> = source
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
        .filter(|w| !w.is_empty())
        .collect();
    let is_space = |part: &str| words.windows(2).any(|pair| pair[0] == "namespace" && pair[1] == part);
    if !scope.is_empty() && !is_space(scope) && !scope.split("::").all(is_space) {
        return Some(format!("is a member of {scope}"));
    }
    let arguments = arguments.as_deref()?;
    let count = if arguments.is_empty() { 0 } else { commas(arguments) + 1 };
    (count != 1).then(|| format!("takes {count} arguments"))
}

/// Commas outside angle brackets and parentheses.
fn commas(arguments: &str) -> usize {
    let mut depth = 0_i32;
    let outside = arguments.chars().filter(|c| {
        depth += i32::from("<(".contains(*c)) - i32::from(">)".contains(*c));
        *c == ',' && depth == 0
    });
    outside.count()
}

/// Types of the standard library by the names that people write.
fn short(arguments: &str) -> String {
    let text = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
    let view = "std::basic_string_view<char, std::char_traits<char> >";
    let known = arguments.replace(text, "std::string").replace(view, "std::string_view");
    known.replace("filesystem::__cxx11::", "filesystem::")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &str = "0000000000000170 T two(char const*, std::vector<int, std::allocator<int> >)\n\
        00000000000001a0 T over(char const*)\n00000000000001b0 T over(int)\n0000000000000000 T view(std::basic_string_view<char, std::char_traits<char> >)\n\
        00000000000001b0 t local(char const*)\n00000000000001b0 T own_main(int, char**)\n0000000000000000 T ways::fast::inside(std::filesystem::__cxx11::path)\n\
        0000000000000010 T Reader::read(char const*)\n0000000000000000 W std::ctype<char>::do_widen(char) const\n0000000000000b90 T plain\n\
        0000000000000b90 T Reader::operator()(char const*)\n\
        0000000000000c00 T text[abi:cxx11](char const*)\n";

    #[test]
    fn symbols_become_functions_with_the_reasons_why_some_are_no_methods() {
        let source = "namespace ways::fast { std::string inside(path p); } // namespace\nstruct Reader {};";
        let found = functions(LISTED);
        let reasons: Vec<(&str, Option<String>)> =
            found.iter().map(|(name, all)| (name.as_str(), misfit(name, all, source))).collect();
        let expected = [
            ("Reader::read", Some("is a member of Reader")),
            ("over", Some("is overloaded")),
            ("plain", None),
            ("text", None),
            ("two", Some("takes 2 arguments")),
            ("view", None),
            ("ways::fast::inside", None),
        ];
        let expected: Vec<_> = expected.map(|(name, why)| (name, why.map(str::to_owned))).to_vec();
        assert_eq!(reasons, expected);
        assert_eq!(function("text", found["text"][0].as_deref()), "taking<char const*>(&::text)");
        assert_eq!(function("plain", found["plain"][0].as_deref()), "&::plain");
        assert_eq!(short(found["view"][0].as_deref().unwrap()), "std::string_view");
    }
}
