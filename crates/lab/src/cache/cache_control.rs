//! Cache states that are proven: brought about before each sample, checked
//! before and after it, and a sample without proof is void with the reason.

mod eviction;
mod mappings;
mod read_ahead;
mod void_reason;
mod watched;

pub use eviction::{drop_caches, may_drop_caches};
pub use read_ahead::ReadAhead;
pub use void_reason::VoidReason;

use fathom_collect::Residency;
use fathom_model::{CacheEvidence, CacheState, DentryState, Proof, Reading, VoidCount};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use watched::Watched;

/// Descriptors kept open between checks; files beyond are opened for each check,
/// which costs an open and a close but no limit is met.
const KEPT_OPEN: usize = 256;
const UNKEPT: &str = "no sample was kept";

/// Puts back the read-ahead that a killed run of Fathom left changed. One sentence
/// for each device.
pub fn restore_leftover_read_ahead() -> Vec<String> {
    crate::drivers::driver_build::cache_directory()
        .map(|path| read_ahead::restore_leftovers(&path))
        .unwrap_or_default()
}

/// Why a cache state cannot be controlled at all.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// A file cannot be opened.
    #[error("open {}: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the kernel said.
        error: std::io::Error,
    },
    /// The machine's caches may not be dropped by this user.
    #[error("{path}: {error}: dropping caches is for root only", path = eviction::DROP_CACHES)]
    DropRefused {
        /// What the kernel said.
        error: std::io::Error,
    },
}

/// What one check showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// `Proven`, or `Unknown` when the kernel would not tell.
    pub proof: Proof,
    /// Pages of all files in the page cache, where the kernel tells.
    pub resident_pages: Option<u64>,
    /// Pages of all files.
    pub total_pages: u64,
}

/// Keeps the files of one variant in the state it asks for.
///
/// Around each sample: [`prepare`](Self::prepare), the sample, then [`after`](Self::after) to keep it or
/// [`discard`](Self::discard) when it is void for a reason of the caller's.
/// Drivers must have released the files before `prepare` of a cold sample.
#[derive(Debug)]
pub struct CacheController {
    files: Vec<Watched>,
    state: CacheState,
    drop_caches: bool,
    in_memory: bool,
    /// The check before the sample that runs now.
    pending: Option<Check>,
    tally: Tally,
}

/// What all samples so far showed.
#[derive(Debug, Default)]
struct Tally {
    checks: u64,
    kept: u64,
    file_pages: u64,
    resident_max: Option<u64>,
    resident_min: Option<u64>,
    unknown: Option<String>,
    drops: u64,
    void: BTreeMap<&'static str, u64>,
}

impl CacheController {
    /// Takes charge of `paths`. With `drop_caches`, cold samples find dentries and
    /// inodes dropped too, the whole machine's; only root may. `in_memory` says that
    /// the place is a memory file system, which is never cold.
    pub fn new(
        paths: &[PathBuf],
        state: CacheState,
        drop_caches: bool,
        in_memory: bool,
    ) -> Result<Self, CacheError> {
        // Where dentries are dropped for one variant, no descriptor of ours may hold the
        // inode, not even for a warm one of the same files.
        let may_keep = !drop_caches;
        let drop_caches = drop_caches && state == CacheState::Cold && !in_memory;
        if drop_caches {
            eviction::check_may_drop().map_err(|error| CacheError::DropRefused { error })?;
        }
        let keep = |number: usize| number < KEPT_OPEN && may_keep;
        let files = paths.iter().enumerate().map(|(number, path)| {
            Watched::new(path, keep(number)).map_err(|error| CacheError::Open { path: path.clone(), error })
        });
        let files = files.collect::<Result<_, _>>()?;
        Ok(Self { files, state, drop_caches, in_memory, pending: None, tally: Tally::default() })
    }

    /// Brings the files into the state and proves it.
    pub fn prepare(&mut self) -> Result<Check, VoidReason> {
        self.pending = None;
        let result = match self.state {
            CacheState::Warm => self.prepare_warm(),
            CacheState::Cold if self.in_memory => Err(VoidReason::InMemory),
            CacheState::Cold => self.prepare_cold(),
        };
        let check = self.voided(result)?;
        self.pending = Some(check.clone());
        Ok(check)
    }

    /// Checks that the state held, and keeps the sample: warm files must still be
    /// resident. What devices read meanwhile is the caller's to judge.
    pub fn after(&mut self) -> Result<Check, VoidReason> {
        let result = match self.pending.take() {
            Some(pending) => self.check_after(&pending).map(|check| (check, pending)),
            None => Err(VoidReason::NotPrepared),
        };
        let (check, pending) = self.voided(result)?;
        self.tally.keep(&check, &pending);
        Ok(check)
    }

    /// Forgets a sample that is void for a reason of the caller's.
    pub fn discard(&mut self, reason: &'static str) {
        self.pending = None;
        *self.tally.void.entry(reason).or_default() += 1;
    }

    /// How many of the two counts `drop_pagecache` and `drop_slab` of
    /// `/proc/vmstat` are this controller's own doing.
    pub fn cache_drops(&self) -> u64 {
        self.tally.drops * 2
    }

    /// What all checks so far amount to.
    pub fn evidence(&self) -> CacheEvidence {
        let tally = &self.tally;
        CacheEvidence {
            state: self.state,
            proof: self.proof(),
            dentry: if tally.drops > 0 { DentryState::Dropped } else { DentryState::Warm },
            file_pages: tally.file_pages,
            checks: tally.checks,
            resident_pages_before_max: tally.resident_max,
            resident_pages_before_min: tally.resident_min,
            device_read_bytes: Reading::unavailable(UNKEPT),
            device_read_operations: 0,
            void: tally
                .void
                .iter()
                .map(|(reason, &samples)| VoidCount { reason: (*reason).to_owned(), samples })
                .collect(),
        }
    }

    fn proof(&self) -> Proof {
        if self.in_memory && self.state == CacheState::Cold {
            return Proof::NotApplicable(VoidReason::InMemory.to_string());
        }
        match &self.tally.unknown {
            Some(reason) => Proof::Unknown(reason.clone()),
            None if self.tally.kept == 0 => Proof::Unknown(UNKEPT.to_owned()),
            None => Proof::Proven,
        }
    }

    fn prepare_warm(&mut self) -> Result<Check, VoidReason> {
        // A check costs less than reading the files, and mostly shows that no reading is needed.
        match self.check_warm(VoidReason::not_warm) {
            Ok(check) if check.proof == Proof::Proven => Ok(check),
            _ => {
                self.files.iter().try_for_each(Watched::read_through)?;
                self.check_warm(VoidReason::not_warm)
            }
        }
    }

    fn prepare_cold(&mut self) -> Result<Check, VoidReason> {
        for file in &self.files {
            eviction::evict(file)?;
        }
        let check =
            self.check(
                |file, seen| {
                    if seen.is_empty() { Ok(()) } else { Err(eviction::why_resident(file, seen)) }
                },
            )?;
        if self.drop_caches {
            // No descriptor of ours is open now: one would hold its dentry.
            drop_caches()
                .map_err(|error| VoidReason::io("drop_caches", eviction::DROP_CACHES.as_ref(), &error))?;
            self.tally.drops += 1;
        }
        Ok(check)
    }

    fn check_after(&mut self, before: &Check) -> Result<Check, VoidReason> {
        if self.state == CacheState::Cold {
            // What a cold sample read is in the cache now; the proof was before it.
            return Ok(before.clone());
        }
        self.check_warm(VoidReason::left_cache)
    }

    fn check_warm(&mut self, lacking: fn(&Path, &Residency) -> VoidReason) -> Result<Check, VoidReason> {
        self.check(|file, seen| if seen.is_complete() { Ok(()) } else { Err(lacking(file.path(), seen)) })
    }

    /// Asks the kernel about every file and judges each answer.
    fn check(
        &mut self,
        judge: impl Fn(&Watched, &Residency) -> Result<(), VoidReason>,
    ) -> Result<Check, VoidReason> {
        let (mut resident, mut total) = (0, 0);
        let mut unknown = None;
        self.tally.checks += 1;
        for file in &self.files {
            match file.residency()? {
                Reading::Value(seen) => {
                    judge(file, &seen)?;
                    resident += seen.resident_pages;
                    total += seen.total_pages;
                }
                Reading::Unavailable(reason) => {
                    total += file.pages();
                    unknown = Some(reason);
                }
            }
        }
        self.tally.file_pages = total;
        let resident_pages = unknown.is_none().then_some(resident);
        Ok(Check { proof: unknown.map_or(Proof::Proven, Proof::Unknown), resident_pages, total_pages: total })
    }

    fn voided<T>(&mut self, result: Result<T, VoidReason>) -> Result<T, VoidReason> {
        if let Err(reason) = &result {
            *self.tally.void.entry(reason.phrase()).or_default() += 1;
        }
        result
    }
}

impl Tally {
    fn keep(&mut self, after: &Check, before: &Check) {
        self.kept += 1;
        for check in [before, after] {
            if let Proof::Unknown(reason) = &check.proof {
                self.unknown.get_or_insert_with(|| reason.clone());
            }
        }
        if let Some(resident) = before.resident_pages {
            self.resident_max = Some(self.resident_max.map_or(resident, |most| most.max(resident)));
            self.resident_min = Some(self.resident_min.map_or(resident, |least| least.min(resident)));
        }
    }
}

#[cfg(test)]
mod tests;
