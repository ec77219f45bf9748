//! What random blocks of a cold file have to cost, from the offsets drawn alone.
//!
//! With `FADV_RANDOM` the kernel reads what a call asks for and no more: one bio for each
//! run of pages that are not cached yet and lie beside each other on the device. With
//! `MADV_RANDOM` it reads page by page: each page touched for the first time is a major
//! fault and a bio. What a mapped block touches is the bytes at 0, 4096, … of it, which
//! the digest takes (drivers/PROTOCOL.md): an unaligned block ends on a page that it does
//! not touch.

use crate::passes::alone::Alone;
use crate::processes::expected::Block;
use fathom_collect::{OutsideReads, RequestLog, Requester};
use fathom_model::counter_name as name;
use fathom_model::{CacheState, Prediction, Reading, Setting};
use fathom_sys::extents::{Extent, extents};
use fathom_sys::file_system::{BTRFS, of_file};
use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

/// The kernel reads larger blocks in pieces.
const BLOCK_MAX_BYTES: u64 = 128 << 10;
/// Bytes between those that the digest takes.
const DIGEST_STEP_BYTES: u64 = 4096;

/// What Go's runtime adds: it preempts its threads by signals.
const INTERRUPTED: &str = "one for each distinct page of the offsets drawn; but one that a signal of Go's \
                           scheduler interrupts is taken again when its page is there, and counts as minor";

/// How a method reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By calls, with `FADV_RANDOM`.
    Call,
    /// Through a mapping, with `MADV_RANDOM`.
    Mapping,
}

/// A page of a file.
type Page = (usize, u64);

/// True where it can be said what a run has to cost.
pub(super) fn applies(alone: &Alone<'_>) -> bool {
    let settings = &alone.variant.parameters.settings;
    way(&alone.variant.method.name).is_some()
        && alone.variant.operation.reads_blocks()
        && alone.variant.cache == CacheState::Cold
        && alone.fixed_operations().is_some()
        && alone.expected.is_some()
        && !alone.in_memory
        && alone.variant.parameters.block_bytes <= BLOCK_MAX_BYTES
        && settings.number(Setting::Threads) == 1
        && settings.text(Setting::ReadAhead) == "device"
}

/// The predictions for operations from `first` on.
pub(super) fn of(
    alone: &Alone<'_>,
    layouts: Option<&Layouts>,
    first: u64,
    operations: u32,
) -> Vec<Prediction> {
    let page_bytes = rustix::param::page_size() as u64;
    let (Some(way), Some(expected)) = (way(&alone.variant.method.name), &alone.expected) else {
        return Vec::new();
    };
    let blocks = expected.blocks(first, operations);
    let needed: Vec<Vec<Page>> = blocks.map(|block| pages(way, block, page_bytes)).collect();
    let distinct = needed.iter().flatten().collect::<HashSet<_>>().len() as u64;
    let prediction = |name: &str, expected, because: &str| Prediction {
        name: name.to_owned(),
        expected,
        because: because.to_owned(),
    };
    let mut predictions = vec![
        prediction(name::FILE_PAGES_ADDED, distinct, "distinct pages of the offsets drawn"),
        prediction(name::READ_BYTES, distinct * page_bytes, "distinct pages of the offsets drawn"),
    ];
    match way {
        Way::Mapping => {
            let each = "one for each distinct page of the offsets drawn";
            let faults = if alone.variant.method.driver.starts_with("go") { INTERRUPTED } else { each };
            predictions.push(prediction(name::MAJOR_FAULTS, distinct, faults));
            predictions.push(prediction(name::BIO_QUEUE, distinct, each));
        }
        Way::Call => {
            if let Some(layouts) = layouts {
                let beside = |path: usize, page: u64| layouts.files[path].is_beside(page, page_bytes);
                let runs = runs(&needed, beside);
                predictions.push(prediction(name::BIO_QUEUE, runs, "runs of pages that were not cached yet"));
            }
        }
    }
    predictions
}

fn way(method: &str) -> Option<Way> {
    if method.ends_with("+FADV_RANDOM") {
        Some(Way::Call)
    } else if method.ends_with("+MADV_RANDOM") {
        Some(Way::Mapping)
    } else {
        None
    }
}

/// The pages that a block needs, ascending.
fn pages(way: Way, block: Block, page_bytes: u64) -> Vec<Page> {
    let Block { path, offset, bytes } = block;
    match way {
        Way::Call => {
            (offset / page_bytes..=(offset + bytes - 1) / page_bytes).map(|page| (path, page)).collect()
        }
        Way::Mapping => {
            let mut touched: Vec<Page> = (0..bytes.div_ceil(DIGEST_STEP_BYTES))
                .map(|step| (path, (offset + step * DIGEST_STEP_BYTES) / page_bytes))
                .collect();
            touched.dedup();
            touched
        }
    }
}

/// How many reads it takes when each brings in a run of pages that no block before it
/// needed. `beside` tells whether a page lies on the device right behind the one before it.
fn runs(blocks: &[Vec<Page>], beside: impl Fn(usize, u64) -> bool) -> u64 {
    let mut cached = HashSet::new();
    let mut runs = 0;
    for block in blocks {
        let mut under_way = false;
        for &(path, page) in block {
            let missing = cached.insert((path, page));
            runs += u64::from(missing && !(under_way && beside(path, page)));
            under_way = missing;
        }
    }
    runs
}

/// Where the files of a variant lie on their device. What is read elsewhere meanwhile is
/// metadata: the blocks that say where the files' blocks are leave memory as well.
#[derive(Debug)]
pub(super) struct Layouts {
    files: Vec<Layout>,
    /// Where the device begins on its disk, in bytes: a partition's requests count from there.
    /// `None` where no device is known.
    begins_at: Option<u64>,
}

impl Layouts {
    /// `None` where that cannot be known.
    pub(super) fn of(alone: &Alone<'_>) -> Option<Self> {
        let files = alone.files.iter().map(|path| Layout::of(path)).collect::<Option<_>>()?;
        // Only a partition has a start; it is in sectors of 512 bytes, as block events are.
        let begins_at = alone.device.as_ref().and_then(|device| {
            match std::fs::read_to_string(format!("/sys/dev/block/{device}/start")) {
                Ok(sectors) => Some(sectors.trim().parse::<u64>().ok()? * 512),
                Err(_) => Some(0),
            }
        });
        Some(Self { files, begins_at })
    }

    /// A log of what a process reads from now on.
    pub(super) fn log(pid: u32) -> Result<RequestLog, String> {
        let mut log = RequestLog::open_before_merging(Requester::Process(pid))?;
        log.start().map(|()| log)
    }

    /// What a log has of reads that are not of the files.
    pub(super) fn outside(&self, log: Result<&mut RequestLog, &mut String>) -> Reading<OutsideReads> {
        let outside = log.map_err(|reason| reason.clone()).and_then(|log| {
            let outside = log.stop_outside(|offset| !self.hold(offset))?;
            if outside.lost > 0 {
                Err(format!("{} block events were not kept", outside.lost))
            } else {
                Ok(outside)
            }
        });
        outside.into()
    }

    /// True when this offset of the disk belongs to one of the files, or may.
    fn hold(&self, disk_offset: u64) -> bool {
        let Some(begins_at) = self.begins_at else { return true };
        let Some(offset) = disk_offset.checked_sub(begins_at) else { return false };
        let mut extents = self.files.iter().flat_map(|file| &file.extents);
        extents.any(|extent| {
            let end = extent.device_offset + (extent.end() - extent.offset);
            (extent.device_offset..end).contains(&offset)
        })
    }
}

/// Where a file lies on its device.
#[derive(Debug)]
struct Layout {
    extents: Vec<Extent>,
}

impl Layout {
    /// `None` where that cannot be known, or is not where reads go.
    fn of(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        if of_file(&file).ok()?.magic == BTRFS {
            return None;
        }
        let extents = extents(&file, file.metadata().ok()?.len()).ok()?;
        let is_plain = |extent: &Extent| {
            !(extent.is_delayed() || extent.is_unknown() || extent.is_encoded() || extent.is_inline())
        };
        extents.iter().all(is_plain).then_some(Self { extents })
    }

    fn is_beside(&self, page: u64, page_bytes: u64) -> bool {
        let at = |page: u64| self.device_offset(page * page_bytes);
        match (page.checked_sub(1).and_then(at), at(page)) {
            (Some(before), Some(here)) => before + page_bytes == here,
            _ => false,
        }
    }

    fn device_offset(&self, offset: u64) -> Option<u64> {
        let index = self.extents.partition_point(|extent| extent.end() <= offset);
        let extent = self.extents.get(index).filter(|extent| extent.offset <= offset)?;
        Some(extent.device_offset + (offset - extent.offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(offset: u64, bytes: u64) -> Block {
        Block { path: 0, offset, bytes }
    }

    fn numbers(way: Way, block: Block) -> Vec<u64> {
        pages(way, block, 4096).into_iter().map(|(_, page)| page).collect()
    }

    #[test]
    fn a_mapped_block_touches_what_the_digest_takes() {
        assert_eq!(numbers(Way::Call, block(4096, 16_384)), [1, 2, 3, 4]);
        assert_eq!(numbers(Way::Mapping, block(4096, 16_384)), [1, 2, 3, 4]);
        assert_eq!(numbers(Way::Call, block(4097, 16_384)), [1, 2, 3, 4, 5]);
        assert_eq!(numbers(Way::Mapping, block(4097, 16_384)), [1, 2, 3, 4]);
        assert_eq!(numbers(Way::Mapping, block(4000, 100)), [0]);
        assert_eq!(pages(Way::Mapping, block(0, 65_536), 65_536), [(0, 0)], "large pages");
    }

    #[test]
    fn a_read_is_cut_where_a_page_is_cached_or_lies_elsewhere() {
        let of = |first: u64, last: u64| (first..=last).map(|page| (0, page)).collect::<Vec<Page>>();
        let everywhere = |_: usize, _: u64| true;
        assert_eq!(runs(&[of(0, 3), of(10, 13)], everywhere), 2);
        // Pages 2 and 3 are there: 0-1 and 4-5 in two reads.
        assert_eq!(runs(&[of(2, 3), of(0, 5)], everywhere), 3);
        assert_eq!(runs(&[of(0, 3), of(0, 3)], everywhere), 1);
        assert_eq!(runs(&[of(0, 3)], |_, page| page != 2), 2, "a new extent begins at page 2");
        assert_eq!(runs(&[vec![(0, 1)], vec![(1, 1)]], everywhere), 2, "two files");
    }

    #[test]
    fn methods_are_told_by_the_advice_they_end_in() {
        assert_eq!(way("syscall.Pread+FADV_RANDOM"), Some(Way::Call));
        assert_eq!(way("mmap+MADV_RANDOM"), Some(Way::Mapping));
        assert_eq!(way("mmap"), None);
    }
}
