//! `null` by several threads: the handing out and the loop of `spread` and
//! `parts` without the reads.

use super::batch::Sums;
use super::clock;
use super::crew::Crew;
use super::sink::Sink;
use super::spread::lock;
use std::sync::Mutex;

/// Threads that do nothing but sum up.
pub(crate) struct NullCrew {
    crew: Crew,
    shares: Vec<Mutex<Share>>,
}

/// What a thread found.
#[derive(Default)]
struct Share {
    sums: Sums,
    latencies_ns: Vec<u64>,
}

impl NullCrew {
    pub(crate) fn new(crew: Crew, threads: usize) -> Self {
        Self { crew, shares: (0..threads).map(|_| Mutex::default()).collect() }
    }

    /// Makes room for the times of a batch.
    pub(crate) fn reserve_latencies(&self, operations: usize) {
        for share in &self.shares {
            lock(share).latencies_ns.resize(operations.div_ceil(self.shares.len()), 0);
        }
    }

    /// Every operation of a batch, number i by thread i mod T.
    pub(crate) fn spread(
        &self,
        operations: usize,
        latencies_ns: Option<&mut [u64]>,
        perform: impl Fn(usize, &mut Sink) + Sync,
    ) -> Sums {
        let (threads, timed) = (self.shares.len(), latencies_ns.is_some());
        self.crew.share(&|number| {
            let share = &mut *lock(&self.shares[number]);
            let mut sums = Sums::default();
            let mut last = if timed { clock::monotonic_ns() } else { 0 };
            for (index, operation) in (number..operations).step_by(threads).enumerate() {
                let mut sink = Sink::counting();
                perform(operation, &mut sink);
                sums.add(&sink);
                if timed {
                    let now = clock::monotonic_ns();
                    share.latencies_ns[index] = now - last;
                    last = now;
                }
            }
            share.sums = sums;
        });
        if let Some(latencies_ns) = latencies_ns {
            for (number, share) in self.shares.iter().enumerate() {
                let places = latencies_ns.iter_mut().skip(number).step_by(threads);
                places.zip(&lock(share).latencies_ns).for_each(|(place, &ns)| *place = ns);
            }
        }
        self.sum()
    }

    /// One operation in as many parts as there are threads.
    pub(crate) fn share(&self, part: impl Fn(usize, &mut Sink) + Sync) -> Sums {
        self.crew.share(&|number| {
            let mut sink = Sink::counting();
            part(number, &mut sink);
            let mut sums = Sums::default();
            sums.add(&sink);
            lock(&self.shares[number]).sums = sums;
        });
        self.sum()
    }

    fn sum(&self) -> Sums {
        let mut sums = Sums::default();
        self.shares.iter().for_each(|share| sums.add_sums(lock(share).sums));
        sums
    }
}
