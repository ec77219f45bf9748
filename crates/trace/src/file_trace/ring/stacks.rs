//! The stacks of calls that the ring tells of: copies of their tops are walked here, and what was
//! walked twice is made known to the kernel's side, which then gives its number instead of a copy.
//!
//! A process may be gone by the time its records are read. What it has mapped is therefore followed
//! by its own calls, from what the kernel tells a program that starts.

mod space;

use super::known_stack::{CopiedStack, KnownStack, STACK_WORDS, StackKey};
use super::probe::KernelStacks;
use super::record::{Head, Record, STACK_COPIED, STACK_STOPPED};
use super::script_stops::ScriptStops;
use super::standing_clock::HeldUp;
use crate::file_trace::stacks::{AddressSpace, locked, name_made};
use fathom_events::{CallOutcome, FileAction, FileEvent, PathTable, StackId, Target};
use fathom_stacks::{Mapping, Mappings, NativeFrame, Needs, Origin, Site, StackTable, Walk, WalkCache};
use space::{Space, exec_mappings};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// So many stacks are walked; then no more are copied. It bounds memory and time where places cannot
/// be told apart by few words.
const MOST_WALKS: u32 = 1 << 18;
/// Calls after which a path may lead elsewhere than it does here.
const MOVING_CALLS: [&str; 8] =
    ["chroot", "pivot_root", "mount", "umount2", "unshare", "move_mount", "setns", "mount_setattr"];
const CLONE_NEWNS: u64 = 0x0002_0000;

/// The stacks of all that is followed.
#[derive(Debug)]
pub(super) struct RingStacks {
    kernel: KernelStacks,
    table: Arc<Mutex<StackTable>>,
    /// Where stacks have the frames of scripts.
    scripts: Option<ScriptStops>,
    cache: WalkCache,
    spaces: HashMap<u32, Space>,
    /// What each thread's next call is known by.
    copies: HashMap<u32, CopiedStack>,
    /// By the number that the kernel's side gives, from 1.
    numbered: Vec<Numbered>,
    walks: u32,
    /// Paths may lead elsewhere in a process than they do here.
    paths_differ: bool,
    sites: Vec<Site>,
    began: SystemTime,
}

#[derive(Debug)]
struct Numbered {
    process: u32,
    stack: Option<StackId>,
    /// What was mapped there is no more.
    is_void: bool,
}

/// A stack that was walked.
#[derive(Debug)]
struct Walked {
    /// What it is known again by; `None` where it cannot be.
    known: Option<KnownStack>,
    stack: Option<StackId>,
    /// The kernel's side knows it, or has no room for it.
    is_told: bool,
}

impl RingStacks {
    /// Nothing is known yet.
    pub(super) fn new(kernel: KernelStacks) -> Self {
        Self {
            kernel,
            table: Arc::default(),
            scripts: None,
            cache: WalkCache::default(),
            spaces: HashMap::new(),
            copies: HashMap::new(),
            numbered: Vec::new(),
            walks: 0,
            paths_differ: false,
            sites: Vec::new(),
            began: SystemTime::now(),
        }
    }

    /// The same, which also has threads of runtimes stopped.
    pub(super) fn with_scripts(mut self, stops: impl FnOnce(Arc<Mutex<StackTable>>) -> ScriptStops) -> Self {
        self.scripts = Some(stops(Arc::clone(&self.table)));
        self
    }

    /// Who has them stopped.
    pub(super) fn scripts(&self) -> Option<&ScriptStops> {
        self.scripts.as_ref()
    }

    /// A process that runs already.
    pub(super) fn meet(&mut self, process: u32) {
        let same = |name: &str| {
            let link = |who: &str| std::fs::read_link(format!("/proc/{who}/{name}")).ok();
            link("self").is_some_and(|ours| link(&process.to_string()) == Some(ours))
        };
        self.paths_differ |= !same("ns/mnt") || !same("root");
        let mappings = Mappings::of(process).unwrap_or_default();
        self.spaces.insert(process, Space::new(mappings.into_vec(), None));
    }

    /// The stack of a thread's next call was copied.
    pub(super) fn copied(&mut self, record: &Record<'_>) {
        let Head { thread, process, arguments, .. } = record.head;
        let [program_counter, stack_pointer, link, frame_pointer, ..] = arguments;
        let key = StackKey { process, program_counter, stack_pointer, link };
        let bytes = record.pieces[0].to_vec();
        self.copies.insert(thread, CopiedStack { key, frame_pointer, bytes });
    }

    /// The stack of a call, and how long its thread was held up for that where it was.
    pub(super) fn of_call(&mut self, head: &Head) -> (Option<StackId>, Option<HeldUp>) {
        if head.stack & STACK_STOPPED == 0 || head.stack == STACK_COPIED {
            return (self.without_stop(head), None);
        }
        let looked =
            self.scripts.as_ref().and_then(|scripts| scripts.look(head.thread, head.stack & !STACK_STOPPED));
        looked.map_or((None, None), |(stack, held_up)| (stack, Some(held_up)))
    }

    /// That of one at which its thread was not stopped.
    fn without_stop(&mut self, head: &Head) -> Option<StackId> {
        // One of a call whose record was lost is nobody's.
        let copied = self.copies.remove(&head.thread);
        match head.stack {
            0 => None,
            STACK_COPIED => {
                let stack = self.resolve(&copied?);
                stack.filter(|_| !self.has_scripts(head.process))
            }
            // The stack of a runtime's own code does not tell which line of a script it is.
            _ if self.has_scripts(head.process) => None,
            number => {
                let numbered = self.numbered.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
                numbered.stack.filter(|_| !numbered.is_void && numbered.process == head.process)
            }
        }
    }

    /// A process executed a program, whose path is known as well as may be; `auxiliary` is what the
    /// kernel told it.
    pub(super) fn executed(&mut self, process: u32, path: &Path, program: &Path, auxiliary: &[u8]) {
        let directory = self.spaces.get(&process).and_then(|space| space.directory.clone());
        self.forget(process);
        let named = directory.as_deref().map(|directory| directory.join(path));
        let candidates = named.into_iter().chain([path.to_owned(), program.to_owned()]);
        let candidates = candidates.filter(|path| path.is_absolute());
        let paths_differ = self.paths_differ;
        let mappings = exec_mappings(process, candidates, auxiliary, paths_differ, &mut locked(&self.table));
        self.spaces.insert(process, Space::new(mappings, directory));
        if let Some(scripts) = &self.scripts {
            scripts.trace_if_runtime(process);
        }
    }

    /// Where the first program is started.
    pub(super) fn begin_in(&mut self, process: u32, directory: &Path) {
        self.spaces.insert(process, Space::new(Vec::new(), Some(directory.to_owned())));
    }

    /// A process made another one.
    pub(super) fn forked(&mut self, maker: u32, child: u32, flags: u64) {
        self.paths_differ |= flags & CLONE_NEWNS != 0;
        if let Some(space) = self.spaces.get(&maker) {
            let copy = space.fork();
            self.spaces.insert(child, copy);
        }
    }

    /// A process has ended.
    pub(super) fn ended(&mut self, process: u32) {
        if let Some(scripts) = &self.scripts {
            scripts.ended(process);
        }
        self.forget(process);
        self.spaces.remove(&process);
    }

    /// Follows what a call does to the mappings, descriptors and directory of its process.
    pub(super) fn follow(&mut self, event: &FileEvent, paths: &PathTable) {
        let CallOutcome::Value(value) = event.outcome else { return };
        self.paths_differ |= MOVING_CALLS.contains(&event.call);
        let Some(space) = self.spaces.get_mut(&event.process) else { return };
        match &event.action {
            FileAction::Open { target: Target::Path { directory, path, .. }, .. } => {
                let path = Path::new(paths.path(*path));
                let from = space.directory.as_deref().filter(|_| *directory == Target::CURRENT_DIRECTORY);
                let path: Option<PathBuf> = match from {
                    _ if path.is_absolute() => Some(path.to_owned()),
                    from => from.map(|from| from.join(path)),
                };
                space.opened(value, path);
            }
            FileAction::Close { descriptor } => space.closed(*descriptor),
            FileAction::CloseRange { mark_only: false, .. } => space.closed_many(),
            FileAction::Duplicate { to: Some(to), .. } => space.closed(*to),
            FileAction::ChangeDirectory { target } => {
                let path = match target {
                    Target::Path { path, .. } => Some(Path::new(paths.path(*path))),
                    Target::Descriptor(_) => None,
                };
                space.directory = match (path, &space.directory) {
                    (Some(path), _) if path.is_absolute() => Some(path.to_owned()),
                    (Some(path), Some(from)) => Some(from.join(path)),
                    _ => None,
                };
            }
            FileAction::Map { descriptor, offset, bytes, protection, .. } => {
                let is_code = *protection & libc::PROT_EXEC.cast_unsigned() != 0;
                let replaces =
                    space.mapped((value.cast_unsigned(), *bytes), is_code.then_some((*descriptor, *offset)));
                if replaces {
                    self.forget(event.process);
                }
            }
            FileAction::Unmap { address, bytes } if space.unmapped(*address, *bytes) => {
                self.forget(event.process);
            }
            _ => {}
        }
    }

    /// All of them, and of how many calls there is none, since it could not be copied.
    pub(super) fn finish(self) -> (StackTable, u64) {
        if let Some(scripts) = &self.scripts {
            scripts.conclude();
        }
        let mut table = std::mem::take(&mut *locked(&self.table));
        name_made(&mut table, self.began);
        (table, self.kernel.missed())
    }

    fn has_scripts(&self, process: u32) -> bool {
        self.scripts.as_ref().is_some_and(|scripts| scripts.has(process))
    }

    fn resolve(&mut self, copied: &CopiedStack) -> Option<StackId> {
        let Self { kernel, numbered, .. } = self;
        let process = copied.key.process;
        let space = self.spaces.get_mut(&process)?;
        let alike = space.walked.entry(copied.key).or_default();
        let is_it = |walked: &Walked| walked.known.as_ref().is_some_and(|known| known.is_in(copied));
        if let Some(found) = alike.iter().position(is_it) {
            let told = alike.iter().filter(|walked| walked.is_told).count();
            let walked = &mut alike[found];
            if let Some(known) = walked.known.as_ref().filter(|_| !walked.is_told) {
                walked.is_told = true;
                numbered.push(Numbered { process, stack: walked.stack, is_void: false });
                let number = u32::try_from(numbered.len()).unwrap_or(u32::MAX - 1);
                let place = u32::try_from(told).unwrap_or(u32::MAX);
                // Where there is no room, its calls are copied on.
                if kernel.add(&copied.key, place, known, number) {
                    space.told.push((copied.key, place));
                    space.numbers.push(number);
                }
            }
            return walked.stack;
        }
        self.walks += 1;
        if self.walks == MOST_WALKS {
            kernel.copy_no_more();
        }
        let walked = self.walk(copied)?;
        let stack = walked.stack;
        self.spaces.get_mut(&process)?.walked.entry(copied.key).or_default().push(walked);
        stack
    }

    fn walk(&mut self, copied: &CopiedStack) -> Option<Walked> {
        let (mut walk, needs) = self.walk_once(copied)?;
        let space = self.spaces.get_mut(&copied.key.process)?;
        let lost =
            walk.frames.iter().map(|frame| frame.program_counter).find(|address| space.lacks(*address));
        if let Some(address) = lost
            && space.learn_made(copied.key.process, address)
        {
            walk = self.walk_once(copied)?.0;
        }
        let code = self.spaces.get(&copied.key.process)?.code.as_ref()?;
        let mut walk = walk.in_code(code.mappings());
        // How code that was made gives its frame back is not known here: nothing further out is said.
        let is_made = |frame: &NativeFrame| {
            let mapping = code.mappings().at(frame.program_counter);
            mapping.is_some_and(|mapping| mapping.origin == Origin::Process)
        };
        if let Some(made) = walk.frames.iter().position(is_made) {
            walk.ended &= made + 1 == walk.frames.len();
            walk.frames.truncate(made + 1);
        }
        self.sites.clear();
        code.sites(&walk.frames, &mut self.sites);
        let known = KnownStack::of(copied, &needs.words, needs.frame_pointer);
        let stack = locked(&self.table).number(&self.sites, walk.ended);
        Some(Walked { known, stack, is_told: false })
    }

    fn walk_once(&mut self, copied: &CopiedStack) -> Option<(Walk, Needs)> {
        let process = copied.key.process;
        let paths_differ = self.paths_differ;
        let space = self.spaces.get_mut(&process)?;
        let code = space.code.get_or_insert_with(|| {
            let open = |_: &Mapping, path: &Path| space::open(process, path, paths_differ);
            let mappings = Mappings::in_order(space.mappings.clone());
            AddressSpace::of(process, mappings, None, &open, &mut locked(&self.table))
        });
        if let Some(scripts) = self.scripts.as_ref().filter(|_| !code.runtimes().is_empty()) {
            scripts.trace_runtime(process);
        }
        let most = usize::from(STACK_WORDS.unsigned_abs());
        let read = |address| copied.read(address);
        Some(code.walker().walk_with_needs(copied.registers(), &mut self.cache, read, most))
    }

    /// What is known of a process holds no more.
    fn forget(&mut self, process: u32) {
        let Some(space) = self.spaces.get_mut(&process) else { return };
        for (key, place) in space.told.drain(..) {
            self.kernel.remove(&key, place);
        }
        for number in space.numbers.drain(..) {
            if let Some(numbered) = self.numbered.get_mut(number as usize - 1) {
                numbered.is_void = true;
            }
        }
        space.walked.clear();
    }
}
