//! Figures of scenarios: a quantile of tries in one setting, or beside another
//! of the same case. Their intervals are those of the record, 95 % each.

use crate::effect::{Effect, EffectUnit, Sample};
use fathom_model::{Form, Outcome, OutcomeFigure};

/// Coverage of the record's intervals.
const CONFIDENCE: f64 = 0.95;

/// The effect, or why it cannot be had.
pub(crate) fn effect(
    of: &Outcome,
    to: Option<&Outcome>,
    name: &str,
    share: f64,
    form: Form,
) -> Result<Effect, String> {
    let is_relative = matches!(form, Form::Ratio | Form::Saving | Form::Speedup);
    let of = quantile(of, name, share, is_relative)?;
    let Some(to) = to else { return Ok(of) };
    let to = quantile(to, name, share, is_relative)?;
    if [&of, &to].iter().any(|effect| effect.low.is_none() || effect.high.is_none()) {
        return Err(format!("{} tries are too few for an interval", of.n.min(to.n)));
    }
    let mut effect = of.combined(&to, form)?;
    effect.confidence = Some(CONFIDENCE);
    Ok(effect)
}

fn quantile(outcome: &Outcome, name: &str, share: f64, is_relative: bool) -> Result<Effect, String> {
    if let Some(reason) = &outcome.unavailable {
        return Err(reason.clone());
    }
    let figure =
        outcome.figure(name).ok_or_else(|| format!("{}: there is no \"{name}\"", outcome.setting))?;
    let quantile = figure.quantile(share).ok_or_else(|| format!("no such quantile of \"{name}\""))?;
    // The unit of two of a kind does not matter to their ratio.
    let unit_ns = if is_relative { 1.0 } else { unit_ns(figure)? };
    let [low, high] = [quantile.low, quantile.high].map(|end| end.map(|end| end * unit_ns));
    Ok(Effect {
        value: quantile.value * unit_ns,
        low,
        high,
        confidence: Some(CONFIDENCE),
        n: figure.n,
        sample: Sample::Tries,
        unit: EffectUnit::Ns,
        of_forks: Vec::new(),
    })
}

/// How many ns the figure's unit has.
fn unit_ns(figure: &OutcomeFigure) -> Result<f64, String> {
    match figure.unit.as_str() {
        "ns" => Ok(1.0),
        "µs" => Ok(1e3),
        "ms" => Ok(1e6),
        "s" => Ok(1e9),
        other => Err(format!("\"{}\" is in {other}, which is no time", figure.name)),
    }
}
