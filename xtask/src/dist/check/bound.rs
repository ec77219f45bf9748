//! What is promised, and what was measured of it.

use std::fmt;
use std::time::Duration;

/// A figure and what it may be at most.
pub(super) struct Figure {
    what: &'static str,
    value: f64,
    most: f64,
    unit: &'static str,
    note: String,
    /// How busy the machine is: processes that want a CPU, for each CPU.
    load: Option<f64>,
}

/// Whether a figure is within its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Yes,
    No,
    /// It is beyond the bound on a machine where others wait for a CPU too: who is to blame is not known.
    Unknown,
}

impl Figure {
    /// From the start of the installation to the end of the first audit.
    pub(super) fn first_finding(found: Duration, note: &str) -> Self {
        let value = found.as_secs_f64();
        Self { what: "first finding", value, most: 30.0, unit: "s", note: note.to_owned(), load: load() }
    }

    /// How long `fathom --version` takes.
    pub(super) fn version(times: &[Duration]) -> Self {
        let mut times: Vec<_> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
        times.sort_by(f64::total_cmp);
        let note = format!("median of {}, least {:.1} ms", times.len(), times[0]);
        Self { what: "--version", value: times[times.len() / 2], most: 10.0, unit: "ms", note, load: load() }
    }

    /// Held against the bound.
    pub(super) fn kept(&self) -> Kept {
        if self.value <= self.most {
            Kept::Yes
        } else if self.load.is_some_and(|load| load > 1.0) {
            Kept::Unknown
        } else {
            Kept::No
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.kept() {
            Kept::Yes => "",
            Kept::No => " BEYOND IT",
            Kept::Unknown => " beyond it on a busy machine: not known",
        };
        let Self { what, value, most, unit, .. } = self;
        write!(f, "{what:14} {value:6.2} {unit:2} (at most {most} {unit}){verdict}")?;
        if !self.note.is_empty() {
            write!(f, "; {}", self.note)?;
        }
        self.load.map_or(Ok(()), |load| write!(f, "; load {load:.1} for each CPU"))
    }
}

/// Processes that wanted a CPU in the last minute, for each CPU; `None` where the kernel does not say.
fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let minute: f64 = text.split(' ').next()?.parse().ok()?;
    Some(minute / std::thread::available_parallelism().ok()?.get() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(value: f64, load: Option<f64>) -> Figure {
        Figure { what: "--version", value, most: 10.0, unit: "ms", note: String::new(), load }
    }

    #[test]
    fn a_bound_is_broken_only_where_nobody_else_is_to_blame() {
        assert_eq!(figure(10.0, Some(9.0)).kept(), Kept::Yes);
        assert_eq!(figure(10.1, Some(0.5)).kept(), Kept::No);
        assert_eq!(figure(10.1, Some(1.5)).kept(), Kept::Unknown);
        assert_eq!(figure(10.1, None).kept(), Kept::No, "the kernel does not say");
    }

    #[test]
    fn a_figure_stands_beside_its_bound() {
        let shown = figure(12.5, Some(0.25)).to_string();
        assert_eq!(shown, "--version       12.50 ms (at most 10 ms) BEYOND IT; load 0.2 for each CPU");
    }

    #[test]
    fn a_median_is_of_all_times() {
        let times = [9, 1, 2].map(Duration::from_millis);
        assert!(Figure::version(&times).to_string().contains("  2.00 ms"), "{}", Figure::version(&times));
    }
}
