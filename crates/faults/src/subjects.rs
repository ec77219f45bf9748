//! The commands that are made to fail.

use crate::facts::{self, Facts};
use crate::ground::Ground;

/// A command of Fathom's.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// A short name.
    pub name: &'static str,
    /// Its words. What it writes is the target.
    pub words: &'static [&'static str],
    /// The words that read what it has written, if it writes; none where it is JSON and no more.
    pub(crate) reader: Option<&'static [&'static str]>,
    /// What is to be the same whenever it ends well.
    pub(crate) facts: fn(&Ground) -> Facts,
    /// Names that it may add below its folder, by how they begin.
    pub(crate) adds: &'static [&'static str],
    /// Faults of the short form and of the whole: what a run costs differs.
    pub(crate) budgets: (usize, usize),
}

/// Two processes that open and read.
const COMMAND: &str = "cat text; cat text";
const SHOW: Option<&[&str]> = Some(&["show", "target"]);
const AUDIT_EVENTS: Option<&[&str]> = Some(&["audit", "--from", "target"]);

/// Every command.
pub const SUBJECTS: &[Subject] = &[
    Subject {
        name: "bench",
        words: &["bench", "open-close", "--methods", "native:open", "--time", "0.05", "-o", "target"],
        reader: SHOW,
        facts: facts::of_record,
        adds: &[],
        budgets: (14, 250),
    },
    Subject {
        name: "count",
        words: &["count", "--no-prices", "--format", "json", "-o", "target", "--", "sh", "-c", COMMAND],
        reader: Some(&[]),
        facts: facts::of_count,
        adds: &[],
        budgets: (16, 250),
    },
    Subject {
        name: "audit, ring",
        words: &["audit", "--capture", "ring", "--format", "json", "-o", "target", "--", "sh", "-c", COMMAND],
        reader: SHOW,
        facts: facts::of_audit,
        adds: &[],
        budgets: (16, 350),
    },
    Subject {
        name: "audit, ptrace",
        words: &[
            "audit",
            "--capture",
            "ptrace",
            "--format",
            "json",
            "-o",
            "target",
            "--",
            "sh",
            "-c",
            COMMAND,
        ],
        reader: SHOW,
        facts: facts::of_audit,
        adds: &[],
        budgets: (16, 200),
    },
    Subject {
        name: "trace, ring",
        words: &["trace", "--capture", "ring", "-o", "target", "--", "sh", "-c", COMMAND],
        reader: AUDIT_EVENTS,
        facts: facts::of_trace,
        adds: &["target.cut"],
        budgets: (14, 350),
    },
    Subject {
        name: "trace, ptrace",
        words: &["trace", "--capture", "ptrace", "-o", "target", "--", "sh", "-c", COMMAND],
        reader: AUDIT_EVENTS,
        facts: facts::of_trace,
        adds: &["target.cut"],
        budgets: (14, 200),
    },
    Subject {
        name: "report",
        words: &["report", "record", "-o", "target"],
        reader: SHOW,
        facts: facts::of_nothing,
        adds: &[],
        budgets: (12, 600),
    },
    Subject {
        name: "verify --from",
        words: &["verify", "--from", "record", "open-go"],
        reader: None,
        facts: facts::of_output,
        adds: &[],
        budgets: (10, 450),
    },
    Subject {
        name: "audit --from",
        words: &["audit", "--from", "events", "--format", "json", "-o", "target"],
        reader: SHOW,
        facts: facts::of_audit,
        adds: &[],
        budgets: (10, 600),
    },
    Subject {
        name: "audit diff",
        words: &["audit", "diff", "audit", "audit", "--format", "json"],
        reader: None,
        facts: facts::of_difference,
        adds: &[],
        budgets: (4, 300),
    },
    Subject {
        name: "show",
        words: &["show", "record"],
        reader: None,
        facts: facts::of_output,
        adds: &[],
        budgets: (4, 300),
    },
    Subject {
        name: "export",
        words: &["export", "--format", "csv", "record"],
        reader: None,
        facts: facts::of_output,
        adds: &[],
        budgets: (4, 300),
    },
    Subject {
        name: "compare",
        words: &["compare", "record", "record", "--format", "json"],
        reader: None,
        facts: facts::of_output,
        adds: &[],
        budgets: (4, 300),
    },
    Subject {
        name: "prices",
        // Its children make every call of a price list by the thousand, and each would wait for us.
        words: &[
            "prices",
            "--quick",
            "--seconds",
            "0.05",
            "--only",
            "fstat",
            "--format",
            "json",
            "-o",
            "target",
        ],
        reader: Some(&["prices", "--show", "target"]),
        facts: facts::of_prices,
        adds: &[],
        budgets: (10, 350),
    },
];
