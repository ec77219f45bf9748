//! What a reader of counted calls has to know: what could not be seen, and what
//! tracing changed.

use super::kernel::Untraced;
use fathom_model::{CountedProcess, KernelCounter, Severity, Warning, counter_name};
use fathom_trace::HookTally;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitStatus;

/// What the counts are; page faults are seen where the kernel's counters were.
pub(super) fn exactness(counters: &[KernelCounter], hook: Option<&HookTally>) -> String {
    let has_faults = |counter: &KernelCounter| {
        counter.name == counter_name::MINOR_FAULTS && counter.differences.value().is_some()
    };
    let unseen = if counters.iter().any(has_faults) {
        "clocks read through the vDSO, memory of mapped files"
    } else {
        "clocks read through the vDSO, memory of mapped files, page faults"
    };
    let how = match hook {
        None => "by ptrace, every thread of every process stopped at each call".to_owned(),
        Some(HookTally { hooked, stopped, .. }) => format!(
            "by the hook, {hooked} calls were noted in the program's own processes, and all others, {stopped}, stopped them"
        ),
    };
    format!(
        "Exact: {how}, so that none can be lost, from the exec that began the command to the end of its last \
         process. What makes no system call is not seen: {unseen}."
    )
}

/// The notes that the calls of these processes ask for.
pub(super) fn warnings(processes: &[CountedProcess]) -> Vec<Warning> {
    [io_uring(processes), privileges(processes), foreign(processes)].into_iter().flatten().collect()
}

/// What the run under the kernel's counters, without the tracer, asks for.
pub(super) fn of_untraced(run: &Result<Untraced, String>, status: ExitStatus) -> Option<Warning> {
    match run {
        Err(reason) => {
            let message = format!("the kernel's counters were not taken: {reason}");
            Some(Warning::new(Severity::Warning, "no-counters", message))
        }
        Ok(run) if run.status != status => {
            let message = format!(
                "the command ran twice, for the kernel's counters untraced and then for its calls, and ended \
                 differently: {}, then {status}",
                run.status
            );
            Some(Warning::new(Severity::Warning, "two-runs-differ", message))
        }
        Ok(_) => None,
    }
}

fn io_uring(processes: &[CountedProcess]) -> Option<Warning> {
    let calls = calls(processes);
    let of = |name: &str| calls.get(name).copied().unwrap_or(0);
    let (rings, enters) = (of("io_uring_setup"), of("io_uring_enter"));
    (rings + enters > 0).then(|| {
        let message = format!(
            "io_uring was used (io_uring_setup {rings}, io_uring_enter {enters}): files that were opened, \
             read and written through it are not in these counts, for they are no calls"
        );
        Warning::new(Severity::Warning, "io-uring", message)
    })
}

fn privileges(processes: &[CountedProcess]) -> Option<Warning> {
    let programs = processes.iter().flat_map(|process| &process.programs);
    let lost: BTreeSet<String> = programs
        .filter_map(|program| {
            let given = program.privilege_lost.as_ref()?;
            let path = program.path.value().map_or_else(|| "?".to_owned(), |path| path.display().to_string());
            Some(format!("{path} ({given})"))
        })
        .collect();
    (!lost.is_empty()).then(|| {
        let list = lost.into_iter().collect::<Vec<_>>().join(", ");
        let message = format!(
            "ran without the privileges that its file gives, for a traced program does not get them from an \
             unprivileged tracer: {list}; it may have behaved otherwise than usual"
        );
        Warning::new(Severity::Warning, "privileges-lost", message).with_hint("count as root")
    })
}

fn foreign(processes: &[CountedProcess]) -> Option<Warning> {
    let calls = calls(processes);
    let foreign: u64 =
        calls.iter().filter(|(name, _)| name.starts_with("foreign_syscall_")).map(|(_, count)| count).sum();
    (foreign > 0).then(|| {
        let message = format!(
            "{foreign} calls were those of another architecture (a 32-bit program's): they are counted by number, \
             as foreign_syscall_N"
        );
        Warning::new(Severity::Note, "foreign-calls", message)
    })
}

fn calls(processes: &[CountedProcess]) -> BTreeMap<&str, u64> {
    let mut calls = BTreeMap::new();
    for tally in processes.iter().flat_map(|process| &process.threads).flat_map(|thread| &thread.calls) {
        *calls.entry(tally.call.as_str()).or_default() += tally.count;
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{
        CallOutcome, CallTally, CountedThread, CounterUnit, ExecutedProgram, ProcessEnd, Reading, Scope,
    };

    fn process(call: &str, privilege_lost: Option<&str>) -> CountedProcess {
        let calls = vec![CallTally { call: call.to_owned(), outcome: CallOutcome::Succeeded, count: 2 }];
        let program = ExecutedProgram {
            path: Reading::Value("/bin/su".into()),
            arguments: Vec::new(),
            privilege_lost: privilege_lost.map(str::to_owned),
        };
        CountedProcess {
            pid: 1,
            parent: None,
            programs: vec![program],
            end: ProcessEnd::Exited(0),
            threads: vec![CountedThread { tid: 1, name: String::new(), calls }],
        }
    }

    #[test]
    fn faults_are_unseen_where_nobody_counted_them() {
        let faults = |differences| KernelCounter {
            name: counter_name::MINOR_FAULTS.to_owned(),
            source: "perf_event".to_owned(),
            scope: Scope::Task,
            unit: CounterUnit::Events,
            differences,
        };
        assert!(exactness(&[], None).ends_with("mapped files, page faults."));
        assert!(exactness(&[faults(Reading::unavailable("refused"))], None).ends_with("page faults."));
        assert!(exactness(&[faults(Reading::Value(vec![3]))], None).ends_with("memory of mapped files."));
    }

    #[test]
    fn only_what_happened_is_said() {
        let codes = |process: CountedProcess| -> Vec<String> {
            warnings(&[process]).into_iter().map(|warning| warning.code).collect()
        };
        assert_eq!(codes(process("openat", None)), Vec::<String>::new());
        assert_eq!(codes(process("io_uring_enter", None)), ["io-uring"]);
        assert_eq!(codes(process("openat", Some("setuid"))), ["privileges-lost"]);
        assert_eq!(codes(process("foreign_syscall_5", None)), ["foreign-calls"]);
        assert!(warnings(&[process("openat", Some("setuid"))])[0].message.contains("/bin/su (setuid)"));
    }
}
