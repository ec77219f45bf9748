//! Plain data that every part of Fathom speaks: operations, methods, variants,
//! readings, samples and records.
//!
//! **Invariant:** nothing here touches a file, a clock, a process or the
//! environment, and nothing here decides: mathematics lives in `stats`,
//! wording in `report`.

mod breakdown;
mod cache;
mod call_condition;
mod ceiling;
mod claim;
mod command_comparison;
mod command_count;
mod conditions;
mod content;
mod count;
mod driver;
mod environment;
mod estimate;
mod explanation;
mod kernel_counter;
mod latency_buckets;
mod live_calls;
mod long_run;
mod method;
mod operation;
mod own_files;
mod place;
mod price;
mod profile;
mod ranks;
mod reading;
mod record;
mod region;
mod reported;
mod sample;
mod setting;
mod validity;
mod variant;
mod warning;
mod write_up;

pub use breakdown::{Bound, Breakdown, Part, PartKind};
pub use cache::{CacheEvidence, CacheState, DentryState, Proof, VoidCount};
pub use call_condition::{CallCondition, CallFlags, CallForm, FileState, ReachedBy, call_form};
pub use ceiling::{Ceiling, CeilingKind};
pub use claim::{Check, Claim, Fact, FairCheck, Form, Metric, Subject};
pub use command_comparison::{
    COMMAND_COMPARISON_VERSION, CommandArm, CommandBlock, CommandComparison, CommandComparisonKind,
    CommandOutput, CommandRanks, CommandRun, CommandSetting, ComparedCommand, RankStart, RunCalls, RunCounts,
};
pub use command_count::{
    COMMAND_COUNT_VERSION, CallOutcome, CallSum, CallTally, CommandCount, CommandPrices, CountedCalls,
    CountedProcess, CountedThread, Cut, ExecutedProgram, FileKind, OTHER_FILE_SYSTEM, PricedCalls,
    ProcessEnd,
};
pub use conditions::{Conditions, PlaceKind};
pub use content::{Content, ContentError, splitmix64};
pub use count::{CallCount, CountPass, RecipeStep};
pub use driver::{Description, DriverFacts, MethodDescription, PROTOCOL_VERSION};
pub use environment::{Environment, Floor, Floors, ForeignTracer, Noise};
pub use estimate::{Control, Estimate, Spread, VariantSummary};
pub use explanation::{Explain, Explanation, LatencyDistribution};
pub use kernel_counter::{
    CounterUnit, EvidencePass, KernelCounter, Prediction, PredictionOutcome, RequestSizes, Scope,
    counter_name,
};
pub use latency_buckets::LatencyBuckets;
pub use live_calls::{LIVE_CALLS_VERSION, LiveCalls, LiveRow, LiveTarget};
pub use long_run::{Latency, LongRun, TimelinePoint};
pub use method::{MethodId, ParseMethodError, is_direct};
pub use operation::{
    AnswerKind, Operation, OperationFacts, ParseOperationError, Question, Transfer, WorksOn,
};
pub use own_files::{OwnFileFacts, OwnFilesFacts};
pub use place::{DeviceFacts, Place, PlaceFacts};
pub use price::{Price, PriceList, Unpriced};
pub use profile::{FoldedStack, Profile};
pub use ranks::{ForkRanks, RankEstimate, RankFacts, RankRun, RankSamples, RankSummary};
pub use reading::Reading;
pub use record::{
    Answered, AnsweredFigure, Comparison, ExperimentRecord, FigureQuantile, Outcome, OutcomeCount,
    OutcomeFigure, Record, SCHEMA_VERSION, StopReason, Unmeasured,
};
pub use region::Region;
pub use reported::{Figure, Publication, Quantity};
pub use sample::{Arm, ArmKind, ArmSamples, Fork, WarmUp};
pub use setting::{Setting, SettingKind, SettingValue, Settings};
pub use validity::{Feature, ValidityFlag, ValidityProblem};
pub use variant::{Access, Alignment, BufferUse, DataSet, Parameters, Variant};
pub use warning::{LEFT_OVER, Severity, Warning};
pub use write_up::{ClaimPath, ParseClaimPathError, Statement, StatementKind, StatementVerdict, WriteUp};
