//! What `go test` makes of the flags with which benchmarks are run.

use super::{make_module, run_go};
use crate::Interrupted;
use crate::ground::Ground;
use crate::performer::Trouble;
use crate::rows::{Found, Rows};
use serde::Deserialize;

const CASE: &str = "run benchmarks by go test";
const SOURCE: &str = include_str!("../go/benchmarks/benchmarks_test.go");
/// Benchmarks of the package.
const DECLARED: u64 = 2;

/// The flags of each row.
const FLAGS: [&[&str]; 6] = [
    &["-bench=^Benchmark.*SmallFile$", "-benchmem", "-count=5"],
    &["-bench=BenchmarkReadFile", "-bench=BenchmarkOpenReadAll", "-benchtime=3x"],
    &["-bench=BenchmarkReadFile|BenchmarkOpenReadAll", "-benchtime=3x"],
    &["-bench=ReadFile", "-benchtime=1x"],
    &["-bench=ReadFile", "-benchtime=3x"],
    &["-bench=ReadFile", "-benchmem", "-count=10", "-benchtime=100x"],
];

/// What the benchmarks say of themselves.
#[derive(Debug, Deserialize)]
struct Report {
    /// `b.N` of each call of one benchmark, and of the other.
    whole: Option<Vec<u64>>,
    pieces: Option<Vec<u64>>,
    /// Collections that the tool asked for, and others.
    forced: u64,
    own: u64,
    threads: u64,
}

/// Tries all flags.
pub(super) fn try_all(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    for flags in FLAGS {
        rows.attempt(CASE, &flags.join(" "), || {
            let directory = ground.fresh()?;
            make_module(&directory, "benchmarks_test.go", SOURCE)?;
            let ended = run_go(ground, &[&["test", "-run=^$"], flags].concat(), &directory)?;
            let report = read_report(&ended.said).ok_or_else(|| Trouble::Failed(last_line(&ended.said)))?;
            Ok(found(ended.code, &report))
        })?;
    }
    Ok(())
}

fn read_report(said: &str) -> Option<Report> {
    let line = said.lines().find_map(|line| line.strip_prefix("report "))?;
    serde_json::from_str(line).ok()
}

fn last_line(said: &str) -> String {
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    format!("go test: {}", last.unwrap_or("it said nothing"))
}

fn found(code: u8, report: &Report) -> Found {
    let [whole, pieces] = [&report.whole, &report.pieces].map(|calls| calls.as_deref().unwrap_or_default());
    let ran = u64::from(!whole.is_empty()) + u64::from(!pieces.is_empty());
    let calls: Vec<u64> = whole.iter().chain(pieces).copied().collect();
    let names = match (whole.is_empty(), pieces.is_empty()) {
        (true, true) => "No benchmark runs, and go test says PASS".to_owned(),
        (false, true) => "BenchmarkReadFile alone runs".to_owned(),
        (true, false) => "BenchmarkOpenReadAll alone runs".to_owned(),
        (false, false) => "Both benchmarks run".to_owned(),
    };
    let sizes: Vec<String> = calls.iter().map(u64::to_string).collect();
    let sizes =
        if sizes.is_empty() { String::new() } else { format!("; b.N of each call: {}", sizes.join(" ")) };
    Found::meaning(format!("{names} (exit code {code}){sizes}."))
        .count("benchmarks declared", DECLARED)
        .count("benchmarks run", ran)
        .count("exit code", code.into())
        .count("calls of a benchmark", calls.len() as u64)
        .count("iterations", calls.iter().sum())
        .count("calls of one iteration", calls.iter().filter(|&&n| n == 1).count() as u64)
        .count("collections asked for by go test", report.forced)
        .count("collections of the runtime's own", report.own)
        .count("threads", report.threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_found_among_what_go_test_says() {
        let said = "goos: linux\nPASS\n\nreport {\"whole\":[1,3],\"pieces\":null,\"forced\":2,\"own\":1,\"threads\":3}\nok";
        let report = read_report(said).unwrap();
        assert_eq!((report.whole, report.pieces, report.own), (Some(vec![1, 3]), None, 1));
        assert!(read_report("PASS").is_none());
        assert_eq!(last_line("x\nFAIL y [build failed]\n\n"), "go test: FAIL y [build failed]");
    }
}
