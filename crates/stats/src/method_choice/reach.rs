//! How far measured sizes lie from the one that was asked, and whether what they
//! name can be carried over to it.

use super::caveats::Caveat;
use super::cell::DecisionCell;
use super::conditions::bytes;
use fathom_model::MethodId;
use serde::Serialize;

/// Beyond the measured sizes nothing is said past this factor.
const FARTHEST_FACTOR: f64 = 4.0;

/// Where the size that was asked lies.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// It was measured, or the size was left open or does not matter.
    Measured,
    /// Between two measured sizes, in bytes.
    Between {
        /// The next smaller.
        below: u64,
        /// The next larger.
        above: u64,
    },
    /// Beyond the nearest measured size, in bytes, by a factor above 1.
    Beyond {
        /// The nearest.
        nearest: u64,
        /// How many times it is larger or smaller.
        factor: f64,
    },
}

/// The cells around a size; or why none is near enough.
pub(super) fn reach<'a>(
    group: &[&'a DecisionCell],
    size: u64,
) -> Result<(Reach, Vec<&'a DecisionCell>), String> {
    let of = |cell: &DecisionCell| cell.conditions.size_bytes.unwrap_or(0);
    if let Some(cell) = group.iter().find(|cell| of(cell) == size) {
        return Ok((Reach::Measured, vec![cell]));
    }
    let below = group.iter().copied().filter(|cell| of(cell) < size).max_by_key(|cell| of(cell));
    let above = group.iter().copied().filter(|cell| of(cell) > size).min_by_key(|cell| of(cell));
    let nearest = match (below, above) {
        (Some(below), Some(above)) => {
            return Ok((Reach::Between { below: of(below), above: of(above) }, vec![below, above]));
        }
        (Some(cell), None) | (None, Some(cell)) => cell,
        (None, None) => return Err("nothing was measured".to_owned()),
    };
    let (one, other) = (of(nearest).max(1) as f64, size.max(1) as f64);
    let factor = (one / other).max(other / one);
    if factor > FARTHEST_FACTOR {
        let (pattern, title) = (nearest.conditions.pattern, &nearest.conditions.title);
        return Err(format!(
            "{title}, {pattern}: {} is too far from {}, the nearest size that was measured",
            bytes(size),
            bytes(of(nearest))
        ));
    }
    Ok((Reach::Beyond { nearest: of(nearest), factor }, vec![nearest]))
}

/// What all cells advise, or one does and nothing was shown to be faster in the other. Where the method
/// of one was not measured in the other, the one with more methods speaks.
pub(super) fn agreed(cells: &[&DecisionCell]) -> Option<MethodId> {
    match cells {
        [one] => one.advised.clone(),
        [below, above] => {
            let (first, second) = (below.advised.as_ref()?, above.advised.as_ref()?);
            if above.stands(first) {
                return Some(first.clone());
            }
            if below.stands(second) {
                return Some(second.clone());
            }
            speaker(below, above)?.advised.clone()
        }
        _ => None,
    }
}

impl Reach {
    /// What the distance takes from the answer.
    pub(super) fn caveats(&self, cells: &[&DecisionCell]) -> Vec<Caveat> {
        let mut found = Vec::new();
        match self {
            Self::Measured => {}
            Self::Between { .. } => {
                let text = format!("measured at {}, not between", sizes(cells));
                found.push(Caveat::new("interpolated", text));
            }
            Self::Beyond { nearest, factor } => {
                let text = format!(
                    "beyond what was measured: the nearest size is {}, by a factor of {}",
                    bytes(*nearest),
                    (factor * 10.0).round() / 10.0
                );
                found.push(Caveat::new("extrapolated", text));
            }
        }
        let [below, above] = cells else { return found };
        if let Some(speaker) = speaker(below, above) {
            let silent = if std::ptr::eq(speaker, *below) { above } else { below };
            let advised = speaker.advised.as_ref().map_or("", |method| method.name.as_str());
            let named = silent.advised.as_ref().map_or("nothing", |method| method.name.as_str());
            let text = format!(
                "at {} only {} methods were measured, {advised} was not among them; of those it was {named}",
                sizes(&[silent]),
                silent.methods(),
            );
            found.push(Caveat::new("not-beside", text));
        }
        found
    }
}

/// What the next sizes advise and this cell never measured.
pub(super) fn advised_beside(cell: &DecisionCell, group: &[&DecisionCell]) -> Option<Caveat> {
    let own = cell.conditions.size_bytes?;
    let sized = || group.iter().filter_map(|other| Some((other.conditions.size_bytes?, *other)));
    let below = sized().filter(|(size, _)| *size < own).max_by_key(|(size, _)| *size);
    let above = sized().filter(|(size, _)| *size > own).min_by_key(|(size, _)| *size);
    let (size, method) = [below, above].into_iter().flatten().find_map(|(size, other)| {
        let method = other.advised.as_ref().filter(|method| !cell.has(method))?;
        Some((size, method))
    })?;
    let text = format!(
        "at {} it is {}, which was not measured beside the {} methods at {}",
        bytes(size),
        method.name,
        cell.methods(),
        bytes(own)
    );
    Some(Caveat::new("not-beside", text))
}

/// Of two cells that advise different methods the one that speaks for both: the other never measured what it
/// advises, while it measured what the other does.
fn speaker<'a>(below: &'a DecisionCell, above: &'a DecisionCell) -> Option<&'a DecisionCell> {
    let (first, second) = (below.advised.as_ref()?, above.advised.as_ref()?);
    match (above.has(first), below.has(second)) {
        (false, true) => Some(below),
        (true, false) => Some(above),
        _ => None,
    }
}

/// A list of sizes in words.
fn sizes(cells: &[&DecisionCell]) -> String {
    let words = cells.iter().filter_map(|cell| cell.conditions.size_bytes).map(bytes);
    words.collect::<Vec<_>>().join(" and ")
}
