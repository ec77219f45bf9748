//! Stacks by number, each kept once: what they are made of is the file and the place in
//! it, which hold when the process is long gone.

use crate::made_code;
use crate::mappings::Mapping;
use crate::names::{CodeFrame, Names};
use crate::perf_map::PerfMap;
use crate::runtimes;
use crate::script_runtime::{RuntimeImage, ScriptFrame};
use crate::tables::UnwindTables;
use fathom_events::StackId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most distinct stacks that are kept.
const MOST_STACKS: usize = 1 << 16;

/// Most files that are kept open until they are asked for names.
const MOST_FILES: usize = 128;

/// The number of what holds code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(u32);

/// A place in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// What holds it.
    pub module: ModuleId,
    /// Where in it: in a file by the file's own addresses, else by the process's. Of a
    /// caller, one less than where it goes on, which may be the next function. In a script, the line.
    pub address: u64,
}

/// What holds code.
#[derive(Debug)]
enum Module {
    File {
        path: PathBuf,
        /// Kept open, since it may be gone or another when it is asked for names.
        file: Option<File>,
        tables: Option<Arc<UnwindTables>>,
        runtime: Option<Arc<dyn RuntimeImage>>,
    },
    /// A function of a script, whose places are lines; 0 where none is known.
    Script { file: String, function: String },
    /// The kernel put it there: `[vdso]`.
    Kernel(String),
    /// The process of this id made it.
    Made { process: u32, names: BTreeMap<u64, String> },
}

#[derive(Debug)]
struct Stack {
    sites: Arc<[Site]>,
    ended: bool,
}

/// Every stack of a trace.
#[derive(Debug, Default)]
pub struct StackTable {
    modules: Vec<Module>,
    files: HashMap<(String, u64, PathBuf), ModuleId>,
    kernels: BTreeMap<String, ModuleId>,
    scripts: HashMap<(String, String), ModuleId>,
    scripts_unknown: BTreeSet<String>,
    files_open: usize,
    stacks: Vec<Stack>,
    numbers: HashMap<Arc<[Site]>, StackId>,
    not_kept: u64,
}

impl StackTable {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The file of a mapping, opened by `open` and its tables read where it is a new one.
    pub fn file(&mut self, mapping: &Mapping, path: &Path, open: impl FnOnce() -> Option<File>) -> ModuleId {
        let key = (mapping.inode.0.clone(), mapping.inode.1, path.to_owned());
        if let Some(known) = self.files.get(&key) {
            return *known;
        }
        let file = open();
        // Who lists no mappings does not know what the file is until it is open.
        let opened = file.as_ref().and_then(|file| Some(listed_as(&file.metadata().ok()?, path)));
        if let Some(known) = opened.as_ref().and_then(|opened| self.files.get(opened)).copied() {
            self.files.insert(key, known);
            return known;
        }
        let tables = file.as_ref().and_then(UnwindTables::read).map(Arc::new);
        let runtime = file.as_ref().and_then(|file| runtimes::image(file, path));
        let file = file.filter(|_| self.files_open < MOST_FILES);
        self.files_open += usize::from(file.is_some());
        let module = self.add(Module::File { path: path.to_owned(), file, tables, runtime });
        self.files.extend(opened.map(|opened| (opened, module)));
        self.files.insert(key, module);
        module
    }

    /// What the kernel put into a process, by its name.
    pub fn kernels(&mut self, name: &str) -> ModuleId {
        if let Some(known) = self.kernels.get(name) {
            return *known;
        }
        let module = self.add(Module::Kernel(name.to_owned()));
        self.kernels.insert(name.to_owned(), module);
        module
    }

    /// Code that a process makes itself; a new one each time.
    pub fn made_by(&mut self, process: u32) -> ModuleId {
        self.add(Module::Made { process, names: BTreeMap::new() })
    }

    /// The place of a frame of a script's.
    pub fn script(&mut self, frame: ScriptFrame) -> Site {
        let ScriptFrame { file, function, line } = frame;
        let address = u64::from(line.unwrap_or(0));
        let key = (file, function);
        if let Some(known) = self.scripts.get(&key) {
            return Site { module: *known, address };
        }
        let module = self.add(Module::Script { file: key.0.clone(), function: key.1.clone() });
        self.scripts.insert(key, module);
        Site { module, address }
    }

    /// The runtime that a file holds.
    pub fn runtime(&self, module: ModuleId) -> Option<&Arc<dyn RuntimeImage>> {
        match self.modules.get(module.0 as usize)? {
            Module::File { runtime, .. } => runtime.as_ref(),
            Module::Kernel(_) | Module::Made { .. } | Module::Script { .. } => None,
        }
    }

    /// Why a runtime's frames could not be read: a sentence, which is kept once.
    pub fn script_unknown(&mut self, why: String) {
        self.scripts_unknown.insert(why);
    }

    /// Why frames of scripts could not be read.
    pub fn scripts_unknown(&self) -> impl Iterator<Item = &str> {
        self.scripts_unknown.iter().map(String::as_str)
    }

    /// The unwind tables of a file.
    pub fn tables(&self, module: ModuleId) -> Option<&Arc<UnwindTables>> {
        match self.modules.get(module.0 as usize)? {
            Module::File { tables, .. } => tables.as_ref(),
            Module::Kernel(_) | Module::Made { .. } | Module::Script { .. } => None,
        }
    }

    /// The number of a stack, the innermost frame first; `ended` where the last one is the
    /// outermost. `None` when no more are kept, or there is nothing of it.
    pub fn number(&mut self, sites: &[Site], ended: bool) -> Option<StackId> {
        if let Some(known) = self.numbers.get(sites) {
            return Some(*known);
        }
        if self.stacks.len() == MOST_STACKS || sites.is_empty() {
            self.not_kept += 1;
            return None;
        }
        let number = StackId(u32::try_from(self.stacks.len()).ok()?);
        let sites: Arc<[Site]> = Arc::from(sites);
        self.stacks.push(Stack { sites: Arc::clone(&sites), ended });
        self.numbers.insert(sites, number);
        Some(number)
    }

    /// How many distinct stacks there are.
    pub fn len(&self) -> usize {
        self.stacks.len()
    }

    /// True when none was kept.
    pub fn is_empty(&self) -> bool {
        self.stacks.is_empty()
    }

    /// How many times a stack was not kept.
    pub fn not_kept(&self) -> u64 {
        self.not_kept
    }

    /// True when the outermost frame of a stack is not known.
    pub fn is_cut(&self, stack: StackId) -> bool {
        self.stacks.get(stack.0 as usize).is_none_or(|stack| !stack.ended)
    }

    /// The processes whose stacks have code that they made themselves.
    pub fn makers(&self) -> Vec<u32> {
        let mut makers: Vec<u32> = self.made().map(|(_, process)| process).collect();
        makers.sort_unstable();
        makers.dedup();
        makers
    }

    /// Gives the code that a process made the names of its runtime's map.
    pub fn name_made(&mut self, process: u32, map: &PerfMap) {
        let of_it: Vec<ModuleId> =
            self.made().filter(|(_, maker)| *maker == process).map(|(module, _)| module).collect();
        let sites = self.stacks.iter().flat_map(|stack| stack.sites.iter());
        for site in sites.filter(|site| of_it.contains(&site.module)) {
            if let (Some(Module::Made { names, .. }), Some(name)) =
                (self.modules.get_mut(site.module.0 as usize), map.name(site.address))
            {
                names.insert(site.address, name.to_owned());
            }
        }
    }

    /// The frames of a stack with their names, the innermost first; calls that were
    /// inlined are frames of their own.
    pub fn frames(&self, stack: StackId, names: &mut Names) -> Vec<CodeFrame> {
        let sites = self.stacks.get(stack.0 as usize).map_or(&[][..], |stack| &stack.sites);
        sites.iter().flat_map(|site| self.named(*site, names)).collect()
    }

    fn named(&self, site: Site, names: &mut Names) -> Vec<CodeFrame> {
        match self.modules.get(site.module.0 as usize) {
            Some(Module::File { path, file, .. }) => {
                names.of_file(path, &readable_path(path, file.as_ref()), site.address).to_vec()
            }
            Some(Module::Kernel(name)) => vec![CodeFrame::in_module(name, site.address)],
            Some(Module::Made { names, .. }) => vec![match names.get(&site.address) {
                Some(name) => made_code::frame(name),
                None => CodeFrame { made_at_run_time: true, ..CodeFrame::default() },
            }],
            Some(Module::Script { file, function }) => vec![CodeFrame {
                function: Some(function.clone()),
                file: Some(file.clone()).filter(|file| !file.is_empty()),
                line: u32::try_from(site.address).ok().filter(|line| *line > 0),
                made_at_run_time: true,
                ..CodeFrame::default()
            }],
            None => Vec::new(),
        }
    }

    fn add(&mut self, module: Module) -> ModuleId {
        let number = u32::try_from(self.modules.len()).expect("memory ends before 2^32 modules");
        self.modules.push(module);
        ModuleId(number)
    }

    fn made(&self) -> impl Iterator<Item = (ModuleId, u32)> {
        let is_made = |(number, module): (usize, &Module)| match module {
            Module::Made { process, .. } => Some((ModuleId(u32::try_from(number).ok()?), *process)),
            Module::File { .. } | Module::Kernel(_) | Module::Script { .. } => None,
        };
        self.modules.iter().enumerate().filter_map(is_made)
    }
}

/// What a file is known by, as the kernel lists mappings of it.
fn listed_as(metadata: &fs::Metadata, path: &Path) -> (String, u64, PathBuf) {
    let (major, minor) = (rustix::fs::major(metadata.dev()), rustix::fs::minor(metadata.dev()));
    (format!("{major:02x}:{minor:02x}"), metadata.ino(), path.to_owned())
}

/// Where the file itself is read: at its path while it is still that.
fn readable_path(path: &Path, file: Option<&File>) -> PathBuf {
    let Some(file) = file else { return path.to_owned() };
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let is_there = fs::metadata(path).map(identity).ok() == file.metadata().map(identity).ok();
    if is_there { path.to_owned() } else { PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mappings::{Mappings, Origin};

    /// The module and the address of a function of this program.
    fn here(table: &mut StackTable) -> Site {
        let address = here as fn(&mut StackTable) -> Site as usize as u64;
        let mappings = Mappings::of(std::process::id()).unwrap();
        let mapping = mappings.at(address).unwrap();
        let Origin::File(path) = &mapping.origin else { panic!() };
        let module = table.file(mapping, path, || File::open(path).ok());
        assert_eq!(table.file(mapping, path, || panic!("it is known")), module);
        let moved_by = table.tables(module).unwrap().moved_by(mapping).unwrap();
        Site { module, address: address - moved_by }
    }

    #[test]
    fn a_stack_has_one_number_and_names() {
        let mut table = StackTable::new();
        let site = here(&mut table);
        let stack = table.number(&[site], true).unwrap();
        assert_eq!(table.number(&[site], true), Some(stack));
        assert_ne!(table.number(&[site, site], false), Some(stack));
        assert_eq!(table.number(&[], false), None);
        assert_eq!((table.len(), table.not_kept()), (2, 1));
        assert!(!table.is_cut(stack));
        let frames = table.frames(stack, &mut Names::new());
        let frame = frames.last().unwrap();
        assert!(frame.function.as_ref().unwrap().contains("stack_table::tests::here"), "{frame:?}");
        assert!(frame.file.as_ref().unwrap().ends_with("stack_table.rs"), "{frame:?}");
        assert!(frame.line.is_some(), "{frame:?}");
        assert_eq!(frame.address, Some(site.address));
    }

    #[test]
    fn code_made_at_run_time_is_named_by_the_map_of_its_process() {
        let mut table = StackTable::new();
        let (one, other) = (table.made_by(7), table.made_by(8));
        let stack = table
            .number(&[Site { module: one, address: 0x104 }, Site { module: other, address: 0x104 }], true)
            .unwrap();
        table.name_made(7, &PerfMap::parse("100 10 py::load:/a.py\n"));
        let frames = table.frames(stack, &mut Names::new());
        let names: Vec<_> = frames.iter().map(|frame| frame.function.as_deref()).collect();
        assert_eq!(names, [Some("load"), None]);
        assert_eq!(frames[0].file.as_deref(), Some("/a.py"));
        assert_eq!(table.makers(), [7, 8]);
    }
}
