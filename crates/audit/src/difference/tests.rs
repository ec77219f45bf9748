//! Two audits beside each other, by hand.

use super::*;
use crate::prices::CallPrice;
use fathom_model::{Estimate, FileKind};

/// 100 ns for whatever is no directory.
struct Hundred;

impl Prices for Hundred {
    fn price(&self, call: &CountedCalls) -> Option<CallPrice> {
        let wall_ns = Estimate { value: 100.0, low: None, high: None, confidence: 0.95, forks: 1 };
        (call.on != Some(FileKind::Directory)).then_some(CallPrice {
            wall_ns,
            is_of_plain_call: false,
            note: None,
        })
    }
}

fn stats(on: FileKind, count: u64) -> CountedCalls {
    CountedCalls {
        call: "fstat".to_owned(),
        outcome: CallOutcome::Succeeded,
        flags: String::new(),
        path_components: None,
        size_class_bytes: None,
        on: Some(on),
        bytes: 0,
        count,
    }
}

fn price_of(before: &[CountedCalls], after: &[CountedCalls]) -> (Option<f64>, i64) {
    let side = |calls: &[CountedCalls]| Side {
        name: String::new(),
        subject: String::new(),
        calls: calls.to_vec(),
        findings: None,
        tree: None,
        gaps: Vec::new(),
        rules: RuleChoice::default(),
    };
    let difference = AuditDifference::new(&side(before), &side(after), &Hundred, "");
    assert_eq!(difference.calls.len(), 1);
    (difference.calls[0].price_ns, difference.calls[0].without_price)
}

#[test]
fn calls_without_a_price_cancel_where_both_sides_have_as_many() {
    let (files, fewer) = (stats(FileKind::Regular, 9), stats(FileKind::Regular, 4));
    let directories = stats(FileKind::Directory, 3);
    assert_eq!(
        price_of(&[files.clone(), directories.clone()], &[fewer, directories.clone()]),
        (Some(-500.0), 0)
    );
    assert_eq!(price_of(&[files.clone(), directories.clone()], std::slice::from_ref(&files)), (None, -3));
    // Those that have one are priced, and how many have none is said beside them.
    let more = stats(FileKind::Regular, 900);
    assert_eq!(price_of(&[files], &[more, directories]), (Some(89_100.0), 3));
}
