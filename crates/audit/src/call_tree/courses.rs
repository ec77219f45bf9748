//! What the slices of a run were for: a few things that together have all of its calls.

use super::CallTreeCourse;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// So many things are told apart, and all others are one.
const MOST_COURSES: usize = 7;
/// An item that has at least one of so many calls of the run is told apart from its group.
const ITEM_PART: u64 = 8;
/// What is less than one of so many calls is one of the others.
const SMALL_PART: u64 = 100;

/// Calls of a slice by group and item.
pub(super) type ByItem<'a> = BTreeMap<(&'a str, &'a str), u64>;

/// Large items by themselves, the rest of each group, and what is left, in the order in which half of their calls
/// were made: so that phases of a run follow each other. No call is in two of them, and each is in one.
pub(super) fn courses(slices: &[ByItem<'_>]) -> Vec<CallTreeCourse> {
    let mut of_items: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (item, calls) in slices.iter().flatten() {
        *of_items.entry(*item).or_default() += calls;
    }
    let all: u64 = of_items.values().sum();
    let mut items_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (group, _) in of_items.keys() {
        *items_of.entry(group).or_default() += 1;
    }
    let key = |(group, item): (&str, &str)| {
        let is_apart = of_items[&(group, item)] * ITEM_PART >= all || items_of[group] == 1;
        (group.to_owned(), is_apart.then(|| item.to_owned()))
    };
    let mut rows: BTreeMap<(String, Option<String>), Vec<u64>> = BTreeMap::new();
    for (number, slice) in slices.iter().enumerate() {
        for (item, calls) in slice {
            rows.entry(key(*item)).or_insert_with(|| vec![0; slices.len()])[number] += calls;
        }
    }
    let mut rows: Vec<_> = rows
        .into_iter()
        .map(|((group, item), calls)| CallTreeCourse { group: Some(group), item, calls })
        .collect();
    let sum = |course: &CallTreeCourse| course.calls.iter().sum::<u64>();
    rows.sort_by_key(|course| Reverse(sum(course)));
    let large = rows.iter().take(MOST_COURSES).take_while(|course| sum(course) * SMALL_PART >= all).count();
    // One that is left is named itself.
    let large = if large + 1 == rows.len() { rows.len() } else { large };
    let others = rows.split_off(large);
    rows.sort_by_key(|course| (middle(&course.calls), Reverse(sum(course))));
    if !others.is_empty() {
        let mut calls = vec![0; slices.len()];
        for other in others {
            calls.iter_mut().zip(other.calls).for_each(|(sum, calls)| *sum += calls);
        }
        rows.push(CallTreeCourse { group: None, item: None, calls });
    }
    rows
}

/// The slice in which half of the calls are reached.
fn middle(calls: &[u64]) -> usize {
    let all: u64 = calls.iter().sum();
    let mut reached = 0;
    let is_half = |calls: &u64| {
        reached += calls;
        reached * 2 >= all
    };
    calls.iter().position(is_half).unwrap_or(0)
}
