//! Names that budgets use: the kernel's calls of the file path, and families of them.

use fathom_events::{CallName, call_families};
use std::iter::once;

/// Names that headers have for calls that strace, and so Fathom, calls otherwise.
const ALIASES: [(&str, &str); 1] = [("fstatat", "newfstatat")];

/// The calls of a family.
pub(super) fn calls_of(family: &str) -> Option<Vec<CallName>> {
    call_families().find(|(name, _)| *name == family).map(|(_, calls)| calls.collect())
}

/// The call of this name, by a word that lives on.
pub(super) fn call_named(name: &str) -> Option<CallName> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    call_families().flat_map(|(_, calls)| calls).find(|call| *call == name)
}

/// Every family and every call.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    call_families().flat_map(|(family, calls)| once(family).chain(calls))
}
