//! fio's latency of random 4 KiB reads from the page cache beside Fathom's
//! `read-block`: a second opinion without a criterion, because fio times each
//! read by itself and so includes two readings of the clock and its own code.

use super::bare_loop::make_file;
use super::figures::{Middle, summary_of};
use super::finding::Finding;
use super::session::{Bench, Session, cpus};
use anyhow::Context;
use std::path::Path;
use std::process::{Command, Stdio};

const CHECK: &str = "fio: pread of 4 KiB, warm";
const SECONDS: u32 = 2;

/// fio and Fathom in turn; a finding without values where fio is not installed.
pub(super) fn check(session: &mut Session, rounds: u32) -> anyhow::Result<Finding> {
    let asked = Command::new("fio").arg("--version").stdin(Stdio::null()).output();
    let Some(version) = asked.ok().filter(|output| output.status.success()) else {
        return Ok(Finding::reported(CHECK, "fio randread, psync", 0, "not run: fio is not installed"));
    };
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let (_folder, file) = make_file(session.dir())?;
    let cpus = cpus();
    let (mut fio_ns, mut fathom_ns) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let cpu = cpus[round as usize % cpus.len()];
        let output = session.run(&mut command(&file, cpu))?;
        session.keep(&format!("fio-{round}.json"), &String::from_utf8_lossy(&output.stdout))?;
        fio_ns.push(mean_latency_ns(&output.stdout)?);
        let bench = Bench {
            name: "fio-pread",
            operation: "read-block",
            methods: "native:pread",
            seconds: f64::from(SECONDS),
            words: &["--size", "1MiB", "--block", "4KiB"],
            cpu: Some(cpu),
        };
        let comparison =
            session.bench(bench)?.map_err(|reason| anyhow::anyhow!("nothing was measured: {reason}"))?;
        fathom_ns.push(summary_of(&comparison, "pread").context("no time of pread")?.time_ns.value);
    }
    Ok(finding(&version, &fio_ns, &fathom_ns))
}

fn command(file: &Path, cpu: u32) -> Command {
    let mut command = Command::new("fio");
    command
        .args(["--name=calibrate", "--rw=randread", "--bs=4k", "--size=1m", "--ioengine=psync", "--direct=0"])
        .args(["--invalidate=0", "--fadvise_hint=0", "--norandommap", "--randrepeat=0", "--time_based"])
        .args(["--ramp_time=500ms", "--output-format=json", &format!("--runtime={SECONDS}")])
        .arg(format!("--cpus_allowed={cpu}"))
        // A colon separates files.
        .arg(format!("--filename={}", file.display().to_string().replace(':', "\\:")));
    command
}

/// The mean latency of reads in fio's JSON.
fn mean_latency_ns(json: &[u8]) -> anyhow::Result<f64> {
    let value: serde_json::Value = serde_json::from_slice(json).context("fio printed no JSON")?;
    let mean = value.pointer("/jobs/0/read/lat_ns/mean").and_then(serde_json::Value::as_f64);
    mean.filter(|&ns| ns > 0.0).context("fio gave no latency of reads")
}

fn finding(version: &str, fio_ns: &[f64], fathom_ns: &[f64]) -> Finding {
    let logarithms: Vec<f64> =
        fathom_ns.iter().zip(fio_ns).map(|(fathom, fio)| (fathom / fio).ln()).collect();
    let done = format!("{version} randread psync (mean latency) and native:pread in turn, {SECONDS} s each");
    match (Middle::of(fathom_ns), Middle::of(fio_ns), Middle::of_logarithms(&logarithms)) {
        (Some(fathom), Some(fio), Some(ratio)) => {
            let (fathom, fio, ratio_text) = (fathom.value, fio.value, ratio.text(3));
            let result = format!("{fathom:.0} ns against {fio:.0} ns: ratio {ratio_text}");
            Finding::reported(CHECK, done, ratio.n, result)
        }
        _ => Finding::reported(CHECK, done, 0, "no round was run"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latency_is_found_and_an_empty_run_is_none() {
        let json =
            br#"{"jobs": [{"read": {"lat_ns": {"min": 200, "mean": 431.5}, "clat_ns": {"mean": 400.0}}}]}"#;
        assert!((mean_latency_ns(json).unwrap() - 431.5).abs() < 1e-12);
        assert!(mean_latency_ns(br#"{"jobs": [{"read": {"lat_ns": {"mean": 0.0}}}]}"#).is_err());
        assert!(mean_latency_ns(b"fio: error").is_err());
    }

    #[test]
    fn both_times_and_their_ratio_are_told() {
        let found = finding("fio-3", &[400.0; 3], &[300.0; 3]);
        assert!(found.result.starts_with("300 ns against 400 ns: ratio 0.750"), "{}", found.result);
        assert_eq!(finding("fio-3", &[], &[]).n, 0);
    }
}
