//! Where threads waited, in a line of an audit, and how long calls took, by powers of two.

use crate::export_error::ExportError;
use crate::quantity::{short_time, things};
use crate::table_text::csv;
use crate::visible::visible;
use fathom_audit::{Audit, CallLatencies, FileWaits};

/// So many directories are named.
const NAMED: usize = 2;
/// Those that have at least one in so many of the whole.
const NAMED_PART: u64 = 10;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Between lengths that some calls took, one that none did.
const NO_BAR: char = '·';
const HEADER: [&str; 3] = ["kind", "below_ns", "calls"];

/// Where threads waited in calls on files: `600 ms in calls on files, all threads, in a run of 900 ms: sync in
/// /srv/data (xfs) 600 ms; --waits tells more`.
pub fn file_waits_in_words(waits: &FileWaits) -> String {
    let time = |ns: u64| short_time(ns as f64);
    let all: u64 = waits.rows.iter().map(|row| row.ns).sum();
    let calls: u64 = waits.rows.iter().map(|row| row.calls).sum();
    let named = waits.rows.iter().take(NAMED).filter(|row| row.ns * NAMED_PART >= all).map(|row| {
        let kind = row.file_system.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
        format!("{} in {}{kind} {}", row.kind, visible(&row.directory), time(row.ns))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let named = if named.is_empty() { named } else { format!(": {named}") };
    let run = time(waits.run_ns);
    if waits.is_known {
        format!("{} in calls on files, all threads, in a run of {run}{named}; --waits tells more", time(all))
    } else {
        format!(
            "not known: stops are in all times here; {} on files took 100 ms or longer, {} in a run of \
             {run}{named}; --waits --capture ring tells what of it is waiting",
            things(calls, "call"),
            time(all)
        )
    }
}

/// How long calls of one kind took: `sync: 40 calls, 16.8 to 67.1 ms, in powers of 2 █▂`.
pub fn latencies_in_words(latencies: &CallLatencies) -> Option<String> {
    let (first, last) = (latencies.buckets.first()?.below_ns, latencies.buckets.last()?.below_ns);
    let most = latencies.buckets.iter().map(|bucket| bucket.calls).max().unwrap_or(0).max(1);
    let lengths = std::iter::successors(Some(first), |below| below.checked_mul(2));
    let bars = lengths.take_while(|below| *below <= last).map(|below| {
        let calls = latencies.buckets.iter().find(|bucket| bucket.below_ns == below);
        calls.map_or(NO_BAR, |bucket| {
            let part = bucket.calls.saturating_mul(BARS.len() as u64).div_ceil(most).max(1);
            BARS[usize::try_from(part - 1).unwrap_or(0).min(BARS.len() - 1)]
        })
    });
    Some(format!(
        "{}: {}, {} to {}, in powers of 2 {}",
        latencies.kind,
        things(latencies.calls, "call"),
        short_time((first / 2) as f64),
        short_time(last as f64),
        bars.collect::<String>()
    ))
}

/// How many calls of each kind took how long, as CSV.
pub fn latencies_csv(audit: &Audit) -> Result<String, ExportError> {
    let rows = audit.latencies.iter().flat_map(|of| {
        of.buckets
            .iter()
            .map(|bucket| vec![of.kind.clone(), bucket.below_ns.to_string(), bucket.calls.to_string()])
    });
    csv(&HEADER, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_audit::{FileWait, LatencyBucket};

    fn waits(is_known: bool, ns: &[u64]) -> FileWaits {
        let row = |ns: &u64| FileWait {
            directory: "/srv/data".to_owned(),
            file_system: Some("xfs".to_owned()),
            kind: "sync",
            calls: 3,
            ns: *ns,
        };
        FileWaits { rows: ns.iter().map(row).collect(), is_known, run_ns: 900_000_000 }
    }

    #[test]
    fn a_line_names_what_was_waited_for_most() {
        assert_eq!(
            file_waits_in_words(&waits(true, &[600_000_000, 1_000_000])),
            "601 ms in calls on files, all threads, in a run of 900 ms: sync in /srv/data (xfs) 600 ms; --waits \
             tells more"
        );
        let even = file_waits_in_words(&waits(true, &[10_000_000; 20]));
        assert_eq!(even, "200 ms in calls on files, all threads, in a run of 900 ms; --waits tells more");
    }

    #[test]
    fn under_a_tracer_nothing_is_called_a_wait() {
        let text = file_waits_in_words(&waits(false, &[600_000_000]));
        assert!(
            text.starts_with("not known: stops are in all times here; 3 calls on files took 100 ms"),
            "{text}"
        );
        assert!(text.contains("600 ms in a run of 900 ms: sync in /srv/data (xfs) 600 ms"), "{text}");
    }

    #[test]
    fn a_histogram_shows_the_few_that_took_long() {
        let bucket = |below_ns, calls| LatencyBucket { below_ns, calls };
        let of = CallLatencies {
            kind: "sync".to_owned(),
            calls: 1009,
            buckets: vec![bucket(1024, 1000), bucket(2048, 8), bucket(8192, 1)],
        };
        assert_eq!(
            latencies_in_words(&of).unwrap(),
            "sync: 1,009 calls, 512 ns to 8192 ns, in powers of 2 █▁·▁"
        );
        let none = CallLatencies { buckets: Vec::new(), ..of };
        assert_eq!(latencies_in_words(&none), None);
    }
}
