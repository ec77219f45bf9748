//! What a process has mapped as code, as far as it matters for walking its stacks.

use super::open_mapped;
use fathom_stacks::{
    Mapping, Mappings, ModuleId, NativeFrame, Origin, RuntimeImage, Site, StackTable, StackWalker,
};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

const PAGE_BYTES: u64 = 4096;
/// So many pages are looked for in vain before a process is not asked any more.
const MOST_MISSES: usize = 256;

/// The code of one process. A copy is cheap: processes that fork share it.
#[derive(Debug, Clone)]
pub(in crate::file_trace) struct AddressSpace {
    code: Arc<Code>,
    /// Pages that belong to no code.
    misses: BTreeSet<u64>,
    is_stale: bool,
}

#[derive(Debug)]
struct Code {
    mappings: Mappings,
    walker: StackWalker,
    /// Of each mapping: what holds it, and by how much its addresses were moved.
    modules: Vec<(ModuleId, u64)>,
    /// The code that the process makes itself, where there is any.
    made: Option<ModuleId>,
    runtimes: Vec<RuntimeAt>,
}

/// A runtime of scripts that is mapped.
#[derive(Debug)]
pub(in crate::file_trace) struct RuntimeAt {
    pub(super) image: Arc<dyn RuntimeImage>,
    pub(super) moved_by: u64,
    /// Its own code, and that of the modules which come with it.
    pub(super) modules: Vec<ModuleId>,
}

impl AddressSpace {
    /// Reads that of a process, which was `former` so far.
    pub(super) fn read(process: u32, former: Option<&Self>, table: &mut StackTable) -> Option<Self> {
        let mappings = Mappings::of(process).ok()?;
        let open = |mapping: &Mapping, path: &Path| open_mapped(process, path, &mapping.range);
        Some(Self::of(process, mappings, former, &open, table))
    }

    /// That of a process which has mapped this; `open` opens the files.
    pub(in crate::file_trace) fn of(
        process: u32,
        mappings: Mappings,
        former: Option<&Self>,
        open: &dyn Fn(&Mapping, &Path) -> Option<File>,
        table: &mut StackTable,
    ) -> Self {
        let mut made = former.and_then(|former| former.code.made);
        let mut modules = Vec::new();
        for mapping in mappings.iter() {
            modules.push(match &mapping.origin {
                Origin::File(path) => {
                    let module = table.file(mapping, path, || open(mapping, path));
                    let moved_by = table.tables(module).and_then(|tables| tables.moved_by(mapping));
                    // As it stands in the file, where its segments are not known.
                    (module, moved_by.unwrap_or(mapping.range.start.wrapping_sub(mapping.offset)))
                }
                Origin::Kernel(name) => (table.kernels(name), mapping.range.start),
                Origin::Process => (*made.get_or_insert_with(|| table.made_by(process)), 0),
            });
        }
        let mut numbers =
            mappings.iter().zip(&modules).filter_map(|(mapping, module)| match mapping.origin {
                Origin::File(_) => Some(*module),
                Origin::Kernel(_) | Origin::Process => None,
            });
        // In the order of the mappings, as the walker asks for them.
        let walker = StackWalker::new(&mappings, |_, _| {
            let (module, _) = numbers.next()?;
            table.tables(module).cloned()
        });
        drop(numbers);
        let misses = former.map(|former| former.misses.clone()).unwrap_or_default();
        let runtimes = runtimes_at(&mappings, &modules, table);
        Self { code: Arc::new(Code { mappings, walker, modules, made, runtimes }), misses, is_stale: false }
    }

    /// The runtimes that are mapped there.
    pub(in crate::file_trace) fn runtimes(&self) -> &[RuntimeAt] {
        &self.code.runtimes
    }

    pub(in crate::file_trace) fn mappings(&self) -> &Mappings {
        &self.code.mappings
    }

    pub(in crate::file_trace) fn walker(&self) -> &StackWalker {
        &self.code.walker
    }

    /// Adds the places of the frames of a walk, all of which lie in code.
    pub(in crate::file_trace) fn sites(&self, frames: &[NativeFrame], sites: &mut Vec<Site>) {
        // Of a caller the call itself, where the next byte is no code any more.
        let site = |frame: &NativeFrame| {
            self.site(frame.code_address()).or_else(|| self.site(frame.program_counter))
        };
        sites.extend(frames.iter().filter_map(site));
    }

    /// The place of an address that lies in code.
    fn site(&self, address: u64) -> Option<Site> {
        let (module, moved_by) = *self.code.modules.get(self.code.mappings.position(address)?)?;
        Some(Site { module, address: address.wrapping_sub(moved_by) })
    }

    /// True when it has to be read again.
    pub(super) fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// True when code may have come to an address since this was read.
    pub(super) fn may_be_new(&self, address: u64) -> bool {
        self.misses.len() < MOST_MISSES && !self.misses.contains(&(address / PAGE_BYTES))
    }

    /// There is no code at an address.
    pub(super) fn is_nothing(&mut self, address: u64) {
        self.misses.insert(address / PAGE_BYTES);
    }

    /// Something else may be where code was.
    pub(super) fn changed(&mut self, address: u64, bytes: u64) {
        let end = address.saturating_add(bytes);
        let overlaps = |range: &std::ops::Range<u64>| range.start < end && address < range.end;
        self.is_stale |= self.code.mappings.iter().any(|mapping| overlaps(&mapping.range));
    }
}

fn runtimes_at(mappings: &Mappings, modules: &[(ModuleId, u64)], table: &StackTable) -> Vec<RuntimeAt> {
    let mut found: Vec<RuntimeAt> = Vec::new();
    let mut seen = BTreeSet::new();
    for &(own, moved_by) in modules {
        let Some(image) = table.runtime(own).filter(|_| seen.insert(own)) else { continue };
        let is_own = |mapping: &Mapping, module: ModuleId| match &mapping.origin {
            Origin::File(path) => module == own || image.comes_with(path),
            Origin::Kernel(_) | Origin::Process => false,
        };
        let modules = mappings.iter().zip(modules).filter(|(mapping, (module, _))| is_own(mapping, *module));
        let modules = modules.map(|(_, (module, _))| *module).collect();
        found.push(RuntimeAt { image: Arc::clone(image), moved_by, modules });
    }
    found
}
