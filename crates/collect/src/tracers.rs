//! Probes of others that tax calls here: armed trace events, uprobes, BPF
//! programs, a tracer or a seccomp filter on this very process.

use crate::source;
use fathom_model::{ForeignTracer, Reading};
use fathom_sys::bpf;
use std::path::Path;

/// Programs that kernels load by themselves: one at events of input devices, two that list maps and
/// programs when they are asked for.
const KERNELS_OWN: [&str; 3] = ["hid_tail_call", "dump_bpf_map", "dump_bpf_prog"];

/// How the names of the programs of Fathom's own ring begin.
const OF_FATHOM: &str = "fathom_";

/// What was seen, and where it was not possible to look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TracerSurvey {
    /// Probes that are there.
    pub found: Vec<ForeignTracer>,
    /// Sources that could not be read: each a name and a reason.
    pub unreadable: Vec<(String, String)>,
}

impl TracerSurvey {
    /// The probes found; a reason when none was found and some source was closed.
    pub fn reading(self) -> Reading<Vec<ForeignTracer>> {
        if self.found.is_empty() && !self.unreadable.is_empty() {
            let closed: Vec<_> =
                self.unreadable.iter().map(|(source, reason)| format!("{source} ({reason})")).collect();
            return Reading::unavailable(format!("none seen, but not readable: {}", closed.join("; ")));
        }
        Reading::Value(self.found)
    }

    fn add(&mut self, source: &str, detail: impl Into<String>) {
        self.found.push(ForeignTracer { source: source.to_owned(), detail: detail.into() });
    }

    fn closed(&mut self, source: &str, reason: impl Into<String>) {
        self.unreadable.push((source.to_owned(), reason.into()));
    }
}

/// Looks for probes of others. Probes attached through `perf_event_open`
/// alone leave no trace that can be read here.
pub fn foreign_tracers() -> TracerSurvey {
    let mut survey = TracerSurvey::default();
    let roots = [Path::new("/sys/kernel/tracing"), Path::new("/sys/kernel/debug/tracing")];
    look_at_tracefs(&mut survey, roots.iter().find(|root| root.join("events").exists()).copied());
    look_at_bpf(&mut survey);
    match source::text("/proc/self/status") {
        Reading::Value(status) => look_at_status(&mut survey, &status),
        Reading::Unavailable(reason) => survey.closed("/proc/self/status", reason),
    }
    survey
}

fn look_at_tracefs(survey: &mut TracerSurvey, root: Option<&Path>) {
    let Some(root) = root else {
        return survey.closed("tracefs", "not mounted, or closed to this user");
    };
    for list in ["uprobe_events", "kprobe_events"] {
        match std::fs::read_to_string(root.join(list)) {
            Ok(text) => text.lines().for_each(|line| survey.add(list, line)),
            // A kernel built without these probes has no such file.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => survey.closed(list, error.to_string()),
        }
    }
    look_at_events(survey, root, "events", 2);
}

/// The kind of a program that may tax calls: one that traces, and not one of the kernel's own.
fn taxing_kind(program: &bpf::BpfProgram) -> Option<&'static str> {
    program.tracing_kind().filter(|_| !KERNELS_OWN.contains(&program.name.as_str()))
}

/// `enable` of a directory of events: `0` none, `1` all, `X` some of them.
fn look_at_events(survey: &mut TracerSurvey, root: &Path, name: &str, depth: u32) {
    let enable = format!("{name}/enable");
    match std::fs::read_to_string(root.join(&enable)) {
        Ok(text) => match (text.trim(), depth) {
            ("0" | "0*", _) => {}
            ("X", 1..) => look_into_events(survey, root, name, depth),
            (state, _) => survey.add(&enable, state),
        },
        // Not every directory of events can be enabled (ftrace's own cannot).
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => survey.closed(&enable, error.to_string()),
    }
}

fn look_into_events(survey: &mut TracerSurvey, root: &Path, name: &str, depth: u32) {
    let Ok(entries) = std::fs::read_dir(root.join(name)) else {
        return survey.closed(name, "the directory cannot be listed");
    };
    let mut names: Vec<_> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    for child in names {
        let path = format!("{name}/{child}");
        if root.join(&path).is_dir() {
            look_at_events(survey, root, &path, depth - 1);
        }
    }
}

fn look_at_bpf(survey: &mut TracerSurvey) {
    match bpf::programs() {
        Ok(programs) => name_programs(survey, &programs),
        Err(error) => survey.closed("bpf", error.to_string()),
    }
}

/// Each program that may tax calls; those of another run of Fathom are one tracer.
fn name_programs(survey: &mut TracerSurvey, programs: &[bpf::BpfProgram]) {
    let (ours, others): (Vec<_>, Vec<_>) = programs
        .iter()
        .filter_map(|program| Some((program, taxing_kind(program)?)))
        .partition(|(program, _)| program.name.starts_with(OF_FATHOM));
    if let Some(((first, _), more)) = ours.split_first() {
        let count = more.len() + 1;
        let noun = if count == 1 { "program" } else { "programs" };
        survey.add("bpf", format!("another run of Fathom ({count} {noun}, the first is {})", first.id));
    }
    for (program, kind) in others {
        survey.add("bpf", format!("program {} `{}`: {kind}", program.id, program.name));
    }
}

fn look_at_status(survey: &mut TracerSurvey, status: &str) {
    let mut check =
        |key: &str, quiet: &str, source: &str, detail: &dyn Fn(&str) -> String| match source::field(
            status, key,
        ) {
            Some(value) if value == quiet => {}
            Some(value) => survey.add(source, detail(value)),
            None => survey.closed(source, format!("/proc/self/status has no {key}")),
        };
    check("TracerPid", "0", "TracerPid", &|pid| format!("this process is traced by process {pid}"));
    let filters = source::field(status, "Seccomp_filters").unwrap_or("an unknown number of");
    check("Seccomp", "0", "seccomp", &|mode| format!("mode {mode}, {filters} filter(s) run on every call"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    fn tracefs(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            create_dir_all(path.parent().unwrap()).unwrap();
            write(path, text).unwrap();
        }
        root
    }

    fn sources(survey: &TracerSurvey) -> Vec<&str> {
        survey.found.iter().map(|tracer| tracer.source.as_str()).collect()
    }

    #[test]
    fn an_armed_event_is_found_by_walking_down_the_mixed_directories() {
        let root = tracefs(&[
            ("uprobe_events", "p:uprobes/open64 /lib/libc.so.6:0x10\n"),
            ("kprobe_events", ""),
            ("events/enable", "X\n"),
            ("events/sched/enable", "0\n"),
            ("events/syscalls/enable", "X\n"),
            ("events/syscalls/sys_enter_openat/enable", "1\n"),
            ("events/syscalls/sys_enter_read/enable", "0\n"),
        ]);
        let mut survey = TracerSurvey::default();
        look_at_tracefs(&mut survey, Some(root.path()));
        assert_eq!(sources(&survey), ["uprobe_events", "events/syscalls/sys_enter_openat/enable"]);
        assert!(survey.unreadable.is_empty(), "{survey:?}");
    }

    #[test]
    fn a_quiet_machine_has_an_empty_list() {
        let root = tracefs(&[("uprobe_events", ""), ("kprobe_events", ""), ("events/enable", "0\n")]);
        let mut survey = TracerSurvey::default();
        look_at_tracefs(&mut survey, Some(root.path()));
        look_at_status(&mut survey, "TracerPid:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n");
        assert_eq!(survey.reading(), Reading::Value(Vec::new()));
    }

    #[test]
    fn programs_that_the_kernel_loaded_itself_are_no_tracers() {
        let of =
            |name: &str, kind| taxing_kind(&bpf::BpfProgram { id: 2, name: name.to_owned(), kind }).is_some();
        assert!(!of("hid_tail_call", 26) && !of("dump_bpf_map", 26) && !of("dump_bpf_prog", 26));
        assert!(of("opensnoop", 26) && of("hid_tail_calls", 26));
        assert!(!of("sd_devices", 15), "of a cgroup");
    }

    #[test]
    fn another_run_of_fathom_is_one_tracer_and_others_are_named() {
        let names = ["fathom_return", "opensnoop", "fathom_end", "hid_tail_call"];
        let programs =
            (7..).zip(names).map(|(id, name)| bpf::BpfProgram { id, name: name.to_owned(), kind: 26 });
        let mut survey = TracerSurvey::default();
        name_programs(&mut survey, &programs.collect::<Vec<_>>());
        let details: Vec<_> = survey.found.iter().map(|tracer| tracer.detail.as_str()).collect();
        assert_eq!(
            details,
            [
                "another run of Fathom (2 programs, the first is 7)",
                "program 8 `opensnoop`: tracing (fentry, tp_btf)"
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_not_called_quiet() {
        let mut survey = TracerSurvey::default();
        look_at_tracefs(&mut survey, None);
        assert!(matches!(survey.reading(), Reading::Unavailable(reason) if reason.contains("tracefs")));
    }

    #[test]
    fn a_tracer_and_a_filter_on_ourselves_are_found() {
        let mut survey = TracerSurvey::default();
        look_at_status(&mut survey, "TracerPid:\t77\nSeccomp:\t2\nSeccomp_filters:\t3\n");
        assert_eq!(sources(&survey), ["TracerPid", "seccomp"]);
        assert!(survey.found[0].detail.contains("77") && survey.found[1].detail.contains("3 filter"));
    }
}
