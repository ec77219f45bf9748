//! Stacks of a source with names and owners: of a trace's own, and of those that strace
//! wrote, whose programs are asked for what it left out.

use fathom_audit::{CodeOwners, Frame, Owner};
use fathom_events::{KeptStack, StackId};
use fathom_stacks::{CodeFrame, Names, StackTable};
use fathom_trace::StackFrame;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// The stacks that events have numbers of.
#[derive(Debug, Clone)]
pub(in crate::command) enum Stacks {
    /// With their names.
    Kept(Vec<KeptStack<Frame>>),
    /// Of a trace, whose names are looked up for those that are asked for: that takes long.
    Traced(Arc<StackTable>),
}

impl Default for Stacks {
    fn default() -> Self {
        Self::Kept(Vec::new())
    }
}

impl Stacks {
    /// Tells the frames of a number, the innermost first.
    pub(in crate::command) fn into_explain(self) -> Box<dyn FnMut(u32) -> Vec<Frame>> {
        match self {
            Self::Kept(stacks) => {
                let stacks: HashMap<u32, Vec<Frame>> =
                    stacks.into_iter().map(|stack| (stack.number, stack.frames)).collect();
                Box::new(move |number| stacks.get(&number).cloned().unwrap_or_default())
            }
            Self::Traced(table) => {
                let (owners, mut names) = (CodeOwners::load(), Names::new());
                Box::new(move |number| {
                    let frames = table.frames(StackId(number), &mut names).into_iter();
                    with_start(frames.map(|code| owned(code, &owners)).collect())
                })
            }
        }
    }

    /// All of them with their names.
    pub(in crate::command) fn into_kept(self) -> Vec<KeptStack<Frame>> {
        match self {
            Self::Kept(stacks) => stacks,
            Self::Traced(table) => {
                let numbers = u32::try_from(table.len()).unwrap_or(u32::MAX);
                let mut explain = Self::Traced(table).into_explain();
                (0..numbers).map(|number| KeptStack { number, frames: explain(number) }).collect()
            }
        }
    }
}

/// Every stack of a log of strace's, of which there are so many.
pub(super) fn of_log(
    stacks: u32,
    mut frames: impl FnMut(StackId) -> Vec<StackFrame>,
) -> Vec<KeptStack<Frame>> {
    let owners = CodeOwners::load();
    let mut names = Names::new();
    let mut named = |number: u32| {
        let frames = frames(StackId(number)).into_iter().enumerate();
        frames.flat_map(|(place, frame)| of_strace(frame, place > 0, &owners, &mut names)).collect()
    };
    (0..stacks).map(|number| KeptStack { number, frames: with_start(named(number)) }).collect()
}

/// A frame as strace tells it, with source and inlined calls where its file is still what it
/// was: where it has the same function there.
fn of_strace(frame: StackFrame, is_caller: bool, owners: &CodeOwners, names: &mut Names) -> Vec<Frame> {
    // Of callers strace tells where they go on.
    let address = frame.address.map(|address| address.saturating_sub(u64::from(is_caller)));
    let path = Path::new(&frame.object);
    if let Some(address) = address.filter(|_| path.is_absolute() && frame.source.is_none()) {
        let found = names.of_file(path, path, address);
        if found.last().is_some_and(|outer| is_same(outer.function.as_deref(), frame.function.as_deref())) {
            return found.iter().cloned().map(|code| owned(code, owners)).collect();
        }
    }
    let (file, line) = match frame.source.as_deref().map(|source| (source, source.rsplit_once(':'))) {
        Some((_, Some((file, line)))) if line.parse::<u32>().is_ok() => {
            (Some(file.to_owned()), line.parse().ok())
        }
        Some((source, _)) => (Some(source.to_owned()), None),
        None => (None, None),
    };
    let code = CodeFrame {
        function: frame.function,
        file,
        line,
        module: Some(frame.object),
        address,
        made_at_run_time: false,
    };
    vec![owned(code, owners)]
}

/// strace may not have found a name, or left it as the linker writes it.
fn is_same(found: Option<&str>, told: Option<&str>) -> bool {
    match (found, told) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(found), Some(told)) => {
            let is_mangled = told.starts_with("_Z") || told.starts_with("_R");
            let bare = |name: &str| name.split(['@', '(', '<']).next().unwrap_or(name).to_owned();
            is_mangled || bare(found) == bare(told) || bare(told).starts_with(&format!("{}.", bare(found)))
        }
    }
}

/// What lies further out than where the C library calls `main` is of no program.
fn with_start(mut frames: Vec<Frame>) -> Vec<Frame> {
    let is_start = |frame: &Frame| {
        let function = frame.function.as_deref().unwrap_or_default();
        frame.owner == Owner::Libc && function.starts_with("__libc_start_main")
    };
    if let Some(start) = frames.iter().position(is_start) {
        for frame in &mut frames[start..] {
            frame.owner = Owner::Libc;
        }
    }
    frames
}

fn owned(code: CodeFrame, owners: &CodeOwners) -> Frame {
    let CodeFrame { function, file, line, module, address, made_at_run_time } = code;
    let frame = Frame { function, file, line, module, address, owner: Owner::Yours };
    let owner = if made_at_run_time { owners.of_made_frame(&frame) } else { owners.of_frame(&frame) };
    Frame { owner, ..frame }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_straces_is_known_again() {
        assert!(is_same(Some("load"), Some("load")) && is_same(Some("load"), None));
        assert!(is_same(Some("f"), Some("f(int, char)")) && is_same(Some("load"), Some("load.constprop.0")));
        assert!(is_same(Some("app::load"), Some("_ZN3app4load17h0123456789abcdefE")));
        assert!(!is_same(Some("load"), Some("store")) && !is_same(None, Some("store")));
    }
}
