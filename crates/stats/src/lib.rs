//! Estimators, confidence sequences and sequential decisions.
//!
//! The unit of inference is the fork (fresh driver processes): a fork's blocks
//! are reduced to one value, and intervals are drawn over those values. Effects
//! are logarithms of time ratios until the last step.
//!
//! **Invariant:** nothing here touches a file, a clock, a process, the
//! environment or a source of randomness; equal arguments give equal results.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests may read the files that they hold something against")
)]

mod allocation;
mod breakdown;
mod command_comparison;
mod count_steps;
mod decision;
mod dose;
mod fork_values;
mod interval;
mod method_caveat;
mod method_choice;
mod order;
mod price_lookup;
mod ranks;
mod record_comparison;
mod regime;
mod robust;
mod sequence;
mod steady;
mod student;
mod summary;
mod time_shifts;
mod timed_effect;
mod validity;
mod window_pairs;

pub use allocation::{BLOCKS_PER_FORK, ForkCost, ForkVariances, blocks_per_fork, fork_variances};
pub use breakdown::{BreakdownParts, Limit, LimitDoubt, break_down, limit, quote_recipe, rest_share};
pub use command_comparison::ranking::{
    COMMANDS_RANKED_VERSION, CommandsRanked, OutputVerdict, RankedCommand, rank_commands,
};
pub use command_comparison::{
    COMMANDS_COMPARED_VERSION, CommandGate, CommandsCompared, FigureUnit, RunFigure, compare_commands,
    run_ratio,
};
pub use count_steps::{CountHistory, CountPoint, CountStep, count_history};
pub use decision::{
    Aim, FUTILITY_FROM_FORKS, VERDICT_FROM_FORKS, Verdict, decide, forks_for_precision, forks_for_verdict,
    is_futile, is_precise, relative_half_width,
};
pub use dose::{DoseBlock, DoseEffect, DoseValue, dose_effect};
pub use fork_values::{ForkFigures, block_ln_ratios, fork_figures};
pub use interval::Interval;
pub use method_caveat::{MethodCaveat, method_caveats, unranked};
pub use method_choice::{
    Caveat, CellSource, Certainty, DECISION_VERSION, DecidedRecord, Decision, DecisionAnswer, DecisionCell,
    DecisionConditions, DecisionError, DecisionMatrix, DecisionQuestion, DecisionSource, Dimension,
    Elsewhere, Excluded, Gain, Indifference, MethodTime, Pattern, Reach, Rival, RivalStanding, Seconds,
    UsualWay, answer_question, decision_matrix, is_made_here, languages_to_ask_for,
};
pub use order::quantile_interval;
pub use price_lookup::{Quote, quote_counted};
pub use ranks::{StartsSummary, WorstStart, summarize_ranks, summarize_starts};
pub use record_comparison::{
    AllocationComparison, CallDifference, CallRange, CallsComparison, Change, CompareOptions,
    ConditionDifference, ConditionWeight, Design, Drift, Gate, GateError, GateMetric, GateResult,
    GateVerdict, NotInterleaved, RECORD_COMPARISON_VERSION, RatioChange, RecordComparison, RecordName,
    TimeComparison, Unmatched, VariantComparison, VariantGate, VariantName, compare_builds, compare_records,
};
pub use regime::{Split, find_split};
pub use robust::{mad_sigma, median, quantile};
pub use sequence::{SignPrior, combined_sequence, sign_sequence, t_sequence};
pub use steady::{STEADY_WINDOW_BLOCKS, SteadyDetector};
pub use summary::{Parts, net_ratio, summarize};
pub use time_shifts::{TimeShift, time_shifts};
pub use timed_effect::{TimedEffect, TimedQuestion};
pub use validity::{
    CommandSeen, FileDeeds, SharedConditions, SideSeen, is_guarded, is_own_function, judge_validity,
    validity_of_commands, validity_of_comparison,
};
pub use window_pairs::{PAIRS_IN_ROW, WindowPair, window_blocks};
