//! From runs to the answer: what they say of times, less what the instrument adds.

use super::calibration::{On, added};
use super::meant::Meant;
use super::toggled::{self, Way};
use super::trial::Trial;
use super::{Asked, effect, median_of, reach, refusal, time};
use fathom_audit::{
    CallTime, CostAnswer, CostCalibration, CostControl, CostQuestion, CostReach, ReachedCalls,
};
use fathom_model::Reading;
use fathom_stats::DoseEffect;
use fathom_trace::repetition_cost_ns;

/// What the runs say.
pub(super) fn answer(
    asked: &Asked,
    meant: &Meant,
    (trials, calibration): (&[Trial], &[CostCalibration]),
    way: Option<&Way>,
) -> Reading<CostAnswer> {
    let reach = &reach(meant, asked.elide, trials);
    let mut reasons = match way {
        Some(Way::Windows(..)) => toggled::refusals(meant, trials),
        _ => refusal::of_behavior(meant, trials),
    };
    if reasons.is_empty() && reach.treated() == 0 {
        reasons.push(refusal::why_none_was_reached(reach));
    } else if reasons.is_empty() && asked.elide && reach.elided() == 0 {
        reasons.push(refusal::why_none_was_known(reach));
    }
    if !reasons.is_empty() {
        return Reading::Unavailable(reasons.join("; "));
    }
    match way {
        Some(Way::Windows(calls, _)) => of_windows(asked, meant, reach, (trials, calibration), *calls),
        _ => of_runs(asked, meant, reach, (trials, calibration)),
    }
}

/// What windows inside runs say.
fn of_windows(
    asked: &Asked,
    meant: &Meant,
    reach: &CostReach,
    (trials, calibration): (&[Trial], &[CostCalibration]),
    calls: u32,
) -> Reading<CostAnswer> {
    let estimate = toggled::estimate(asked, trials, calls);
    let is_borne = |effect: &DoseEffect| effect.slope.interval.is_bounded();
    let (wall, cpu) = (estimate.wall.filter(is_borne), estimate.cpu.filter(is_borne));
    let controls = wall.or(cpu).and_then(|effect| Some((time(effect.same)?, time(effect.bend)?)));
    let Some((same, bend)) = controls else {
        return Reading::Unavailable(format!(
            "{} pairs of windows bear no interval at 95 %: give it more --time, or --toggle runs",
            estimate.windows.pairs
        ));
    };
    let wall = match (toggled::why_no_wall(&estimate.windows), wall) {
        (Some(reason), _) => Reading::Unavailable(reason),
        (None, None) => Reading::unavailable("its thread stopped for Fathom in too many windows"),
        (None, Some(wall)) => refusal::unless_bent(&wall),
    };
    let cpu = match cpu {
        None => Reading::unavailable("the kernel does not say what a thread took of it"),
        Some(cpu) => refusal::unless_bent(&cpu),
    };
    joined_answer(asked, meant, reach, (trials, calibration), (wall, cpu), CostControl { same, bend })
}

/// What whole runs say.
fn of_runs(
    asked: &Asked,
    meant: &Meant,
    reach: &CostReach,
    (trials, calibration): (&[Trial], &[CostCalibration]),
) -> Reading<CostAnswer> {
    let wall = effect(asked.question, trials, |trial| trial.run.own_wall_ns());
    let cpu = effect(asked.question, trials, |trial| trial.run.cpu_ns);
    // As if all others stood while the one did that stood longest.
    let at_once = effect(asked.question, trials, |trial| trial.run.wall_ns.saturating_sub(trial.run.held_ns));
    let (Some(wall), Some(cpu)) = (wall, cpu) else {
        return Reading::Unavailable("no block of runs is whole".to_owned());
    };
    let (Some(same), Some(bend), true) = (time(wall.same), time(wall.bend), wall.slope.interval.is_bounded())
    else {
        let blocks = trials.iter().map(|trial| trial.run.block).max().unwrap_or(0);
        return Reading::Unavailable(format!(
            "{blocks} blocks of runs bear no interval at 95 %: give it more --time"
        ));
    };
    let times = (refusal::unless_bent(&wall), refusal::unless_bent(&cpu));
    let answer = joined_answer(asked, meant, reach, (trials, calibration), times, CostControl { same, bend });
    let Reading::Value(mut answer) = answer else { return answer };
    if let (Some(at_once), Reading::Value(_)) = (at_once, &answer.wall)
        && is_parallel(trials)
        && (at_once.slope.median - wall.slope.median).abs() > wall.slope.interval.half_width()
    {
        answer.wall = Reading::unavailable(
            "several of its threads stood while Fathom did its work, and whether at the same time is not known",
        );
    }
    // A delay is longer than what the watching takes, and is held against its own clock.
    if let Some(times) = answer.held_up().filter(|_| asked.question != CostQuestion::Slower) {
        answer.wall = Reading::Unavailable(format!(
            "under the instrument it takes {times:.1} times as long as alone, and waits for who watches it: what is gained \
             there is lost in waiting"
        ));
    }
    Reading::Value(answer)
}

/// The answer, without what the instrument adds.
fn joined_answer(
    asked: &Asked,
    meant: &Meant,
    reach: &CostReach,
    (trials, calibration): (&[Trial], &[CostCalibration]),
    (wall, cpu): (Reading<CallTime>, Reading<CallTime>),
    control: CostControl,
) -> Reading<CostAnswer> {
    let share = match if asked.elide { reach.elided() } else { reach.treated() } {
        0 => 1.0,
        treated => reach.reached() as f64 / treated as f64,
    };
    let exactly = |ns: f64| CallTime { median: ns, low: ns, high: ns };
    let calibrated = if asked.elide { calibrated(meant, reach, calibration) } else { None };
    let instrument = match asked.question {
        CostQuestion::Slower => Some(exactly(0.0)),
        _ if calibrated.is_some() => calibrated,
        CostQuestion::Without | CostQuestion::Twice => filter_ns(meant, reach).map(exactly),
    };
    let Some(instrument) = instrument else {
        return Reading::unavailable(
            "what the instrument's own filter adds to a call could not be measured, so that it cannot be subtracted",
        );
    };
    // What is left out takes less.
    let less = |time: Reading<CallTime>| {
        time.map(|time| if asked.elide { time.scaled(-1.0) } else { time }.less_about(instrument))
    };
    Reading::Value(CostAnswer {
        alone_ns: median_of(trials, None, |trial| trial.run.own_wall_ns()),
        watched_ns: median_of(trials, Some(0), |trial| trial.run.own_wall_ns()),
        wall: less(wall),
        cpu: if asked.question == CostQuestion::Slower {
            Reading::unavailable("a sleep takes little of it")
        } else {
            less(cpu)
        },
        instrument_ns: instrument.median,
        instrument_range_ns: calibrated.map(|instrument| (instrument.low, instrument.high)),
        meant_share: share.min(1.0),
        control,
    })
}

/// Whether threads of the command run at the same time, alone.
fn is_parallel(trials: &[Trial]) -> bool {
    /// More than so many times the wall time are on CPUs.
    const MORE: f64 = 1.1;
    let cpu = median_of(trials, None, |trial| trial.run.cpu_ns);
    let wall = median_of(trials, None, |trial| trial.run.wall_ns);
    cpu > MORE * wall
}

/// What the instrument adds to all calls that are made and might have been left out; `None` where its programs show
/// nothing of some of them.
fn calibrated(meant: &Meant, reach: &CostReach, calibration: &[CostCalibration]) -> Option<CallTime> {
    let mut sum = CallTime { median: 0.0, low: 0.0, high: 0.0 };
    for calls in reach.calls.iter().filter(|calls| calls.elided.unwrap_or(0) > 0) {
        let on_descriptor = meant.descriptor_share(&calls.call);
        for (on, share) in [(On::Path, 1.0 - on_descriptor), (On::Descriptor, on_descriptor)] {
            if share > 0.0 {
                let of_all = added(calibration, on)?.scaled(share * calls.elided? as f64);
                sum = CallTime {
                    median: sum.median + of_all.median,
                    low: sum.low + of_all.low,
                    high: sum.high + of_all.high,
                };
            }
        }
    }
    Some(sum)
}

/// What the filter adds to all treated calls, made once more; `None` where that of one is not known.
fn filter_ns(meant: &Meant, reach: &CostReach) -> Option<f64> {
    let of_call = |calls: &ReachedCalls| {
        if let Some(elided) = calls.elided {
            return Some(repetition_cost_ns(&calls.call)? * elided as f64);
        }
        // What was opened again is closed again.
        let closes = meant.opened_share(&calls.call);
        let of_closes = if closes > 0.0 { closes * repetition_cost_ns("close")? } else { 0.0 };
        Some((repetition_cost_ns(&calls.call)? + of_closes) * calls.treated as f64)
    };
    reach.calls.iter().filter(|calls| calls.treated > 0).map(of_call).sum()
}
