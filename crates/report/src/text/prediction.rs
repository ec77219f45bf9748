//! Random blocks of a cold file: the pages that the offsets drawn need, beside what
//! was read and what was faulted in.

use crate::page::{Ink, Page};
use crate::quantity::{grouped, three_digits};
use crate::standing::{by_time, summary};
use crate::volume::fixed_operations;
use fathom_model::{Access, Alignment, CacheState, Comparison, Variant};

/// A line per variant that read random blocks, cold, in batches of fixed length.
pub(crate) fn render(page: &mut Page, comparison: &Comparison, labels: &[String], page_bytes: u64) {
    let lines: Vec<_> = by_time(comparison)
        .into_iter()
        .filter_map(|index| Some((index, line(comparison, index, page_bytes)?)))
        .collect();
    let Some((first, _)) = lines.first() else { return };
    page.blank();
    let variant = &comparison.variants[*first];
    let operations = fixed_operations(variant).unwrap_or(1);
    let by_chance = expectation(variant, operations, page_bytes)
        .map_or_else(String::new, |pages| format!(", {} by expectation", grouped(pages)));
    let drawn = in_all(comparison, *first, "distinct_pages", operations).unwrap_or(0);
    page.paragraph(
        2,
        Ink::Plain,
        &format!(
            "pages of {page_bytes} B that {} blocks at random need: {} for the offsets drawn{by_chance}",
            grouped(operations),
            grouped(drawn)
        ),
    );
    for (index, text) in lines {
        page.hanging(&format!("    {}: ", labels[index]), 6, Ink::Plain, &text);
    }
}

/// What one variant read and faulted in, in pages and beside the prediction.
fn line(comparison: &Comparison, index: usize, page_bytes: u64) -> Option<String> {
    let variant = &comparison.variants[index];
    let cold = variant.cache == CacheState::Cold && variant.operation.reads_blocks();
    let operations = fixed_operations(variant).filter(|_| cold)?;
    let of = |key: &str| in_all(comparison, index, key, operations);
    let needed = of("distinct_pages")?;
    let mut parts = Vec::new();
    if let Some(read) = of("task_read_bytes") {
        let pages = read.div_ceil(page_bytes);
        parts.push(format!("read {} pages ({} times)", grouped(pages), share(pages, needed)));
    }
    let (minor, major) = (of("minflt").unwrap_or(0), of("majflt").unwrap_or(0));
    if minor + major > operations / 100 {
        parts.push(format!("{} faults, {} of them major", grouped(minor + major), grouped(major)));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn share(pages: u64, needed: u64) -> String {
    three_digits(pages as f64 / needed.max(1) as f64)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts are not negative")]
fn in_all(comparison: &Comparison, index: usize, key: &str, operations: u64) -> Option<u64> {
    let per_operation = summary(comparison, index)?.runtime_per_operation.get(key)?;
    Some((per_operation * operations as f64).round() as u64)
}

/// Distinct pages of k aligned blocks drawn from N, by expectation: a block is left
/// out k times with probability (1 - 1/N)^k.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of pages")]
fn expectation(variant: &Variant, operations: u64, page_bytes: u64) -> Option<u64> {
    let parameters = &variant.parameters;
    let aligned = parameters.alignment == Alignment::Aligned && parameters.access == Access::Random;
    if !aligned || !parameters.block_bytes.is_multiple_of(page_bytes) || parameters.data.files != 1 {
        return None;
    }
    let blocks = (parameters.data.size_bytes / parameters.block_bytes) as f64;
    let left_out = (operations as f64 * (-1.0 / blocks).ln_1p()).exp();
    let pages = blocks * (1.0 - left_out) * (parameters.block_bytes / page_bytes) as f64;
    Some(pages.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Content, DataSet, MethodId, Operation, Parameters};

    fn variant(size_bytes: u64, block_bytes: u64) -> Variant {
        let data = DataSet { files: 1, size_bytes, content: Content::Random };
        Variant {
            method: MethodId::new("native", "pread"),
            operation: Operation::ReadBlock,
            place: 0,
            cache: CacheState::Cold,
            parameters: Parameters::new(data, block_bytes),
        }
    }

    #[test]
    fn the_expectation_is_that_of_draws_with_replacement() {
        // Two draws from two blocks of one page: both the same in half of all cases.
        assert_eq!(expectation(&variant(8192, 4096), 2, 4096), Some(2));
        // The publication's: 100,000 draws from 262,144 blocks of one 16 KiB page.
        let published = expectation(&variant(4 << 30, 16 << 10), 100_000, 16 << 10).unwrap();
        assert!((83_000..83_200).contains(&published), "{published}");
        assert_eq!(expectation(&variant(1 << 20, 1000), 10, 4096), None, "blocks that are no whole pages");
    }
}
