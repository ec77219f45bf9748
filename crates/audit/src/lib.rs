//! What a program wastes or risks on its file path: events become identities and open
//! files, those become findings by rules.
//!
//! **Invariant:** pure. Nothing here opens a file, reads a clock or asks the
//! environment; prices are given, and durations seen under a tracer price nothing.

mod audit;
mod auditor;
mod bisection;
mod budget;
mod budget_outcome;
mod call_key;
mod call_sites;
mod call_tree;
mod cases;
mod change;
mod chosen_calls;
mod claims;
mod classed_calls;
#[cfg(test)]
mod clean;
mod code_owners;
mod commit;
mod container;
mod difference;
mod fact;
mod family;
mod finding;
mod first_look;
mod gap;
mod glob;
mod habit;
mod hits;
mod interest;
mod knowledge;
mod moment;
mod open_flags;
mod own_questions;
mod path_class;
mod path_set;
mod prices;
mod recent;
mod render;
#[cfg(test)]
mod robustness;
mod rule;
mod rule_choice;
mod rule_list;
mod rules;
#[cfg(test)]
mod script;
mod severity;
mod shared_path;
mod shim;
mod signs;
#[cfg(test)]
mod some_stacks;
mod suppression;
mod tracked_run;
mod transfers;
#[cfg(test)]
mod trio;
mod waited;
mod what_if;
mod world;

pub use audit::{AUDIT_VERSION, Audit, AuditKind, AuditedCommand, Savings};
pub use auditor::Auditor;
pub use bisection::{
    BISECTION_VERSION, Bisection, BisectionEnd, BisectionKind, BisectionOutcome, BisectionStep, FoundCommit,
    StepSide, put_asked_first,
};
pub use budget::{Budget, BudgetError};
pub use budget_outcome::{BudgetCalls, BudgetOutcome, BudgetVerdict};
pub use call_key::errno_name;
pub use call_tree::{
    CallLatencies, CallSums, CallTree, CallTreeCourse, CallTreeDirectory, CallTreeGroup, CallTreeItem,
    CallTreeProgram, CallTreeRow, CallTreeSlice, CallTreeWait, LatencyBucket,
};
pub use change::{
    CHANGE_REPORT_VERSION, CallChange, ChangeReport, ChangeReportKind, ChangeVerdict, CommandChange,
    ComparedSide, CountRange, RunsDifference, SideGap, compare_runs, is_varying,
};
pub use chosen_calls::{CallsChosen, ChosenCalls};
pub use classed_calls::{
    CallClass, CallFilter, CallTarget, ClassedCalls, CodeLine, OutcomeClass, ReadLine, RunCalls,
};
pub use code_owners::CodeOwners;
pub use commit::Commit;
pub use container::{AuditedContainer, ContainerFile, ContainerLayer, ContainerProcess};
pub use difference::{
    AUDIT_DIFFERENCE_VERSION, AuditDifference, CallDifference, DifferenceKind, FindingChange,
    FindingDifference, ItemDifference, Side, SideSum, findings_of_runs,
};
pub use fact::{AuditFact, FactKind};
pub use finding::{
    Doubt, ExampleCall, Finding, FindingClass, FindingPlace, FindingPrice, Frame, Owner, PathCount, RuleId,
    Severity, Suppression, WholeFinding,
};
pub use gap::{Gap, GapKind};
pub use open_flags::words as open_flag_words;
pub use path_class::PathClasses;
pub use path_set::PathSet;
pub use prices::{CallPrice, PriceList, Prices};
pub use rule::{Guard, RuleFacts, RuleSentence};
pub use rule_choice::RuleChoice;
pub use rule_list::rule_facts;
pub use tracked_run::{
    RunFacts, TRACKED_RUN_VERSION, TrackedCommand, TrackedCount, TrackedEnd, TrackedLine, TrackedRun,
    TrackedTime, all_calls, tracked_counts,
};
pub use waited::{FileWait, FileWaits};
pub use what_if::{
    AddedTime, CALL_COST_VERSION, CallCost, CallCostKind, CallTime, ClassTrips, CloseRequest,
    ComparedAnswers, CostAnswer, CostCalibration, CostControl, CostGroup, CostMethod, CostQuestion,
    CostReach, CostRun, CostToggling, CostWindows, FileSystemModel, GroupTime, Lifetime, LifetimeWord,
    OpenRequest, PathTrips, PermissionCheck, ReachedCalls, RequestClass, TripCounter, TripEstimate,
    TripExperiment, UnknownTrips, WHAT_IF_VERSION, WhatIf, WhatIfKind, WritePolicy, WrittenFiles,
};
pub use world::{PathFacts, ReadPath, Tolerance};
