//! Which finding gets a call that several accuse: the one whose fix removes the most calls. The
//! others keep what is left to them, so that findings can be added up.

use super::Claims;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A finding that accuses calls.
#[derive(Debug, Clone)]
pub(crate) struct Contender {
    pub(crate) rule: u16,
    pub(crate) claims: Claims,
    /// How many calls have to be made in place of those that it accuses.
    pub(crate) instead: u64,
    /// It says of many calls what others say more exactly of some.
    pub(crate) is_general: bool,
    /// Nobody wants to hear of it: it gets what no other finding accuses.
    pub(crate) is_set_aside: bool,
}

/// Numbers of the calls that were given away.
#[derive(Debug, Default)]
struct Taken(Vec<u64>);

/// What each finding keeps when no call is accused twice. Of two that remove as many calls, the
/// rule of the higher number keeps them: rules that look at more of a program come later.
pub(crate) fn give_each_call_to_one(contenders: &[Contender]) -> Vec<Claims> {
    let mut taken = Taken::default();
    let mut kept: Vec<Claims> = contenders.iter().map(|contender| contender.claims.clone()).collect();
    let place = |at: usize, gain: u64| {
        let Contender { rule, is_general, is_set_aside, .. } = contenders[at];
        (Reverse(is_set_aside), Reverse(is_general), gain, rule, Reverse(at))
    };
    let accusers = (0..contenders.len()).filter(|at| !contenders[*at].claims.is_anonymous());
    let mut waiting: BinaryHeap<_> = accusers.map(|at| place(at, contenders[at].gain(&taken))).collect();
    while let Some((_, _, gain, _, Reverse(at))) = waiting.pop() {
        let contender = &contenders[at];
        let left = contender.gain(&taken);
        if left < gain {
            waiting.push(place(at, left));
            continue;
        }
        kept[at] = contender.claims.kept(|_, number| !taken.holds(number));
        kept[at].numbers().for_each(|number| taken.add(number));
    }
    kept
}

impl Contender {
    /// How many calls fewer there are when it is mended, of those that are not given away.
    fn gain(&self, taken: &Taken) -> u64 {
        let lost = self.claims.numbers().filter(|number| taken.holds(*number)).count() as u64;
        let all = self.claims.calls();
        let left = all.saturating_sub(lost);
        // In 128 bits: the product of two counts goes beyond 64.
        let instead = u128::from(self.instead) * u128::from(left) / u128::from(all.max(1));
        left.saturating_sub(u64::try_from(instead).unwrap_or(u64::MAX))
    }
}

impl Taken {
    fn holds(&self, number: u64) -> bool {
        self.0.get(word(number)).is_some_and(|bits| bits & bit(number) != 0)
    }

    fn add(&mut self, number: u64) {
        if self.0.len() <= word(number) {
            self.0.resize(word(number) + 1, 0);
        }
        self.0[word(number)] |= bit(number);
    }
}

fn word(number: u64) -> usize {
    usize::try_from(number / 64).expect("as many events fit into memory")
}

fn bit(number: u64) -> u64 {
    1 << (number % 64)
}

#[cfg(test)]
mod tests {
    use super::super::tests::three_keys;
    use super::*;
    use crate::claims::Claim;

    fn contender(rule: u16, numbers: impl IntoIterator<Item = u64>) -> Contender {
        let key = three_keys()[1];
        let claims = numbers.into_iter().map(|number| Claim { key, bytes: 10, number, place: None });
        Contender { rule, claims: claims.collect(), instead: 0, is_general: false, is_set_aside: false }
    }

    /// Numbers of the calls that each keeps.
    fn kept(contenders: &[Contender]) -> Vec<Vec<u64>> {
        give_each_call_to_one(contenders).iter().map(|claims| claims.numbers().collect()).collect()
    }

    #[test]
    fn the_fix_that_removes_most_keeps_its_calls() {
        let (most, some) = (contender(13, 0..10), contender(15, 8..14));
        let few = contender(21, [13, 20]);
        let found = kept(&[some, most, few]);
        assert_eq!(found[1], (0..10).collect::<Vec<_>>());
        assert_eq!((&found[0][..], &found[2][..]), (&[10, 11, 12, 13][..], &[20][..]));
    }

    #[test]
    fn what_is_left_decides_and_not_what_was_accused() {
        // Nothing is left of the second when it is its turn.
        let found = kept(&[contender(1, 0..8), contender(2, 1..8), contender(3, 7..12)]);
        assert_eq!((found[0].len(), found[1].len(), found[2].len()), (8, 0, 4));
    }

    #[test]
    fn no_call_is_given_twice_and_none_is_lost() {
        let all = [contender(1, (0..40).step_by(2)), contender(2, (0..40).step_by(3)), contender(3, 5..25)];
        let mut given: Vec<_> = kept(&all).into_iter().flatten().collect();
        given.sort_unstable();
        let mut accused: Vec<u64> = all.iter().flat_map(|one| one.claims.numbers()).collect();
        accused.sort_unstable();
        accused.dedup();
        assert_eq!(given, accused);
    }

    #[test]
    fn of_equals_the_later_rule_keeps_them() {
        assert_eq!(kept(&[contender(33, 0..5), contender(15, 0..5)]), [vec![0, 1, 2, 3, 4], vec![]]);
    }

    #[test]
    fn an_exchange_is_worth_less_than_a_removal() {
        let exchange = Contender { instead: 10, ..contender(21, 0..10) };
        assert_eq!(kept(&[exchange, contender(13, 0..3)])[1], [0, 1, 2]);
    }

    #[test]
    fn general_sentences_and_what_is_set_aside_get_the_rest() {
        let general = Contender { is_general: true, ..contender(16, 0..10) };
        let aside = Contender { is_set_aside: true, ..contender(15, 0..10) };
        let found = kept(&[aside, general, contender(17, 0..3)]);
        assert_eq!((found[0].len(), found[1].len(), found[2].len()), (0, 7, 3));
    }
}
