//! How much a cost matters: from the calls alone, by unit costs that are the same on every
//! machine. Two runs that make the same calls get the same severities and so the same exit code,
//! whatever watched them and however long they took (docs/decisions/0026).

use crate::call_key::DATA_SYNC;
use crate::finding::{Finding, FindingClass, Owner, RuleId, Severity};
use fathom_model::{CallOutcome, CountedCalls};
use std::collections::BTreeMap;

/// From this nominal cost on a cost is high, where it is a large part.
const HIGH_NS: u64 = 20_000_000;
/// In percent of the nominal cost of the run.
const HIGH_PERCENT: u64 = 20;
/// From this nominal cost on it is a warning, where it is no small part.
const WARN_NS: u64 = 2_000_000;
const WARN_PERCENT: u64 = 5;

/// Who asks again and again wastes the time until the next look, which is not in the price of the calls.
const WAITS: RuleId = RuleId(33);
/// So many looks are a wait that somebody may want to shorten.
const LONG_WAIT: u64 = 16;

/// Below this part of the nominal cost of the run, in thousandths, it is negligible.
const NEGLIGIBLE_PERMILLE: u64 = 1;
/// Of a window in the life of a process, in percent of the time that passes in it.
const HIGH_PERCENT_OF_WINDOW: u64 = 5;
const WARN_PERCENT_OF_WINDOW: u64 = 1;
/// What each component of a path takes.
const COMPONENT_NS: u64 = 60;
/// What starting a program takes at least.
const PROCESS_NS: u64 = 1_000_000;

/// What costs of a run are held against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    /// What the run costs by nominal unit costs.
    run_ns: u64,
    /// How long the process was watched, where that is a window in its life.
    window_ns: Option<u64>,
}

/// What makes findings one cost: however many places in the code it comes from, mending it is
/// one decision.
type Cost = (RuleId, u32, Owner, bool);

impl Scale {
    /// That of a run with these calls.
    pub(crate) fn of(calls: &[CountedCalls], processes: u64, window_ns: Option<u64>) -> Self {
        let run_ns = PROCESS_NS.saturating_mul(processes).saturating_add(nominal_ns(calls));
        Self { run_ns, window_ns }
    }

    /// How much a cost matters.
    fn severity(self, cost_ns: u64) -> Severity {
        let is = |limit_ns, percent, of_window| {
            cost_ns >= limit_ns
                && reaches(cost_ns, percent, 100, self.run_ns)
                && self.window_ns.is_none_or(|window_ns| reaches(cost_ns, of_window, 100, window_ns))
        };
        if is(HIGH_NS, HIGH_PERCENT, HIGH_PERCENT_OF_WINDOW) {
            Severity::High
        } else if is(WARN_NS, WARN_PERCENT, WARN_PERCENT_OF_WINDOW) {
            Severity::Warn
        } else {
            Severity::Info
        }
    }

    /// True of a cost that is far too small to matter.
    fn is_negligible(self, cost_ns: u64) -> bool {
        !reaches(cost_ns, NEGLIGIBLE_PERMILLE, 1000, self.run_ns)
    }

    /// Gives costs their severity, and tells which of them are negligible.
    pub(crate) fn judge(self, findings: &mut [Finding]) -> Vec<bool> {
        // What comes in the place of the calls of a program is set against all of them, however many places
        // of its code they are told by.
        let mut programs: BTreeMap<(Cost, Option<&str>), [u64; 2]> = BTreeMap::new();
        for finding in findings.iter() {
            let [avoidable, instead] =
                programs.entry((cost(finding), finding.place.program.as_deref())).or_default();
            *avoidable += nominal_ns(&finding.avoidable);
            *instead += nominal_ns(&finding.instead);
        }
        let mut costs: BTreeMap<Cost, u64> = BTreeMap::new();
        for ((cost, _), [avoidable, instead]) in programs {
            *costs.entry(cost).or_default() += avoidable.saturating_sub(instead);
        }
        let judged: Vec<_> = findings.iter().map(|finding| costs[&cost(finding)]).collect();
        let is_cost = |finding: &Finding| finding.class == FindingClass::Cost;
        for (finding, cost_ns) in findings.iter_mut().zip(&judged).filter(|(finding, _)| is_cost(finding)) {
            let is_uncertain = finding.is_uncertain;
            finding.severity = if is_uncertain { Severity::Info } else { self.severity(*cost_ns) };
        }
        // What costs something else than calls is not small because it saves none.
        let is_negligible = |(finding, cost_ns): (&Finding, u64)| {
            is_cost(finding)
                && finding.suppressed.is_none()
                && !(WAITS == finding.rule && finding.count >= LONG_WAIT && !finding.is_uncertain)
                && !finding.avoidable.is_empty()
                && self.is_negligible(cost_ns)
        };
        findings.iter().zip(judged).map(is_negligible).collect()
    }
}

fn cost(finding: &Finding) -> Cost {
    (finding.rule, finding.pattern, finding.owner_by_calls, finding.suppressed.is_some())
}

/// True when one number is that part of another, or more.
fn reaches(part: u64, numerator: u64, denominator: u64, whole: u64) -> bool {
    u128::from(part) * u128::from(denominator) >= u128::from(whole) * u128::from(numerator)
}

/// What calls cost by nominal unit costs.
fn nominal_ns(calls: &[CountedCalls]) -> u64 {
    let of = |call: &CountedCalls| {
        let bytes_ns = call.bytes.saturating_mul(byte_ps(&call.call)) / 1000;
        let walk_ns = COMPONENT_NS * u64::from(call.path_components.unwrap_or(0));
        call.count.saturating_mul(unit_ns(call) + walk_ns).saturating_add(bytes_ns)
    };
    calls.iter().map(of).fold(0, u64::saturating_add)
}

/// Calls that cost alike.
const OPENS: [&str; 4] = ["open", "openat", "openat2", "creat"];
const LOOKS: [&str; 7] = ["stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2"];
const LINKS_READ: [&str; 4] = ["readlink", "readlinkat", "getcwd", "statfs"];
const SMALL: [&str; 8] = ["lseek", "fcntl", "ioctl", "dup", "dup2", "dup3", "epoll_ctl", "fadvise64"];
const READS: [&str; 5] = ["read", "readv", "pread64", "preadv", "preadv2"];
const WRITES: [&str; 5] = ["write", "writev", "pwrite64", "pwritev", "pwritev2"];
const COPIES: [&str; 3] = ["sendfile", "copy_file_range", "splice"];
const MAPS: [&str; 3] = ["mmap", "munmap", "mremap"];
const SYNCS: [&str; 5] = ["fsync", "fdatasync", "sync_file_range", "syncfs", "sync"];
const NAMES: [&str; 12] = [
    "mkdir",
    "mkdirat",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "symlink",
    "symlinkat",
    "link",
    "linkat",
];
/// What waiting for the device costs.
const DEVICE_NS: u64 = 1_000_000;

/// The nominal cost of one call: what it takes on the warm page cache of a local file system,
/// with one significant digit.
fn unit_ns(call: &CountedCalls) -> u64 {
    let name = base_name(&call.call);
    let has_failed = !matches!(call.outcome, CallOutcome::Succeeded);
    let costs = |family: &[&str], succeeded_ns, failed_ns| {
        family.contains(&name).then_some(if has_failed { failed_ns } else { succeeded_ns })
    };
    let open_ns = if call.flags.contains("O_CREAT") { 5_000 } else { 2_000 };
    let look_ns = if call.flags.contains("AT_EMPTY_PATH") { 400 } else { 900 };
    let write_ns = if call.flags == DATA_SYNC { DEVICE_NS } else { 700 };
    let sync_ns = if call.flags == "clean" { 300_000 } else { DEVICE_NS };
    costs(&OPENS, open_ns, 1_000)
        .or_else(|| costs(&LOOKS, look_ns, 500))
        .or_else(|| costs(&LINKS_READ, 900, 900))
        .or_else(|| costs(&["fstat", "fstatfs"], 400, 400))
        .or_else(|| costs(&SMALL, 200, 200))
        .or_else(|| costs(&["close"], 400, 200))
        .or_else(|| costs(&READS, 400, 400))
        .or_else(|| costs(&WRITES, write_ns, 700))
        .or_else(|| costs(&MAPS, 2_000, 2_000))
        .or_else(|| costs(&SYNCS, sync_ns, 1_000))
        .or_else(|| costs(&NAMES, 9_000, 900))
        .or_else(|| costs(&["getdents64", "getdents"], 3_000, 500))
        .unwrap_or(500)
}

/// What a byte costs of calls that move bytes, in ps.
fn byte_ps(call: &str) -> u64 {
    let name = base_name(call);
    if READS.contains(&name) {
        100
    } else if WRITES.contains(&name) {
        300
    } else if COPIES.contains(&name) {
        200
    } else {
        0
    }
}

/// The call that an operation of a ring stands for: `openat` of `io_uring:openat`.
fn base_name(call: &str) -> &str {
    call.rsplit(':').next().unwrap_or(call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Audit;
    use crate::auditor::Auditor;
    use crate::finding::Frame;
    use crate::script::{READ, Script};
    use fathom_events::StackId;

    /// Asks an open file so often what it is, and reads so many MiB.
    fn program(questions: u64, mebibytes: u64) -> Script {
        let mut script = Script::new();
        let file = script.open("/data/a", READ);
        (0..=questions).for_each(|_| script.fstat(file, 1 << 40));
        (0..mebibytes).for_each(|_| script.read(file, 1 << 20, 1 << 20));
        script.close(file);
        script
    }

    fn audited(script: &Script, auditor: Auditor) -> Audit {
        let mut auditor = auditor;
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        auditor.finish()
    }

    #[test]
    fn a_long_wait_is_no_trifle_although_its_calls_are_cheap() {
        let trifles = |looks: u64| {
            let mut script = Script::new();
            for _ in 0..looks {
                script.stat_fails("/data/ready");
                script.wait_ms(20);
            }
            script.access("/data/ready");
            let file = script.open("/data/a", READ);
            (0..10_000).for_each(|_| script.read(file, 1 << 20, 1 << 20));
            let mut audit = audited(&script, Auditor::new());
            audit.set_trifles_apart();
            let of = |findings: &[Finding]| findings.iter().filter(|one| one.rule == WAITS).count();
            [of(&audit.findings), of(&audit.trifles)]
        };
        assert_eq!(trifles(LONG_WAIT), [1, 0]);
        assert_eq!(trifles(LONG_WAIT / 2), [0, 1]);
    }

    fn severities(audit: &Audit) -> Vec<Severity> {
        audit.findings.iter().map(|finding| finding.severity).collect()
    }

    fn severity(questions: u64, mebibytes: u64) -> Severity {
        severities(&audited(&program(questions, mebibytes), Auditor::new()))[0]
    }

    #[test]
    fn a_cost_needs_both_its_size_and_its_share() {
        // A question takes 0.4 µs, a MiB 105 µs.
        assert_eq!(severity(4_000, 0), Severity::Info, "1.6 ms of 2.6 ms");
        assert_eq!(severity(6_000, 0), Severity::Warn, "2.4 ms of 3.4 ms");
        assert_eq!(severity(6_000, 600), Severity::Info, "2.4 ms of 66 ms");
        assert_eq!(severity(60_000, 0), Severity::High, "24 ms of 25 ms");
        assert_eq!(severity(60_000, 1_000), Severity::Warn, "24 ms of 130 ms");
    }

    #[test]
    fn how_long_calls_took_changes_nothing() {
        let script = program(6_000, 0);
        let mut slow = program(6_000, 0);
        slow.events.iter_mut().for_each(|event| event.at_ns *= 10);
        let [fast, slow] = [script, slow].map(|script| audited(&script, Auditor::new()));
        assert_eq!(severities(&fast), severities(&slow));
    }

    #[test]
    fn a_window_has_a_length_of_its_own() {
        let mut audit = audited(&program(8_000, 0), Auditor::new());
        let mut within = |ms: u64| {
            audit.window_ns = Some(ms * 1_000_000);
            audit.judge();
            audit.findings[0].severity
        };
        // 3.2 ms of what it was watched.
        assert_eq!([within(300), within(2_000)], [Severity::Warn, Severity::Info]);
    }

    #[test]
    fn stacks_change_no_severity() {
        let mut script = program(6_000, 0);
        let plain = severities(&audited(&script, Auditor::new()));
        for (number, event) in (0..).zip(&mut script.events) {
            event.stack = Some(StackId(number % 10));
        }
        let mut auditor = Auditor::new();
        script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
        let line = |stack| Frame {
            function: Some("ask".to_owned()),
            file: Some("ask.c".to_owned()),
            line: Some(stack),
            module: None,
            address: None,
            owner: Owner::Yours,
        };
        let audit = auditor.finish_with_stacks(&mut |stack| vec![line(stack)]);
        assert_eq!((plain, audit.findings.len()), (vec![Severity::Warn], 10));
        assert!(severities(&audit).iter().all(|severity| *severity == Severity::Warn));
    }

    #[test]
    fn what_is_lived_with_is_a_cost_of_its_own() {
        let mut audit = audited(&program(6_000, 0), Auditor::new());
        let suppressed = crate::finding::Suppression { reason: String::new(), file: String::new() };
        let half = |finding: &Finding| {
            let mut half = finding.clone();
            half.avoidable.iter_mut().for_each(|call| call.count /= 2);
            half
        };
        let halves = [half(&audit.findings[0]), half(&audit.findings[0])];
        audit.findings = halves.to_vec();
        audit.judge();
        assert_eq!(severities(&audit), [Severity::Warn; 2]);
        audit.findings[1].suppressed = Some(suppressed);
        audit.judge();
        assert_eq!(severities(&audit), [Severity::Info; 2]);
    }
}
