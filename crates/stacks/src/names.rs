//! The names of places in files: function, source, line, and the functions that were
//! inlined there.

use blazesym::symbolize::source::{Elf, Source};
use blazesym::symbolize::{CodeInfo, Input, Sym, Symbolized, Symbolizer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A frame of a stack, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeFrame {
    /// The function, as its language writes it.
    pub function: Option<String>,
    /// The source's file.
    pub file: Option<String>,
    /// The line of it, from 1.
    pub line: Option<u32>,
    /// The program or shared object.
    pub module: Option<String>,
    /// Where in it, by the file's own addresses.
    pub address: Option<u64>,
    /// The process made the code itself.
    pub made_at_run_time: bool,
}

/// Finds names, each once.
#[derive(Debug)]
pub struct Names {
    symbolizer: Symbolizer,
    known: HashMap<(PathBuf, u64), Vec<CodeFrame>>,
}

impl Default for Names {
    fn default() -> Self {
        Self::new()
    }
}

impl Names {
    /// One that knows none yet.
    pub fn new() -> Self {
        // The symbolizer takes names of C for C++: `a` for `signed char`.
        let symbolizer = Symbolizer::builder().enable_demangling(false).build();
        Self { symbolizer, known: HashMap::new() }
    }

    /// The frames at an address of a file, as one that was inlined stands before the one
    /// that holds it. The file is read at `readable` and shown as `path`.
    pub fn of_file(&mut self, path: &Path, readable: &Path, address: u64) -> &[CodeFrame] {
        let symbolizer = &self.symbolizer;
        self.known.entry((path.to_owned(), address)).or_insert_with(|| {
            let module = path.to_string_lossy();
            // A log may name anything, and to open a pipe would be to wait.
            if !readable.is_file() {
                return vec![CodeFrame::in_module(&module, address)];
            }
            let of_debugging = symbol(symbolizer, readable, address, true);
            let of_symbols = symbol(symbolizer, readable, address, false);
            match (of_debugging, of_symbols) {
                (Some(mut symbol), bare) => {
                    if let Some(bare) = bare.filter(|bare| is_path_of(&bare.name, &symbol.name)) {
                        symbol.name = bare.name;
                    }
                    frames(&symbol, &module, address)
                }
                // Unreadable debug information must not take the symbols along.
                (None, Some(symbol)) => frames(&symbol, &module, address),
                (None, None) => vec![CodeFrame::in_module(&module, address)],
            }
        })
    }
}

impl CodeFrame {
    /// One of which nothing else is known.
    pub(crate) fn in_module(module: &str, address: u64) -> Self {
        Self { module: Some(module.to_owned()), address: Some(address), ..Self::default() }
    }
}

/// Rust's line tables name a function without its module, which the symbol has.
fn is_path_of(symbol: &str, name: &str) -> bool {
    symbol.contains("::") && !name.contains("::")
}

fn symbol(symbolizer: &Symbolizer, path: &Path, address: u64, debug_syms: bool) -> Option<Sym<'static>> {
    let source = Source::Elf(Elf { debug_syms, ..Elf::new(path) });
    match symbolizer.symbolize_single(&source, Input::VirtOffset(address)).ok()? {
        Symbolized::Sym(symbol) => {
            let mut symbol = symbol.into_owned();
            symbol.name = demangled(symbol.name);
            for inlined in &mut symbol.inlined {
                inlined.name = demangled(std::mem::take(&mut inlined.name));
            }
            Some(symbol)
        }
        Symbolized::Unknown(_) => None,
    }
}

/// A name as Rust or C++ writes it; what is not mangled stays.
fn demangled(name: Cow<'_, str>) -> Cow<'_, str> {
    if let Ok(name) = rustc_demangle::try_demangle(&name) {
        return format!("{name:#}").into();
    }
    if !name.starts_with("_Z") {
        return name;
    }
    let symbol = cpp_demangle::Symbol::new(&*name).ok();
    symbol.and_then(|symbol| symbol.demangle().ok()).map_or(name, Cow::Owned)
}

fn frames(symbol: &Sym<'_>, module: &str, address: u64) -> Vec<CodeFrame> {
    let frame = |name: &str, code: Option<&CodeInfo<'_>>| CodeFrame {
        function: Some(name.to_owned()),
        file: code.map(|code| code.to_path().to_string_lossy().into_owned()),
        line: code.and_then(|code| code.line),
        ..CodeFrame::in_module(module, address)
    };
    let inlined = symbol.inlined.iter().rev().map(|inlined| frame(&inlined.name, inlined.code_info.as_ref()));
    inlined.chain([frame(&symbol.name, symbol.code_info.as_deref())]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_their_language_writes_them() {
        for (symbol, name) in [
            ("a", "a"),
            ("main", "main"),
            ("f", "f"),
            ("_Z4loadPKc", "load(char const*)"),
            ("_Zebra", "_Zebra"),
            ("_ZN3std2io4Read11read_to_end17h85c1d5e9f6bf3b8eE", "std::io::Read::read_to_end"),
            ("_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function"),
        ] {
            assert_eq!(demangled(symbol.into()), name);
        }
    }
}
