//! Call sites: stacks that come from the same place of your code are one, however they
//! got there and whatever lies below it.

use crate::code_owners::{CodeOwners, Hidden};
use crate::finding::{Frame, Owner};
use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap};

/// Where nothing is yours, so many frames of the runtime tell places apart.
const FRAMES_OF_RUNTIME: usize = 3;

/// Explains a source's number of a stack by its frames, the innermost first.
pub(crate) type Explain<'a> = dyn FnMut(u32) -> Vec<Frame> + 'a;

/// The call sites of an audit.
pub(crate) struct CallSites<'a> {
    explain: &'a mut Explain<'a>,
    /// Only stacks with a frame of yours that has a name tell of a place.
    has_yours_alone: bool,
    /// Read where there are stacks at all.
    owners: LazyCell<CodeOwners>,
    /// The site of each stack, which is a stack that stands for all of it.
    sites: HashMap<u32, Option<u32>>,
    /// The stack that stands for a place.
    places: HashMap<(Place, Option<Owner>), u32>,
    frames: HashMap<u32, Vec<Frame>>,
    hidden_by: BTreeSet<Hidden>,
    shown_by: BTreeSet<String>,
}

/// What makes a call site.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Place {
    /// A line of a source.
    Line { function: Option<String>, file: String, line: u32 },
    /// Places in modules: one, or several where the first alone may be a function that
    /// everything comes by.
    Code(Vec<Frame>),
}

impl<'a> CallSites<'a> {
    pub(crate) fn new(explain: &'a mut Explain<'a>) -> Self {
        Self {
            explain,
            has_yours_alone: false,
            owners: LazyCell::new(CodeOwners::load),
            sites: HashMap::new(),
            places: HashMap::new(),
            frames: HashMap::new(),
            hidden_by: BTreeSet::new(),
            shown_by: BTreeSet::new(),
        }
    }

    /// The same, for the lines of your code: where a stack holds none of it, as where a runtime is not read, or
    /// nothing of it has a name, its calls are at no place, and none of them is told apart from those that have no stack.
    pub(crate) fn of_yours_alone(self, has_yours_alone: bool) -> Self {
        Self { has_yours_alone, ..self }
    }

    /// The stack that stands for all of one call site; `None` where nothing is known of it, as where
    /// an interpreter hides it.
    pub(crate) fn site(&mut self, stack: u32) -> Option<u32> {
        if let Some(known) = self.sites.get(&stack) {
            return *known;
        }
        let frames = (self.explain)(stack);
        // One line may ask for a call and have its runtime make another.
        let owner = self.owners.of_stack(&frames);
        let hidden_by = self.owners.hides(&frames).filter(|_| owner.is_none());
        // The ways through an interpreter are no places of the program that it runs.
        // An address in a program without names is no line of anybody's.
        let yours = frames.iter().find(|frame| frame.owner == Owner::Yours);
        let is_named = yours.is_some_and(|frame| frame.function.is_some() || frame.line.is_some());
        let is_told = !self.has_yours_alone || is_named;
        let place = if hidden_by.is_none() && is_told { place_of(&frames) } else { None };
        self.hidden_by.extend(hidden_by);
        self.shown_by.extend(self.owners.shows(&frames).map(str::to_owned));
        let site = place.map(|place| *self.places.entry((place, owner)).or_insert(stack));
        self.sites.insert(stack, site);
        if site == Some(stack) {
            self.frames.insert(stack, frames);
        }
        site
    }

    /// The frames of a site.
    pub(crate) fn frames(&self, site: Option<u32>) -> &[Frame] {
        site.and_then(|site| self.frames.get(&site)).map_or(&[], Vec::as_slice)
    }

    /// Whose a finding at a site is, where its stack tells.
    pub(crate) fn owner(&self, site: Option<u32>) -> Option<Owner> {
        site.and_then(|site| self.owners.of_stack(self.frames(Some(site))))
    }

    /// What kept stacks from telling of the programs that interpreters run. Where others of an
    /// interpreter's show the script, those without ran none.
    pub(crate) fn hidden_by(&self) -> impl Iterator<Item = &Hidden> {
        self.hidden_by.iter().filter(|hidden| match hidden {
            Hidden::ByInterpreter(name) => !self.shown_by.contains(name),
            Hidden::InPool(_) => true,
        })
    }
}

fn place_of(frames: &[Frame]) -> Option<Place> {
    let is_yours = |frame: &&Frame| frame.owner == Owner::Yours;
    let Some(first) = frames.iter().position(|frame| is_yours(&frame)) else {
        let of_runtime = frames.iter().filter(|frame| frame.owner == Owner::Runtime);
        let some: Vec<_> = of_runtime.take(FRAMES_OF_RUNTIME).cloned().collect();
        let some = if some.is_empty() { frames.iter().take(1).cloned().collect() } else { some };
        return (!some.is_empty()).then_some(Place::Code(some));
    };
    let frame = &frames[first];
    match (&frame.file, frame.line) {
        (Some(file), Some(line)) => {
            Some(Place::Line { function: frame.function.clone(), file: file.clone(), line })
        }
        // The program holds its own C library or runtime, and nothing has a name: the innermost
        // frame is the same for all.
        _ if first == 0 && frame.function.is_none() => {
            let nameless = frames.iter().take_while(|frame| frame.function.is_none());
            Some(Place::Code(nameless.cloned().collect()))
        }
        _ => Some(Place::Code(vec![frame.clone()])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, line: Option<u32>, address: u64, owner: Owner) -> Frame {
        Frame {
            function: (!function.is_empty()).then(|| function.to_owned()),
            file: line.map(|_| "a.c".to_owned()),
            line,
            module: Some("/a".to_owned()),
            address: Some(address),
            owner,
        }
    }

    fn sites(stacks: &[Vec<Frame>]) -> Vec<Option<u32>> {
        let mut explain = |number: u32| stacks[number as usize].clone();
        let mut sites = CallSites::new(&mut explain);
        (0..).zip(stacks).map(|(number, _)| sites.site(number)).collect()
    }

    #[test]
    fn what_lies_below_and_above_the_first_frame_of_yours_does_not_matter() {
        let libc = |address| frame("read", None, address, Owner::Libc);
        let load = |address| frame("load", Some(41), address, Owner::Yours);
        let main = |line| frame("main", Some(line), 9, Owner::Yours);
        let stacks = [
            vec![libc(1), load(5), main(80)],
            vec![libc(2), libc(1), load(6), main(81)],
            vec![libc(1), frame("load", Some(42), 7, Owner::Yours), main(80)],
            vec![],
        ];
        assert_eq!(sites(&stacks), [Some(0), Some(0), Some(2), None]);
    }

    #[test]
    fn where_lines_of_yours_are_asked_for_a_stack_without_any_tells_no_place() {
        let runtime = frame("open_file", Some(7), 5, Owner::Runtime);
        let load = frame("load", Some(41), 6, Owner::Yours);
        let bare = frame("", None, 8, Owner::Yours);
        let stacks = [vec![runtime.clone(), load.clone()], vec![runtime], vec![bare, load]];
        let sites = |has_yours_alone: bool| {
            let mut explain = |number: u32| stacks[number as usize].clone();
            let mut sites = CallSites::new(&mut explain).of_yours_alone(has_yours_alone);
            [0, 1, 2].map(|number| sites.site(number))
        };
        assert_eq!(sites(false), [Some(0), Some(1), Some(2)]);
        assert_eq!(sites(true), [Some(0), None, None]);
    }

    #[test]
    fn without_lines_the_address_tells_and_without_names_all_of_them() {
        let libc = frame("read", None, 1, Owner::Libc);
        let bare = |address| frame("", None, address, Owner::Yours);
        let stacks = [
            vec![libc.clone(), bare(5), bare(8)],
            vec![libc.clone(), bare(5), bare(9)],
            vec![libc, bare(6), bare(9)],
            vec![bare(5), bare(8)],
            vec![bare(5), bare(9)],
            vec![bare(5), bare(9)],
        ];
        assert_eq!(sites(&stacks), [Some(0), Some(0), Some(2), Some(3), Some(4), Some(4)]);
    }

    #[test]
    fn where_nothing_is_yours_functions_of_the_runtime_tell() {
        let frame = |function, address| frame(function, None, address, Owner::Runtime);
        let stacks = [
            vec![frame("fstat", 1), frame("os_fstat", 2), frame("call", 3), frame("eval", 4)],
            vec![frame("fstat", 1), frame("os_fstat", 2), frame("call", 3), frame("eval", 5)],
            vec![frame("fstat", 1), frame("file_init", 2), frame("call", 3), frame("eval", 4)],
        ];
        assert_eq!(sites(&stacks), [Some(0), Some(0), Some(2)]);
    }
}
