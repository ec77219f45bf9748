//! Which calls of a runtime's threads are looked at where that is not done at every call: the first ones from
//! each stack of the runtime's own, and of the others one in so many. Scripts may call from many lines by one
//! stack of their runtime.

/// The first calls from a stack.
pub(super) const FIRST_FROM_STACK: u32 = 256;
/// And of the others one in so many: a prime, so that the lines of a loop take turns.
pub(super) const STRIDE: u32 = 61;

/// Whether a call is looked at, by which one from its stack it is, from 1.
pub(super) fn is_turn(number: u32) -> bool {
    number <= FIRST_FROM_STACK || number.is_multiple_of(STRIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_loop_take_turns() {
        assert!((1..=FIRST_FROM_STACK).all(is_turn));
        for lines in 2..=60 {
            let looked_at = (FIRST_FROM_STACK + 1..20_000).filter(|number| is_turn(*number));
            let seen: std::collections::BTreeSet<u32> = looked_at.map(|number| number % lines).collect();
            assert_eq!(seen.len(), lines as usize, "{lines} lines");
        }
    }
}
