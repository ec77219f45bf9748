//! What a comparison of a driver that is many has beside others: the counts of each rank, the summary
//! of their times, and what is not taken of ranks.

use super::Lab;
use crate::drivers::launcher::Launcher;
use crate::passes::count::DataMoved;
use crate::passes::ranks::{RankCount, count_ranks};
use fathom_model::{Comparison, CountPass, Explain, RankRun, Reading, Setting, Severity, Variant, Warning};
use fathom_stats::summarize_ranks;

/// The code of the note that says what is not taken of ranks.
const NOT_OF_RANKS: &str = "not-of-ranks";

impl Lab<'_> {
    /// Counts the calls of every rank; the result is rank 0's.
    pub(super) fn count_of_ranks(
        &mut self,
        variant: &Variant,
        launcher: &Launcher,
        data: DataMoved,
    ) -> Reading<CountPass> {
        let asked = self.drivers.driver_of(&variant.method).and_then(|driver| {
            let arguments = self.arguments(variant, true)?;
            Ok((driver, arguments))
        });
        let counts = match asked {
            Ok((driver, arguments)) => {
                let arguments = &arguments;
                count_ranks(&RankCount { driver, launcher, arguments, data, stop: self.stop })
            }
            Err(reason) => vec![Reading::unavailable(reason); launcher.ranks as usize],
        };
        let first = counts.first().cloned().unwrap_or_else(|| Reading::unavailable("no ranks"));
        self.rank_counts.push((variant.clone(), counts));
        first
    }

    /// What the ranks of a comparison did, where its drivers run as several.
    pub(super) fn rank_run(&self, comparison: &Comparison) -> Option<RankRun> {
        let launcher = self.drivers.launcher()?;
        let counts = |variant: &Variant| {
            let key = Variant { cache: fathom_model::CacheState::Warm, ..variant.clone() };
            let known = self.rank_counts.iter().find(|(counted, _)| {
                Variant { cache: fathom_model::CacheState::Warm, ..counted.clone() } == key
            });
            known.map_or_else(Vec::new, |(_, counts)| counts.clone())
        };
        let variants = 0..comparison.variants.len();
        Some(RankRun {
            ranks: launcher.ranks,
            launcher: launcher.words.clone(),
            counts: comparison.variants.iter().map(counts).collect(),
            summaries: variants.map(|variant| summarize_ranks(comparison.into(), variant)).collect(),
        })
    }

    /// Whether the passes that look at one process are left out, which is noted where some were asked for.
    pub(super) fn leaves_out_passes(&self, asked: &[Explain], comparison: &mut Comparison) -> bool {
        if self.drivers.launcher().is_none() {
            return false;
        }
        let watched = comparison
            .variants
            .iter()
            .any(|variant| variant.parameters.settings.text(Setting::Timeline) == "on");
        if !asked.is_empty() || watched {
            let text =
                "kernel counters, stacks, latencies and timelines are of one process: not taken of ranks";
            comparison.warnings.push(Warning::new(Severity::Note, NOT_OF_RANKS, text));
        }
        true
    }
}
