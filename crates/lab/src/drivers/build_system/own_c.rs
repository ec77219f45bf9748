//! The functions of a user's C file, as the compiler itself lists them (`-aux-info` of GCC).

use super::{Failure, SKIPPED};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Types of results that count, as the compiler writes them.
const COUNTS: [&str; 14] = [
    "size_t",
    "ssize_t",
    "off_t",
    "int",
    "long int",
    "long long int",
    "unsigned int",
    "long unsigned int",
    "long long unsigned int",
    "int32_t",
    "int64_t",
    "uint32_t",
    "uint64_t",
    "ptrdiff_t",
];

/// A function that the file defines.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    result: String,
    arguments: String,
}

/// Writes what the C++ kit includes of the functions that the compiler listed in `work`.
pub(crate) fn list_c_functions(work: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure {
        command: "list functions".to_owned(),
        output: format!("the C compiler lists no functions (-aux-info, which GCC has): {error}"),
    };
    let listed = fs::read_to_string(work.join("own.prototypes")).map_err(failed)?;
    let source = fs::read_to_string(work.join("own.c")).map_err(failed)?;
    let place = source.split('"').nth(1).unwrap_or_default();
    let (mut header, mut list, mut skipped) = (
        "#include <stddef.h>\n#include <stdint.h>\n#include <sys/types.h>\n#include \"own.hpp\"\nextern \"C\" {\n"
            .to_owned(),
        String::new(),
        String::new(),
    );
    for function in functions(&listed, place) {
        let Function { name, result, arguments } = &function;
        let written = match misfit(&function) {
            Some(why) => writeln!(skipped, "{name}\t{why}"),
            None => writeln!(header, "{result} {name}({arguments});").and_then(|()| {
                writeln!(
                    list,
                    "{{.name = \"{name}\", .does = \"{result} {name}({arguments})\", .read_whole = own::maker<&::{name}>()}},"
                )
            }),
        };
        written.expect("a String grows");
    }
    header.push_str("}\n");
    fs::write(work.join("own_list.hpp"), header).map_err(failed)?;
    fs::write(work.join("own_list.inc"), list).map_err(failed)?;
    fs::write(work.join(SKIPPED), skipped).map_err(failed)
}

/// Those that the file at `place` defines and others may call, but for its `main`.
fn functions(listed: &str, place: &str) -> Vec<Function> {
    let of_line = |line: &str| {
        let (at, prototype) = line.strip_prefix("/* ")?.split_once(" */ ")?;
        let (file, kind) = at.rsplit_once(':')?;
        let file = file.rsplit_once(':')?.0;
        let declared = prototype.split_once(';')?.0.strip_prefix("extern ")?;
        let (head, arguments) = declared.split_once('(')?;
        let head = head.trim_end();
        let name = head.rsplit([' ', '*']).next()?;
        let result = head.strip_suffix(name)?.trim().to_owned();
        let arguments = arguments.strip_suffix(')')?.to_owned();
        let is_own = file == place && kind.ends_with('F') && name != "own_main";
        is_own.then(|| Function { name: name.to_owned(), result, arguments })
    };
    listed.lines().filter_map(of_line).collect()
}

fn misfit(function: &Function) -> Option<String> {
    let Function { result, arguments, .. } = function;
    let count = if arguments == "void" { 0 } else { arguments.split(',').count() };
    let kind: String = arguments.split('*').next().unwrap_or_default().split_whitespace().collect();
    let is_path = arguments.matches('*').count() == 1 && (kind == "constchar" || kind == "char");
    if count != 1 {
        Some(format!("takes {count} arguments"))
    } else if !is_path {
        Some(format!("takes {arguments}"))
    } else if COUNTS.contains(&result.as_str()) {
        None
    } else {
        Some(format!("returns {result}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_that_the_file_itself_defines() {
        let listed = "/* compiled from: . */\n\
            /* /usr/include/stdio.h:270:NC */ extern FILE *fopen (const char *, const char *);\n\
            /* /w/a.c:3:NF */ static int helper (int a); /* (a) int a; */\n\
            /* /w/a.c:4:NF */ extern size_t slurp (const char *path); /* (path) const char *path; */\n\
            /* /w/a.c:5:NF */ extern char *text (const char *p, int b); /* (p, b) const char *p; int b; */\n\
            /* /w/a.c:6:NF */ extern int own_main (void); /* () */\n";
        let found = functions(listed, "/w/a.c");
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[0].name.as_str(), misfit(&found[0])), ("slurp", None));
        assert_eq!(misfit(&found[1]).as_deref(), Some("takes 2 arguments"));
        let text = Function { name: "t".into(), result: "char *".into(), arguments: "const char *p".into() };
        assert_eq!(misfit(&text).as_deref(), Some("returns char *"));
    }
}
