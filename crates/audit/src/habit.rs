//! Cases that are worth a word only together: a little waste in each of many files is a habit.

use crate::cases::{Cases, Scene};
use crate::claims::Claims;
use crate::world::World;
use std::collections::BTreeMap;

/// A case that waits until it is known whether it is one of many.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) scene: Scene,
    pub(crate) count: u64,
    pub(crate) bytes: u64,
    pub(crate) calls: Claims,
}

/// Cases by process, and whether its runtime makes them or the program itself: the one is no habit of the other.
#[derive(Debug, Default)]
pub(crate) struct Habits {
    sums: BTreeMap<(u32, bool), Sum>,
}

#[derive(Debug, Default)]
struct Sum {
    count: u64,
    bytes: u64,
    waiting: Vec<Waiting>,
}

impl Habits {
    /// One more case of a process; `is_little` tells of a count and of bytes whether they are too
    /// few to be told. From when they are not, no case waits.
    pub(crate) fn add(
        &mut self,
        process: u32,
        case: Waiting,
        is_little: impl Fn(u64, u64) -> bool,
        cases: &mut Cases,
        world: &World,
    ) {
        let sum = self.sums.entry((process, case.scene.is_runtimes())).or_default();
        sum.count += case.count;
        sum.bytes += case.bytes;
        sum.waiting.push(case);
        if !is_little(sum.count, sum.bytes) {
            for Waiting { scene, count, calls, .. } in sum.waiting.drain(..) {
                cases.claim_scene(&scene, count, &calls, world);
            }
        }
    }
}
