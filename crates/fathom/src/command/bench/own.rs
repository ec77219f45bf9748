//! `--file`, `--tree` and `--data`: files that are there already. What they are is
//! laid over the request, and what must not be done to them is taken out of the plans.

use crate::arguments::Bench;
use crate::command::Hinted;
use crate::output;
use fathom_catalog::{Plan, Request};
use fathom_lab::kept_set::data_of;
use fathom_lab::own_files::{OwnFiles, is_device};
use fathom_model::{CacheState, DataSet, Operation, Place, Unmeasured};
use std::path::PathBuf;

/// Files drawn from a tree when nobody says how many.
const FILES_OF_A_TREE: u32 = 100;
/// What a block holds when nobody says so.
const BLOCK_BYTES: u64 = 65_536;

/// What is there already.
pub(super) enum Named {
    /// Nothing: data sets are made.
    Nothing,
    /// A data set that was kept.
    Set(DataSet),
    /// Files of the user's.
    Files(OwnFiles),
    /// A device, to be opened and closed.
    Device(PathBuf),
}

impl Named {
    /// What the command line names; `seed` draws from a tree.
    pub(super) fn of(bench: &Bench, seed: u64) -> anyhow::Result<Self> {
        if let Some(name) = &bench.data {
            // Without it the size asked for decides, and where the set lies is found out when it is used.
            let in_dir = bench.dir.first().map_or_else(|| PathBuf::from("."), PathBuf::from);
            return Ok(data_of(&in_dir, name).map_or(Self::Nothing, Self::Set));
        }
        if bench.tree.is_some() || !bench.file.iter().all(|path| is_device(path)) {
            // Said before a plan finds another fault with their size.
            let operations = bench.what.iter().filter_map(|what| what.parse::<Operation>().ok());
            operations.into_iter().try_for_each(refuse_writing)?;
        }
        if let Some(tree) = &bench.tree {
            let count = usize::try_from(bench.files.unwrap_or(FILES_OF_A_TREE))?;
            return Ok(Self::Files(OwnFiles::drawn(tree, count, least_bytes(bench)?, seed)?));
        }
        if bench.file.is_empty() {
            return Ok(Self::Nothing);
        }
        match bench.file.as_slice() {
            [device] if is_device(device) => Ok(Self::Device(std::path::absolute(device)?)),
            files => Ok(Self::Files(OwnFiles::named(files)?)),
        }
    }

    pub(super) fn files(&self) -> Option<&OwnFiles> {
        match self {
            Self::Files(files) => Some(files),
            _ => None,
        }
    }

    /// Asks for these files where nothing else is asked for.
    pub(super) fn lay_over(&self, request: &mut Request) {
        let data = match self {
            Self::Nothing => return,
            Self::Set(data) => data.clone(),
            Self::Files(files) => {
                request.places = vec![Place::Directory(files.directory())];
                request.files = None;
                files.data()
            }
            Self::Device(path) => {
                request.places = vec![Place::Directory(path.clone())];
                request.sizes = vec![0];
                return;
            }
        };
        if request.sizes.is_empty() {
            request.sizes = vec![data.size_bytes];
        }
        request.files.get_or_insert(data.files);
        request.content.get_or_insert(data.content);
    }

    /// Takes out of the plans what is not done to the user's files: other places, and cold samples
    /// that were not asked for by name.
    pub(super) fn restrict(&self, bench: &Bench, plans: &mut [Plan]) -> anyhow::Result<()> {
        let place = match self {
            Self::Nothing | Self::Set(_) => return Ok(()),
            Self::Files(files) => Place::Directory(files.directory()),
            Self::Device(path) => Place::Directory(path.clone()),
        };
        let may_evict = bench.cache.iter().any(|state| state == CacheState::Cold.word());
        for plan in &mut *plans {
            if plan.scenario.is_some() {
                return Err(Hinted::error(
                    format!("{} makes and changes files of its own: it takes no --file or --tree", plan.name),
                    "files of yours are only read",
                ));
            }
            restrict(plan, &place, may_evict);
        }
        if let Self::Files(_) = self {
            refuse_only_writing(plans)?;
            if may_evict {
                output::note(
                    "note: your files are evicted from the page cache before each cold sample (--cache cold); \
                     nothing is written to them",
                );
            }
        }
        Ok(())
    }
}

fn restrict(plan: &mut Plan, place: &Place, may_evict: bool) {
    let here = plan.places.iter().position(|known| known == place);
    let mut kept = Vec::new();
    for comparison in std::mem::take(&mut plan.comparisons) {
        let cold =
            comparison.variants.iter().filter(|variant| variant.cache == CacheState::Cold && !may_evict);
        let reason = "your own files are evicted from the page cache only when --cache cold asks for it";
        plan.unmeasured.extend(cold.map(|variant| Unmeasured {
            method: variant.method.clone(),
            scope: Some(comparison.label.clone()),
            reason: reason.to_owned(),
        }));
        let fits = |variant: &fathom_model::Variant| {
            Some(variant.place) == here && (may_evict || variant.cache == CacheState::Warm)
        };
        if let Some(mut comparison) = comparison.retain(fits) {
            for variant in &mut comparison.variants {
                variant.place = 0;
            }
            kept.push(comparison);
        }
    }
    plan.comparisons = kept;
    plan.places = vec![place.clone()];
}

/// An error for an operation that is not done to files of the user's.
fn refuse_writing(operation: Operation) -> anyhow::Result<()> {
    if operation.reads_own_files() || operation == Operation::Null {
        return Ok(());
    }
    let reading: Vec<_> =
        Operation::ALL.into_iter().filter(|o| o.reads_own_files()).map(Operation::word).collect();
    Err(Hinted::error(
        format!("{operation} takes no --file or --tree: files of yours are only read"),
        format!("what can be done to them: {}", reading.join(", ")),
    ))
}

/// An error when nothing that an entry asks for only reads.
fn refuse_only_writing(plans: &[Plan]) -> anyhow::Result<()> {
    let variants = || plans.iter().flat_map(|plan| &plan.comparisons).flat_map(|c| &c.variants);
    let refused = |operation| refuse_writing(operation).is_err();
    match variants().next() {
        Some(first) if variants().all(|variant| refused(variant.operation)) => {
            refuse_writing(first.operation)
        }
        _ => Ok(()),
    }
}

/// What a file of a tree must hold.
fn least_bytes(bench: &Bench) -> anyhow::Result<u64> {
    let reads_a_block = |operation: Operation| operation.takes_block() && operation.reads_own_files();
    if !bench.what.iter().any(|what| what.parse().is_ok_and(reads_a_block)) {
        return Ok(0);
    }
    let mut least = if bench.block.is_empty() { BLOCK_BYTES } else { 0 };
    for text in &bench.block {
        least = least.max(fathom_catalog::parse_size("--block", text)?);
    }
    // Unaligned sequential blocks begin one byte into the file.
    Ok(least + u64::from(bench.alignment.as_deref() == Some("unaligned")))
}
