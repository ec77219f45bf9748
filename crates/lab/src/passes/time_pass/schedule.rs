//! The order of batches: random within each block, cut into requests by driver
//! process. Pure given its generator.

use crate::processes::protocol::Batch;
use fathom_model::{Arm, ArmKind};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The loop's cost is measured in one block of this many.
const LOOP_EVERY: u32 = 8;

/// One block: every arm that has a batch in it, in the order to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// Operations per batch, before an arm's divisor.
    pub(crate) operations: u32,
    /// Indices of arms, in order.
    pub(crate) order: Vec<usize>,
}

/// Operations of an arm's batch in a block.
pub(crate) fn operations_of(block: &Block, divisor: u32) -> u32 {
    (block.operations / divisor.max(1)).max(1)
}

/// Consecutive batches for one driver process: one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The process.
    pub(crate) seat: usize,
    /// Which block (counted in the slice given) and arm each batch belongs to.
    pub(crate) items: Vec<(usize, usize)>,
}

/// Draws the next `count` blocks of a fork, of which `done` are over; `takes_part`
/// says which arms are in them.
///
/// The batch length varies by up to a fifth from block to block, so that no
/// period of the machine's (a timer tick) can lock on to it.
pub(crate) fn draw_blocks(
    random: &mut Xoshiro256PlusPlus,
    arms: &[Arm],
    operations: u32,
    (done, count): (u32, u32),
    takes_part: impl Fn(usize) -> bool,
) -> Vec<Block> {
    (done..done + count)
        .map(|number| {
            let mut order: Vec<usize> = (0..arms.len())
                .filter(|&arm| takes_part(arm))
                .filter(|&arm| !matches!(arms[arm].kind, ArmKind::Loop(_)) || number % LOOP_EVERY == 0)
                .collect();
            order.shuffle(random);
            let operations = if operations > 1 {
                random.random_range(operations..=operations + operations / 5)
            } else {
                1
            };
            Block { operations, order }
        })
        .collect()
}

/// Cuts blocks into requests: maximal runs of batches of one process.
pub(crate) fn cut_into_requests(blocks: &[Block], arms: &[Arm]) -> Vec<Request> {
    let mut requests: Vec<Request> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        for &arm in &block.order {
            let seat = arms[arm].seat;
            match requests.last_mut() {
                Some(request) if request.seat == seat => request.items.push((number, arm)),
                _ => requests.push(Request { seat, items: vec![(number, arm)] }),
            }
        }
    }
    requests
}

/// The batch as the protocol has it: an untimed pre-roll wipes out what the
/// batch before it left in the caches of the CPU.
pub(crate) fn batch(slot: usize, operations: u32) -> Batch {
    let preroll = if operations == 1 { 0 } else { (operations / 20).max(2) };
    Batch { slot, operations, preroll }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn arms() -> Vec<Arm> {
        vec![
            Arm { kind: ArmKind::Variant(0), seat: 0 },
            Arm { kind: ArmKind::Variant(1), seat: 1 },
            Arm { kind: ArmKind::Control, seat: 0 },
            Arm { kind: ArmKind::Loop(0), seat: 0 },
        ]
    }

    #[test]
    fn every_arm_is_in_every_block_and_the_loop_in_one_of_eight() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let blocks = draw_blocks(&mut random, &arms(), 100, (0, 64), |_| true);
        let with_loop = blocks.iter().filter(|block| block.order.contains(&3)).count();
        assert_eq!(with_loop, 8);
        for block in &blocks {
            let mut order = block.order.clone();
            order.sort_unstable();
            assert_eq!(order[..3], [0, 1, 2]);
            assert!((100..=120).contains(&block.operations));
        }
    }

    #[test]
    fn each_arm_comes_first_about_equally_often() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let two = &arms()[..2];
        let blocks = draw_blocks(&mut random, two, 8, (0, 1000), |_| true);
        let first = blocks.iter().filter(|block| block.order[0] == 0).count();
        // Five standard deviations of a fair coin over 1000 throws.
        assert!((420..=580).contains(&first), "{first}");
    }

    #[test]
    fn requests_are_maximal_runs_in_order() {
        let block = |order: &[usize]| Block { operations: 1, order: order.to_vec() };
        let requests = cut_into_requests(&[block(&[0, 2, 1]), block(&[1, 0])], &arms());
        let seats: Vec<_> = requests.iter().map(|request| request.seat).collect();
        assert_eq!(seats, [0, 1, 0]);
        assert_eq!(requests[1].items, [(0, 1), (1, 1)]);
    }

    #[test]
    fn one_operation_stays_one() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        assert!(
            draw_blocks(&mut random, &arms(), 1, (0, 50), |_| true).iter().all(|block| block.operations == 1)
        );
        assert_eq!(batch(0, 1).preroll, 0);
        assert_eq!(batch(0, 100).preroll, 5);
        assert_eq!(batch(0, 8).preroll, 2);
    }
}
