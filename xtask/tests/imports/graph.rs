//! The import graph of a crate, read from its sources: which module takes names
//! from which. Tests' own code does not count.

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::{Item, UseTree};

/// A module's path below the root of its crate; the root's is empty.
pub(crate) type Module = Vec<String>;

/// A path as it is written, its first segment `crate`, `self`, `super` or a name.
type Written = Vec<String>;

/// What a module's source says.
#[derive(Default)]
struct Source {
    /// Whether it stands inside another module's file.
    is_inline: bool,
    /// Names that it imports, with what they stand for.
    imported: BTreeMap<String, Written>,
    /// Modules whose names it imports all.
    globs: Vec<Written>,
    /// Names that it defines.
    defined: BTreeSet<String>,
    /// All paths in its code.
    paths: BTreeSet<Written>,
}

/// One module takes names from another one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
pub(crate) struct Import {
    pub(crate) user: Module,
    pub(crate) used: Module,
    pub(crate) name: String,
}

/// The modules of a crate and what they import from each other.
#[derive(Default)]
pub(crate) struct Imports {
    sources: BTreeMap<Module, Source>,
}

impl Imports {
    /// Reads the crate whose root file is `root`, and all of its modules.
    pub(crate) fn of_crate(root: &Path) -> Imports {
        let mut imports = Imports::default();
        let folder = root.parent().expect("a file is in a folder");
        imports.read_file(&Module::new(), root, folder);
        imports
    }

    fn read_file(&mut self, module: &Module, file: &Path, children: &Path) {
        let text =
            std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.read_items(module, parsed.items, children, false);
    }

    fn read_items(&mut self, module: &Module, items: Vec<Item>, children: &Path, is_inline: bool) {
        let mut source = Source { is_inline, ..Source::default() };
        for item in items {
            if attributes(&item).iter().any(is_for_tests) {
                continue;
            }
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let child: Module = module.iter().cloned().chain([name.clone()]).collect();
                    let folder = children.join(&name);
                    if let Some((_, items)) = inner.content {
                        self.read_items(&child, items, &folder, true);
                    } else {
                        let file = children.join(format!("{name}.rs"));
                        let file = if file.exists() { file } else { folder.join("mod.rs") };
                        self.read_file(&child, &file, &folder);
                    }
                    continue;
                }
                Item::Use(ref import) => note_use(&import.tree, &mut Vec::new(), &mut source),
                ref other => source.defined.extend(name_of(other)),
            }
            note_paths(item.to_token_stream(), &mut source.paths);
        }
        self.sources.insert(module.clone(), source);
    }

    /// Whose code defines what `path`, as it is written in `module`, stands for;
    /// `None` where that is another crate's.
    fn resolve(&self, module: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut at = module.clone();
        let mut rest = path;
        let is_anchored = matches!(rest.first().map(String::as_str), Some("crate" | "self" | "super"));
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => at = Module::new(),
                "self" => {}
                "super" => {
                    at.pop();
                }
                _ => break,
            }
            rest = others;
        }
        for (index, segment) in rest.iter().enumerate() {
            at.push(segment.clone());
            if self.sources.contains_key(&at) {
                continue;
            }
            at.pop();
            let source = &self.sources[&at];
            if depth == 0 {
                return Some(at);
            }
            if let Some(target) = source.imported.get(segment) {
                // `use crate::a;` and `a::B` beside it: what follows the name goes on behind the import.
                let whole: Written = target.iter().chain(&rest[index + 1..]).cloned().collect();
                return self.resolve(&at, &whole, depth - 1);
            }
            if !source.defined.contains(segment) {
                for glob in &source.globs {
                    let found = self.resolve(&at, glob, depth - 1);
                    if let Some(found) = found.filter(|found| self.sources[found].defined.contains(segment)) {
                        return Some(found);
                    }
                }
                if index == 0 && !is_anchored {
                    return None;
                }
            }
            return Some(at);
        }
        Some(at)
    }

    /// The module in whose file `module` stands.
    fn file_of(&self, module: &Module) -> Module {
        let mut module = module.clone();
        while self.sources[&module].is_inline {
            module.pop();
        }
        module
    }

    /// What files of the crate import from each other, each with the name behind it.
    pub(crate) fn between_files(&self) -> BTreeSet<Import> {
        let mut found = BTreeSet::new();
        for (module, source) in &self.sources {
            for path in &source.paths {
                let Some(used) = self.resolve(module, path, 8) else { continue };
                let (user, used) = (self.file_of(module), self.file_of(&used));
                if user != used {
                    found.insert(Import { user, used, name: path.join("::") });
                }
            }
        }
        found
    }
}

/// The circles among modules that are children of one parent, each child with all
/// that is below it: in each, every one reaches every other one by imports.
/// What a parent and its own children take from each other is left out, so that
/// two files that import each other otherwise are always in such a circle.
/// An import to each of the circle's own arrows says why.
pub(crate) fn circles(imports: &BTreeSet<Import>) -> Vec<Vec<&Import>> {
    let mut families: BTreeMap<&[String], Vec<(&str, &str, &Import)>> = BTreeMap::new();
    for import in imports {
        let common = import.user.iter().zip(&import.used).take_while(|(user, used)| user == used).count();
        if let (Some(user), Some(used)) = (import.user.get(common), import.used.get(common)) {
            families.entry(&import.user[..common]).or_default().push((user, used, import));
        }
    }
    let mut circles = Vec::new();
    for arrows in families.values() {
        let graph: DiGraphMap<&str, ()> =
            DiGraphMap::from_edges(arrows.iter().map(|&(user, used, _)| (user, used)));
        for circle in tarjan_scc(&graph).iter().filter(|circle| circle.len() > 1) {
            let inside =
                arrows.iter().filter(|(user, used, _)| circle.contains(user) && circle.contains(used));
            circles.push(inside.map(|&(_, _, import)| import).collect());
        }
    }
    circles
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("test")
        || attribute.path().is_ident("cfg") && attribute.to_token_stream().to_string() == "# [cfg (test)]"
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}

fn note_use(tree: &UseTree, before: &mut Written, source: &mut Source) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            note_use(&path.tree, before, source);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| note_use(tree, before, source)),
        UseTree::Glob(_) => source.globs.push(before.clone()),
        UseTree::Name(name) => note_name(&name.ident.to_string(), &name.ident.to_string(), before, source),
        UseTree::Rename(rename) => {
            note_name(&rename.ident.to_string(), &rename.rename.to_string(), before, source);
        }
    }
}

fn note_name(name: &str, as_name: &str, before: &Written, source: &mut Source) {
    let (as_name, mut path) = (as_name.to_owned(), before.clone());
    if name != "self" {
        path.push(name.to_owned());
    }
    let as_name = if as_name == "self" { path.last().cloned().unwrap_or_default() } else { as_name };
    // `use a::b as a` and `use a;` would lead back to themselves.
    if path.first() != Some(&as_name) {
        source.imported.insert(as_name, path);
    }
}

/// All paths of more than one segment, in code and in what is given to macros.
fn note_paths(tokens: TokenStream, paths: &mut BTreeSet<Written>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(_) if !follows_a_dot_or_path(&tokens, at) => {
                at = note_path(&tokens, at, &[], paths);
            }
            TokenTree::Group(group) => {
                note_paths(group.stream(), paths);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn follows_a_dot_or_path(tokens: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let two_before = at.checked_sub(2).and_then(|at| tokens.get(at));
    is_punct(before, '.') && !is_punct(two_before, '.') || is_punct(before, ':') && is_punct(two_before, ':')
}

/// Reads the path that starts at `at`, below the segments `before` it; where what
/// follows it starts.
fn note_path(tokens: &[TokenTree], mut at: usize, before: &[String], paths: &mut BTreeSet<Written>) -> usize {
    let mut path = before.to_vec();
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        path.push(name.to_string());
        at += 1;
        if !(is_punct(tokens.get(at), ':') && is_punct(tokens.get(at + 1), ':')) {
            break;
        }
        at += 2;
        if let Some(TokenTree::Group(group)) = tokens.get(at)
            && group.delimiter() == Delimiter::Brace
        {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            for tree in inner.split(|token| is_punct(Some(token), ',')) {
                note_path(tree, 0, &path, paths);
            }
            return at + 1;
        }
    }
    if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
        path.pop();
    }
    if path.len() > 1 {
        paths.insert(path);
    }
    at
}
