//! Gates: what may not become worse, and by how much. A gate fails when it
//! surely fails, holds when it surely holds, and is inconclusive between.

use super::VariantComparison;
use super::calls::CallsComparison;
use super::change::Change;
use super::matching::VariantName;
use super::times::TimeComparison;
use fathom_model::{Estimate, Reading};
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Sums of exact counts agree to this.
const COUNT_ROUNDING: f64 = 1e-9;

/// What a gate looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateMetric {
    /// System calls per operation, all together.
    Calls,
    /// Those of one name, whatever their result.
    Call(String),
    /// Time per operation, new over old.
    Time,
    /// The ratio to the baseline, new over old.
    Ratio,
}

/// `METRIC > LIMIT`: fails when the metric grew by more than the limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// What it looks at.
    pub metric: GateMetric,
    /// Calls per operation, or percent for times and ratios.
    pub limit: f64,
}

/// Why words are no gate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// The parts are not there.
    #[error("`{0}` is no gate: one is written `METRIC > +LIMIT`, like `calls > +0` or `time > +2%`")]
    Form(String),
    /// Not a metric.
    #[error("unknown metric `{0}`: there are `calls`, `calls:NAME`, `time` and `ratio`")]
    Metric(String),
    /// Not a limit.
    #[error("`{0}` is no limit: it is a sign and a number, like `+0` or `+2%`")]
    Limit(String),
    /// A percentage of calls.
    #[error("`{0}`: calls are exact, their limit is a number of calls per operation, like `+0`")]
    Percent(String),
    /// A number without its percent sign.
    #[error("`{0}`: the limit of a time or a ratio is in percent, like `+2%`")]
    NoPercent(String),
}

/// What became of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateVerdict {
    /// Surely not beyond the limit.
    Holds,
    /// The evidence does not decide.
    Inconclusive,
    /// Surely beyond the limit.
    Fails,
}

/// A gate over every matched variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateResult {
    /// The gate, as it is written.
    pub gate: Gate,
    /// All variants together: fails when one does.
    pub verdict: GateVerdict,
    /// Each variant that it speaks of.
    pub variants: Vec<VariantGate>,
}

/// A gate and one variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariantGate {
    /// The variant.
    #[serde(flatten)]
    pub name: VariantName,
    /// What became of it.
    pub verdict: GateVerdict,
    /// What was measured, in words.
    pub evidence: String,
}

impl FromStr for Gate {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        let form = || GateError::Form(text.to_owned());
        let (metric, limit) = text.split_once('>').ok_or_else(form)?;
        let (metric, limit) = (metric.trim(), limit.trim());
        if metric.is_empty() || limit.is_empty() || limit.contains(['>', '<', '=']) {
            return Err(form());
        }
        let metric = match metric.split_once(':') {
            None if metric == "calls" => GateMetric::Calls,
            None if metric == "time" => GateMetric::Time,
            None if metric == "ratio" => GateMetric::Ratio,
            Some(("calls", name)) if is_name(name) => GateMetric::Call(name.to_owned()),
            _ => return Err(GateError::Metric(metric.to_owned())),
        };
        let (number, is_percent) = match limit.strip_suffix('%') {
            Some(number) => (number.trim_end(), true),
            None => (limit, false),
        };
        let no_limit = || GateError::Limit(limit.to_owned());
        let digits = number.strip_prefix(['+', '-']).ok_or_else(no_limit)?;
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return Err(no_limit());
        }
        let value: f64 = number.parse().map_err(|_| no_limit())?;
        let is_time = matches!(metric, GateMetric::Time | GateMetric::Ratio);
        match (is_time, is_percent) {
            (true, false) => Err(GateError::NoPercent(limit.to_owned())),
            (false, true) => Err(GateError::Percent(limit.to_owned())),
            (true, true) if value <= -100.0 => Err(no_limit()),
            _ if !value.is_finite() => Err(no_limit()),
            _ => Ok(Self { metric, limit: value }),
        }
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.metric {
            GateMetric::Calls => write!(f, "calls > {:+}", self.limit),
            GateMetric::Call(name) => write!(f, "calls:{name} > {:+}", self.limit),
            GateMetric::Time => write!(f, "time > {:+}%", self.limit),
            GateMetric::Ratio => write!(f, "ratio > {:+}%", self.limit),
        }
    }
}

impl Serialize for Gate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Holds a gate against every variant it speaks of.
pub(super) fn judge(gate: &Gate, variants: &[VariantComparison]) -> GateResult {
    let judged: Vec<_> = variants.iter().filter_map(|variant| judge_variant(gate, variant)).collect();
    let any = |verdict| judged.iter().any(|variant| variant.verdict == verdict);
    let verdict = if any(GateVerdict::Fails) {
        GateVerdict::Fails
    } else if any(GateVerdict::Inconclusive) || judged.is_empty() {
        GateVerdict::Inconclusive
    } else {
        GateVerdict::Holds
    };
    GateResult { gate: gate.clone(), verdict, variants: judged }
}

/// `None` for a variant that the gate does not speak of: a baseline has no ratio.
fn judge_variant(gate: &Gate, variant: &VariantComparison) -> Option<VariantGate> {
    let (verdict, evidence) = match &gate.metric {
        GateMetric::Calls | GateMetric::Call(_) => judge_calls(gate, &variant.calls, "per operation"),
        GateMetric::Time => judge_time(gate, &variant.time),
        GateMetric::Ratio if variant.name.is_baseline => return None,
        GateMetric::Ratio => match &variant.ratio {
            Reading::Value(ratio) => judge_ratio(gate, &ratio.ratio_simultaneous, ratio.change),
            Reading::Unavailable(reason) => (GateVerdict::Inconclusive, reason.clone()),
        },
    };
    Some(VariantGate { name: variant.name.clone(), verdict, evidence })
}

/// Holds a gate of calls against those of one thing, counted `per` something.
pub(crate) fn judge_calls(gate: &Gate, calls: &Reading<CallsComparison>, per: &str) -> (GateVerdict, String) {
    let calls = match calls {
        Reading::Value(calls) => calls,
        Reading::Unavailable(reason) => return (GateVerdict::Inconclusive, reason.clone()),
    };
    let named = |call: &str| match &gate.metric {
        GateMetric::Call(name) => name == call,
        _ => true,
    };
    let (mut least, mut most) = (0.0, 0.0);
    for call in calls.by_call.iter().filter(|call| named(&call.call)) {
        let (low, high) = call.change();
        least += low;
        most += high;
    }
    let what = match &gate.metric {
        GateMetric::Call(name) => format!("{name} {per}"),
        _ => format!("calls {per}"),
    };
    let evidence = if most - least <= COUNT_ROUNDING {
        format!("{:+} {what}", rounded(least))
    } else {
        format!("between {:+} and {:+} {what}: the count varied", rounded(least), rounded(most))
    };
    (verdict(least - COUNT_ROUNDING, most - COUNT_ROUNDING, gate.limit), evidence)
}

/// Holds a gate of time against one thing's. A ratio that changed its level from one
/// side of the limit to the other decides nothing.
pub(crate) fn judge_time(gate: &Gate, time: &Reading<TimeComparison>) -> (GateVerdict, String) {
    let time = match time {
        Reading::Value(time) => time,
        Reading::Unavailable(reason) => return (GateVerdict::Inconclusive, reason.clone()),
    };
    let (verdict, evidence) = judge_ratio(gate, &time.ratio_simultaneous, time.change);
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    match time.drift {
        Some(drift) if (percent(drift.before) > gate.limit) != (percent(drift.after) > gate.limit) => {
            let moved = format!(
                "{evidence}, but it moved from {:+.2} to {:+.2} % after {:.0} % of the session",
                percent(drift.before),
                percent(drift.after),
                drift.at_share * 100.0
            );
            (GateVerdict::Inconclusive, moved)
        }
        _ => (verdict, evidence),
    }
}

fn judge_ratio(gate: &Gate, ratio: &Estimate, change: Change) -> (GateVerdict, String) {
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let value = format!("{:+.2} %", percent(ratio.value));
    match (change, ratio.interval()) {
        (Change::ControlFault, _) => {
            (GateVerdict::Inconclusive, format!("{value}, but an A/A control is at fault"))
        }
        (Change::TooFewForks, _) | (_, None) => {
            (GateVerdict::Inconclusive, format!("{value}, too few forks for an interval"))
        }
        (_, Some((low, high))) => {
            let (low, high) = (percent(low), percent(high));
            (verdict(low, high, gate.limit), format!("{value} [{low:+.2}, {high:+.2}]"))
        }
    }
}

fn verdict(least: f64, most: f64, limit: f64) -> GateVerdict {
    if least > limit {
        GateVerdict::Fails
    } else if most <= limit {
        GateVerdict::Holds
    } else {
        GateVerdict::Inconclusive
    }
}

/// Without what adding fractions leaves behind.
fn rounded(calls: f64) -> f64 {
    // Adding 0 turns minus zero into zero.
    (calls * 1e6).round() / 1e6 + 0.0
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_parsed_strictly() {
        for (text, written) in [
            ("calls > +0", "calls > +0"),
            ("calls>+0.5", "calls > +0.5"),
            (" calls:fstat  > +0 ", "calls:fstat > +0"),
            ("time > +2%", "time > +2%"),
            ("time > -5 %", "time > -5%"),
            ("ratio > +2.5%", "ratio > +2.5%"),
        ] {
            assert_eq!(text.parse::<Gate>().unwrap().to_string(), written);
        }
        for (text, words) in [
            ("", "is no gate"),
            ("calls", "is no gate"),
            ("calls >", "is no gate"),
            ("calls < +0", "is no gate"),
            ("calls >= +0", "is no gate"),
            ("tiem > +2%", "unknown metric `tiem`"),
            ("time:read > +2%", "unknown metric `time:read`"),
            ("calls: > +0", "unknown metric `calls:`"),
            ("calls > 0", "`0` is no limit"),
            ("calls > +x", "`+x` is no limit"),
            ("calls > +inf", "`+inf` is no limit"),
            ("calls > +1e9", "`+1e9` is no limit"),
            ("calls > +2%", "calls are exact"),
            ("time > +2", "in percent"),
            ("time > -100%", "is no limit"),
        ] {
            let error = text.parse::<Gate>().unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
