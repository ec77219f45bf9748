//! What the samples of each variant showed of their cache state.

use super::CacheGuard;
use crate::cache::cache_control::CacheController;
use crate::processes::protocol::Done;
use fathom_model::{CacheEvidence, CacheState, DentryState, Proof, VoidCount};
use std::collections::BTreeMap;

/// One variant's samples.
#[derive(Debug)]
pub(super) struct VariantEvidence {
    pub(super) seat: usize,
    pub(super) void: BTreeMap<String, u64>,
    pub(super) device_read_bytes: Result<u64, String>,
    pub(super) operations: u64,
    /// Pages of the files that ranks were about to read, by their own look.
    pub(super) pages: u64,
}

/// What ranks saw of their files in their own hosts' caches, just before a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct CachedPages {
    pub(super) files: u64,
    pub(super) resident: u64,
}

impl CachedPages {
    /// `None` where not every rank could tell, or none was asked.
    pub(super) fn take(done: &mut Done) -> Option<Self> {
        let mut figure = |name: &str| done.figures.remove(name);
        Some(Self { files: figure("file_pages")?, resident: figure("resident_pages")? })
    }
}

impl CacheGuard {
    /// What was shown, one entry per variant.
    pub(crate) fn into_evidence(self) -> Vec<CacheEvidence> {
        let mut shown: Vec<CacheEvidence> = self.controllers.iter().map(CacheController::evidence).collect();
        for evidence in shown.iter_mut().filter(|evidence| evidence.file_pages == 0) {
            if self.of_copies && evidence.state == CacheState::Warm {
                evidence.proof =
                    Proof::NotApplicable("another rank wrote the files just before each batch".to_owned());
            }
            if self.of_new_files {
                evidence.proof =
                    Proof::NotApplicable("what is written was not there before: it has no state".to_owned());
            }
        }
        for evidence in shown.iter_mut().filter(|_| self.is_elsewhere) {
            evidence.dentry = DentryState::Unknown;
        }
        if let Some(reason) = &self.blind {
            // Resident before and after does not show what happened in between.
            for evidence in &mut shown {
                if evidence.proof == Proof::Proven {
                    evidence.proof = Proof::Unknown(reason.clone());
                }
            }
        }
        self.variants
            .into_iter()
            .map(|variant| CacheEvidence {
                device_read_bytes: variant.device_read_bytes.into(),
                device_read_operations: variant.operations,
                void: variant
                    .void
                    .into_iter()
                    .map(|(reason, samples)| VoidCount { reason, samples })
                    .collect(),
                file_pages: variant.pages.max(shown[self.of_seat[variant.seat]].file_pages),
                ..shown[self.of_seat[variant.seat]].clone()
            })
            .collect()
    }
}

impl VariantEvidence {
    /// Adds what one sample, or several, read from a device.
    pub(super) fn add(&mut self, bytes: Result<u64, String>) {
        self.device_read_bytes = match (std::mem::replace(&mut self.device_read_bytes, Ok(0)), bytes) {
            (Ok(sum), Ok(bytes)) => Ok(sum + bytes),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        };
    }
}
