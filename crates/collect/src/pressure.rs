//! `/proc/pressure`: how long tasks have waited for CPUs, I/O and memory, for the
//! whole machine (Documentation/accounting/psi.rst).

use crate::source;
use fathom_model::Reading;

/// What tasks can wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// A CPU.
    Cpu,
    /// A device.
    Io,
    /// Memory that has to be freed or brought back first.
    Memory,
}

impl Resource {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cpu, Self::Io, Self::Memory];

    /// The kernel's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Io => "io",
            Self::Memory => "memory",
        }
    }
}

/// Time since boot in which at least one task waited for `resource`, in µs. The
/// kernel brings the total up to date when it is read.
pub fn stalled_us(resource: Resource) -> Reading<u64> {
    let path = format!("/proc/pressure/{}", resource.word());
    source::parsed(source::text(&path), |text| parse(text).map_err(|reason| format!("{path}: {reason}")))
}

/// The running total of the line `some`, in µs.
fn parse(text: &str) -> Result<u64, String> {
    let line = text.lines().find(|line| line.starts_with("some ")).ok_or("no line some")?;
    let total = line.split_whitespace().find_map(|word| word.strip_prefix("total=")).ok_or("no total")?;
    total.parse().map_err(|_| format!("total is not a number: {total}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_is_read_and_not_full() {
        let text = "some avg10=0.12 avg60=0.10 avg300=0.04 total=8264\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=12\n";
        assert_eq!(parse(text), Ok(8264));
        assert!(parse("full avg10=0.00 total=12\n").is_err());
        assert!(parse("some avg10=0.00\n").is_err());
        assert!(parse("some avg10=0.00 total=much\n").is_err());
    }

    #[test]
    fn totals_never_fall() {
        for resource in Resource::ALL {
            let (Reading::Value(first), Reading::Value(second)) =
                (stalled_us(resource), stalled_us(resource))
            else {
                continue;
            };
            assert!(first <= second, "{resource:?}: {first} then {second}");
        }
    }
}
