//! What is being done, in words.

use super::LiveState;
use crate::quantity::{number, percent, things};
use crate::written::short_ratio;
use fathom_model::Estimate;
use fathom_stats::Aim;

/// What a run does at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pass<'a> {
    /// Nothing has begun.
    Starting,
    /// A case of a scenario is tried in a setting.
    Trying(&'a str, &'a str),
    /// Files are written: bytes so far, of how many.
    MakingData(u64, u64),
    /// A method is tried out.
    Checking(OneOf<'a>),
    /// A method's calls are counted.
    Counting(OneOf<'a>),
    /// Forks are timed.
    Timing,
    /// What the machine can give at most is measured.
    Ceilings,
    /// A method is looked at in a pass of its own, which the word names.
    Explaining(&'a str, OneOf<'a>),
    /// Calls are priced in a directory: processes so far, of how many.
    Pricing(&'a str, u32, u32),
    /// A run of a command is counted.
    CountingCommand(OneOf<'a>),
    /// Commands are timed: blocks so far, new over old, and the half width that is wanted.
    TimingCommands(usize, Option<&'a Estimate>, f64),
}

/// One thing of several that are gone through.
pub type OneOf<'a> = super::Position<'a>;

impl Pass<'_> {
    /// How much of it is done, where it can be told.
    pub(super) fn done(&self) -> Option<f64> {
        let share = |done: f64, of: f64| (of > 0.0).then_some(done / of);
        match *self {
            Self::MakingData(done, of) => share(done as f64, of as f64),
            Self::Pricing(_, done, of) => share(f64::from(done), f64::from(of)),
            Self::CountingCommand(one) => share(one.number as f64, one.of as f64),
            _ => None,
        }
    }
}

/// The line that says what is being done.
pub(super) fn words(state: &LiveState<'_>) -> String {
    let one = |what: &str, one: OneOf<'_>| format!("{what} {}, {} of {}", one.name, one.number + 1, one.of);
    match state.pass {
        Pass::Starting => "starting".to_owned(),
        Pass::Trying(case, setting) => format!("trying {case}: {setting}"),
        Pass::MakingData(done, of) => {
            format!("writing files, {} of {} MiB", done >> 20, of.div_ceil(1 << 20))
        }
        Pass::Checking(method) => one("trying", method),
        Pass::Counting(method) => one("counting calls of", method),
        Pass::Timing => timing(state),
        Pass::Ceilings => "measuring what the machine can give at most".to_owned(),
        Pass::Explaining(what, method) => one(&format!("{what} of"), method),
        Pass::Pricing(directory, done, of) => {
            format!("prices of calls in {directory}, {done} of {of} processes")
        }
        Pass::CountingCommand(command) => {
            format!("counting calls of {}, run {} of {}", command.name, command.number + 1, command.of)
        }
        Pass::TimingCommands(blocks, ratio, wanted) => {
            let ratio = match ratio {
                Some(ratio) if ratio.interval().is_some() => {
                    format!("new over old {}", short_ratio(ratio).phrase())
                }
                _ => "no interval yet".to_owned(),
            };
            let blocks = things(blocks as u64, "block");
            format!("timing, {blocks}: {ratio}; ends early at {}", half_width(wanted))
        }
    }
}

fn timing(state: &LiveState<'_>) -> String {
    let Some(times) = &state.times else { return "timing".to_owned() };
    if times.forks == 0 {
        return "timing, first fork".to_owned();
    }
    let forks = things(times.forks as u64, "fork");
    if state.clock.is_over() {
        return format!("timing, {forks}; time budget used; finishing the last run");
    }
    match times.aim {
        Aim::Precision { wanted, reached: None } => {
            format!("timing, {forks}; ends early at {}", half_width(wanted))
        }
        Aim::Precision { wanted, reached: Some(reached) } => {
            format!("timing, {forks}; ends early at {}, is at {}", half_width(wanted), half_width(reached))
        }
        Aim::Verdicts { of: 0, .. } => format!("timing, {forks}"),
        Aim::Verdicts { open, of } => {
            format!("timing, {forks}; ends when {} are sure, {open} open", things(of as u64, "verdict"))
        }
    }
}

fn half_width(share: f64) -> String {
    match share * 100.0 {
        small if small < 9.95 => format!("±{} %", number(small.max(0.01), if small < 0.095 { 2 } else { 1 })),
        _ => format!("±{}", percent(share)),
    }
}
