//! A ring that is small at first: most of what the kernel takes to make one and to map it goes by its
//! size, and a command that ends soon needs little. It is exchanged for a larger one when much comes,
//! or when the command lives on.
//!
//! Programs look for the larger ring at each record. What is in the smaller one was written before, of
//! whatever hung together: it is emptied first, until no program can write into it any more. The kernel
//! may take long to say that none can. What comes into the larger one meanwhile is taken out, so that it
//! never fills, and is handed over behind that.

use fathom_sys::bpf::{Map, MapKind, RingReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A ring is exchanged when it was emptied so often: after some 50 ms.
const LOOKS: u32 = 25;
/// Or when a look finds more than this part of it filled.
const MUCH: u64 = 8;

/// The reader of the ring at hand.
#[derive(Debug)]
pub(super) struct GrowingRing {
    current: RingReader,
    growth: Growth,
    /// Records of the larger ring that wait for the last ones of the smaller.
    held: Vec<Box<[u8]>>,
}

#[derive(Debug)]
enum Growth {
    /// Where the larger one is to be put, and how large it is to be.
    Possible {
        place: Arc<Map>,
        bytes: u32,
        looks: u32,
        much: u64,
    },
    Coming(Arc<Coming>),
    /// There is no larger one, or this is it.
    Over,
}

/// What a thread of its own prepares: the kernel takes long over it.
#[derive(Debug, Default)]
struct Coming {
    reader: Mutex<Option<RingReader>>,
    /// No program writes into the smaller ring any more; or none will ever write into another.
    is_settled: AtomicBool,
}

impl GrowingRing {
    /// A ring of a size that stays.
    pub(super) fn fixed(reader: RingReader) -> Self {
        Self { current: reader, growth: Growth::Over, held: Vec::new() }
    }

    /// A ring of so many bytes that is exchanged for one of `bytes`, for which there is a place.
    pub(super) fn growing(reader: RingReader, first_bytes: u32, place: Arc<Map>, bytes: u32) -> Self {
        let much = u64::from(first_bytes) / MUCH;
        let growth = Growth::Possible { place, bytes, looks: 0, much };
        Self { current: reader, growth, held: Vec::new() }
    }

    /// Hands over every record that is there, in order. Returns how many bytes that were. `is_last`
    /// says that nothing of what is followed runs any more.
    pub(super) fn drain(&mut self, is_last: bool, take: &mut dyn FnMut(&[u8])) -> u64 {
        let coming = match &self.growth {
            Growth::Coming(coming) => Some(Arc::clone(coming)),
            _ => None,
        };
        // Asked before the look, so that this one sees everything.
        let is_settled =
            is_last || coming.as_ref().is_some_and(|coming| coming.is_settled.load(Ordering::SeqCst));
        let mut drained = self.current.drain(take);
        if let Some(coming) = coming {
            let mut larger = coming.reader.lock().unwrap_or_else(PoisonError::into_inner);
            if is_settled {
                self.growth = Growth::Over;
                for record in std::mem::take(&mut self.held) {
                    take(&record);
                }
                if let Some(larger) = larger.take() {
                    self.current = larger;
                    drained += self.current.drain(take);
                }
            } else if let Some(larger) = larger.as_mut() {
                drained += larger.drain(&mut |record| self.held.push(record.into()));
            }
        }
        self.grow_where_needed(drained);
        drained
    }

    fn grow_where_needed(&mut self, drained: u64) {
        let Growth::Possible { place, bytes, looks, much } = &mut self.growth else { return };
        *looks += 1;
        if *looks < LOOKS && drained <= *much {
            return;
        }
        let (coming, place, bytes) = (Arc::new(Coming::default()), Arc::clone(place), *bytes);
        let made = Arc::clone(&coming);
        let thread = thread::Builder::new().spawn(move || made.prepare(&place, bytes));
        // Without a thread the small one has to do.
        self.growth = thread.map_or(Growth::Over, |_| Growth::Coming(coming));
    }
}

impl Coming {
    fn prepare(&self, place: &Map, bytes: u32) {
        let ring = Map::create(MapKind::Ring, c"fathom_ring", (0, 0), bytes);
        let reader = ring.and_then(|ring| Ok((RingReader::new(&ring)?, ring)));
        // Where it cannot be made, for want of memory, the small one has to do.
        if let Ok((reader, ring)) = reader {
            // Before programs find it, so that its reader is there whenever there are records.
            *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(reader);
            if place.put_ring(0, &ring).is_err() {
                self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
            }
        }
        self.is_settled.store(true, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_trace::ring::probe::RingSize;
    use crate::file_trace::ring::probe::tests::attached;
    use crate::file_trace::ring::record::Record;
    use std::time::{Duration, Instant};

    const SMALL: RingSize = RingSize { first_bytes: 4096, bytes: 1 << 20 };

    #[test]
    fn nothing_is_lost_or_out_of_order_where_a_larger_ring_takes_over() {
        let Some((probe, mut ring, me)) = attached(SMALL) else { return };
        let (mut asked, mut seen) = (0_u32, Vec::new());
        let mut ask = |times: u32| {
            // Draining makes calls of its own.
            assert!(probe.follow(me));
            for _ in 0..times {
                let _ = rustix::fs::stat(format!("/none/{asked}"));
                asked += 1;
            }
            probe.forget(me);
        };
        let mut look = |ring: &mut GrowingRing, is_last| {
            ring.drain(is_last, &mut |record| {
                // Memory may be asked for, too.
                let text = Record::read(record).and_then(|record| Some(record.text()?.to_vec()));
                seen.extend(text.map(|text| String::from_utf8(text).unwrap()));
            })
        };
        let begun = Instant::now();
        while !matches!(ring.growth, Growth::Over) {
            assert!(begun.elapsed() < Duration::from_mins(1), "{ring:?}");
            ask(5);
            look(&mut ring, false);
        }
        // More than the first has room for.
        ask(500);
        look(&mut ring, true);
        assert_eq!(probe.lost(), 0);
        let expected: Vec<String> = (0..asked).map(|number| format!("/none/{number}")).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_was_written_while_the_larger_one_came_is_there_at_the_end() {
        let Some((probe, mut ring, me)) = attached(SMALL) else { return };
        let mut seen = 0;
        for _ in 0..LOOKS {
            ring.drain(false, &mut |_| seen += 1);
        }
        assert!(matches!(ring.growth, Growth::Coming(_)), "{ring:?}");
        // Into whichever ring; it may still be prepared when nothing more comes.
        for _ in 0..20 {
            probe.follow(me);
            let _ = rustix::fs::stat("/none");
            probe.forget(me);
            thread::sleep(Duration::from_micros(100));
        }
        ring.drain(true, &mut |_| seen += 1);
        assert_eq!((seen, probe.lost()), (20, 0));
    }
}
