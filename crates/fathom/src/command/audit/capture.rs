//! What is watched live: a command, by a ring of the kernel's or by ptrace, or a process
//! that runs already.

use super::code::Stacks;
use super::listener::{End, Listener, Start};
use crate::arguments::{Capture, Source as Words};
use crate::command::{Hinted, explained};
use crate::interrupt;
use anyhow::Context;
use fathom_audit::{FactKind, Gap, GapKind};
use fathom_collect::telling_variables;
use fathom_model::Cut;
use fathom_stacks::StackTable;
use fathom_sys::child_usage::{self, ChildUsage};
use fathom_trace::{
    FileTraceEnd, FileTraceOptions, HookTally, RingCapture, RingOptions, RingRefusal, RingWants, Unseen,
    hook_availability, signal_name, trace_files,
};
use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

/// One call in so many without a stack is said where nobody asked for stacks.
const NOTABLE: u64 = 100;
/// A step of the clock that file systems go by, at most, in ns.
const CLOCK_STEP_NS: u64 = 10_000_000;

/// What watches, and why not the other.
enum Chosen {
    /// Without stacks, where those that cost little cannot be had: why.
    Ring(Box<RingCapture>, Option<String>),
    Ptrace {
        why: String,
        /// Nobody asked for it, and calls could be hooked.
        hook_is_there: bool,
    },
    Hook,
}

/// Where a command runs, and for how long.
#[derive(Debug)]
pub(in crate::command) struct Ground<'a> {
    /// The directory in which it starts.
    pub(in crate::command) directory: PathBuf,
    /// It is killed after this long.
    pub(in crate::command) time_limit: Option<Duration>,
    /// Where the number of a signal to Fathom is put.
    pub(in crate::command) signal: &'a AtomicUsize,
    /// When it becomes true, every process of it is killed: whoever runs many commands does not wait for each.
    pub(in crate::command) stop: Option<&'a AtomicBool>,
}

/// Runs a command here and gives its events to the listener.
pub(super) fn to_command(
    command: &mut Command,
    words: &Words,
    listener: &mut dyn Listener,
) -> anyhow::Result<End> {
    let signal = interrupt::number()?;
    let directory = std::env::current_dir().context("failed to find the current directory")?;
    let ground = Ground { directory, time_limit: None, signal: &signal, stop: None };
    to_command_on(&ground, command, words, listener)
}

/// The same of a command that may run elsewhere, and not for ever.
pub(in crate::command) fn to_command_on(
    ground: &Ground<'_>,
    command: &mut Command,
    words: &Words,
    listener: &mut dyn Listener,
) -> anyhow::Result<End> {
    let Ground { directory, time_limit, signal, stop } = ground;
    let shown: Vec<_> = words.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let chosen = chosen(words, (listener.wants_times(), listener.wants_waits()))?;
    let (capture, said) = match &chosen {
        Chosen::Ring(..) => ("ring", BY_RING.to_owned()),
        Chosen::Ptrace { why, .. } => ("ptrace", format!("by ptrace: {why}")),
        Chosen::Hook => ("hook", BY_HOOK.to_owned()),
    };
    listener.begin(&Start {
        subject: shown.join(" "),
        capture: capture.to_owned(),
        created: Some(jiff::Timestamp::now().to_string()),
        command: shown,
        directory: Some(directory.to_string_lossy().into_owned()),
        user: user_of("self"),
        mounts: std::fs::read_to_string("/proc/self/mountinfo").ok(),
        live_since_ns: now_ns(),
        running: None,
    })?;
    let mut take = |event, paths: &fathom_events::PathTable| listener.take(event, paths);
    let before = child_usage::of_awaited();
    let mut no_lines = None;
    let hook_is_there = matches!(chosen, Chosen::Ptrace { hook_is_there: true, .. });
    let traced = match chosen {
        Chosen::Ring(ring, why) => {
            no_lines = why;
            let options = RingOptions { signal: Some(signal), time_limit: *time_limit, stop: *stop };
            ring.trace_files(command, &options, &mut take)
        }
        Chosen::Ptrace { .. } | Chosen::Hook => {
            let options = FileTraceOptions {
                signal: Some(signal),
                time_limit: *time_limit,
                stop: *stop,
                stacks: words.takes_stacks(),
                fewer_stacks: !words.stacks,
                hook: capture == "hook",
                ..FileTraceOptions::default()
            };
            trace_files(command, &options, &mut take)
        }
    };
    let FileTraceEnd { status, cut, events, unseen, stacks, without_stack, hook, .. } =
        traced.map_err(explained)?;
    let cpu_ns = before.and_then(|before| Ok(cpu_ns(&child_usage::of_awaited()?) - cpu_ns(&before))).ok();
    let mut end = End { exit_code: status.code(), signal: status.signal(), cpu_ns, ..End::default() };
    end.say(FactKind::Ended, ended(status));
    end.say(FactKind::Capture, hook.as_ref().map_or(said, by_hook));
    end.variables = telling_variables();
    if let Some(cpu_ns) = cpu_ns {
        let than_alone = if capture == "ptrace" { "more than alone" } else { "a little more than alone" };
        end.say(FactKind::Cpu, format!("{:.1} ms while it was watched, {than_alone}", cpu_ns as f64 / 1e6));
    }
    end.interrupted = matches!(cut, Some(Cut::Interrupted(_)));
    end.gaps.extend(cut.as_ref().map(|cut| Gap::new(GapKind::Cut, cut_in_words(cut))));
    say_what_is_missing(&mut end, &unseen);
    if hook_is_there && events >= MANY_CALLS {
        end.say(FactKind::Faster, faster(events));
    }
    if capture == "hook" && words.wants_lines && !words.takes_stacks() {
        no_lines = Some("the hook takes stacks where `--stacks` asks for them".to_owned());
    }
    if let Some(why) = no_lines {
        end.say(FactKind::Stacks, format!("no call has a line: {why}"));
    }
    // A few of many change nothing that is said.
    let without_stack = if words.stacks || without_stack * NOTABLE > events { without_stack } else { 0 };
    take_stacks(&mut end, stacks, (capture, without_stack));
    Ok(end)
}

fn take_stacks(end: &mut End, stacks: Option<Arc<StackTable>>, (capture, without_stack): (&str, u64)) {
    let Some(table) = stacks else { return };
    if without_stack > 0 {
        let why = if capture == "hook" {
            "they were made without a stop, and their stacks could not be walked later; `--capture ptrace` takes all"
        } else {
            "they came faster than stacks are copied; `--stacks` takes all, by ptrace"
        };
        let text = format!("{without_stack} calls have none: {why}");
        end.say(FactKind::Stacks, text);
    }
    if table.not_kept() > 0 {
        end.say(FactKind::Stacks, format!("{} calls have none: no more are kept", table.not_kept()));
    }
    for why in table.scripts_unknown() {
        end.say(FactKind::Stacks, format!("a script has no lines: {why}"));
    }
    end.stacks = Stacks::Traced(table);
}

/// Whether a path is the same file to a process as to this one.
fn sees_what_we_see(process: u32) -> bool {
    let is_same = |name: &str| {
        let link = |process: &str| std::fs::read_link(format!("/proc/{process}/{name}")).ok();
        link(&process.to_string()).is_some_and(|theirs| link("self") == Some(theirs))
    };
    is_same("ns/mnt") && is_same("root")
}

/// The effective user of a process: whom its folder in `/proc` belongs to.
pub(super) fn user_of(process: &str) -> Option<u32> {
    std::fs::metadata(format!("/proc/{process}")).ok().map(|folder| folder.uid())
}

fn cpu_ns(usage: &ChildUsage) -> u64 {
    usage.user_ns + usage.system_ns
}

/// Watches a process that runs already.
pub(super) fn to_process(process: u32, words: &Words, listener: &mut dyn Listener) -> anyhow::Result<End> {
    if matches!(words.capture, Capture::Ptrace | Capture::Hook) {
        return Err(Hinted::error("ptrace does not watch a process that runs already", STRACE_ATTACHES));
    }
    let signal = interrupt::number()?;
    let wants = RingWants {
        stacks: words.stacks,
        times: listener.wants_times(),
        waits: listener.wants_waits(),
        cgroup: None,
    };
    let ring = RingCapture::prepare(wants).map_err(|refusal| {
        Hinted::error(format!("failed to watch process {process}: {refusal}"), STRACE_ATTACHES)
    })?;
    let attached = ring.attach(process).map_err(|error| {
        Hinted::error(format!("failed to {error}"), "`pgrep -a NAME` lists processes by name")
    })?;
    let running = attached.running().clone();
    let program = running.program.as_deref().unwrap_or("a program whose name is not known");
    listener.begin(&Start {
        subject: format!("process {process}, {program}"),
        capture: "ring".to_owned(),
        created: Some(jiff::Timestamp::now().to_string()),
        command: Vec::new(),
        directory: running.directory.clone(),
        user: user_of(&process.to_string()),
        mounts: std::fs::read_to_string(format!("/proc/{process}/mountinfo")).ok(),
        // A path of a process with other mounts is another file's here.
        live_since_ns: now_ns().filter(|_| sees_what_we_see(process)),
        running: Some(running),
    })?;
    let limit = words.seconds.map(|seconds| Duration::from_secs(seconds.into()));
    let options = RingOptions { signal: Some(&signal), time_limit: limit, stop: None };
    let begun = Instant::now();
    let watched = attached.follow(&options, &mut |event, paths| listener.take(event, paths));
    let watched = watched.map_err(explained)?;
    let window_ns = u64::try_from(begun.elapsed().as_nanos()).ok();
    let mut end = End { window_ns, ..End::default() };
    match watched.status {
        Some(status) => {
            (end.exit_code, end.signal) = (status.code(), status.signal());
            end.say(FactKind::Ended, ended(status));
        }
        None => end.say(FactKind::Ended, "it lives on"),
    }
    end.say(FactKind::Capture, BY_RING);
    say_how_it_was_watched(&mut end, watched.cut.as_ref(), &watched.unseen);
    take_stacks(&mut end, watched.stacks, ("ring", watched.without_stack));
    Ok(end)
}

/// Of what ran already: until when, and what was not seen.
pub(super) fn say_how_it_was_watched(end: &mut End, cut: Option<&Cut>, unseen: &[Unseen]) {
    match cut {
        Some(Cut::Interrupted(signal)) => end.say(FactKind::Window, format!("watched until {signal}")),
        Some(Cut::TimeLimit(seconds)) => end.say(FactKind::Window, format!("watched for {seconds} s")),
        None => {}
    }
    say_what_is_missing(end, unseen);
}

pub(super) const BY_RING: &str = "by a ring that BPF programs fill";
const BY_HOOK: &str = "by the hook (experimental)";
/// Fewer file calls than these are made in no time that anybody waits for.
const MANY_CALLS: u64 = 2000;
const PTRACE_SEES_ALL: &str = "`--capture ptrace` needs no privilege and sees the same";
const STRACE_ATTACHES: &str = "`strace -f -y -v -tt -p PID -o log`, then `fathom audit --strace log`, does it for processes of your own";

fn chosen(words: &Words, (times, waits): (bool, bool)) -> anyhow::Result<Chosen> {
    let wants = RingWants { stacks: words.takes_stacks(), times, waits, cgroup: None };
    let ptrace = |why: &str| Ok(Chosen::Ptrace { why: why.to_owned(), hook_is_there: false });
    match words.capture {
        Capture::Ptrace => ptrace("as asked"),
        Capture::Hook => match hook_availability() {
            Ok(()) => Ok(Chosen::Hook),
            Err(reason) => Err(Hinted::error(format!("calls cannot be hooked: {reason}"), PTRACE_SEES_ALL)),
        },
        Capture::Auto if words.stacks => ptrace("it takes whole stacks"),
        Capture::Auto | Capture::Ring => match ring(words, wants) {
            Ok((ring, why)) => Ok(Chosen::Ring(Box::new(ring), why)),
            // Decision 0042 says why the hook is named and not taken.
            Err(refusal) if words.capture == Capture::Auto => {
                Ok(Chosen::Ptrace { why: no_ring(&refusal), hook_is_there: hook_availability().is_ok() })
            }
            Err(refusal) => Err(Hinted::error(no_ring(&refusal), PTRACE_SEES_ALL)),
        },
    }
}

/// A ring, without the stacks that nobody asked for where this kernel does not load their programs.
fn ring(words: &Words, wants: RingWants<'_>) -> Result<(RingCapture, Option<String>), RingRefusal> {
    match RingCapture::prepare(wants) {
        Ok(ring) => Ok((ring, None)),
        Err(refusal) if wants.stacks && !words.stacks => {
            let without = RingWants { stacks: false, ..wants };
            RingCapture::prepare(without).map(|ring| (ring, Some(refusal.to_string())))
        }
        Err(refusal) => Err(refusal),
    }
}

/// How many calls went which way, and why not all the fast one.
fn by_hook(tally: &HookTally) -> String {
    let HookTally { hooked, stopped, patched, left, refusals, .. } = tally;
    let mut said =
        format!("{BY_HOOK}: {hooked} calls without a stop, {stopped} the slow way; {patched} places patched");
    for (reason, places) in left {
        let _ = write!(said, "; {places} left: {reason}");
    }
    for reason in refusals {
        let _ = write!(said, "; not everywhere: {reason}");
    }
    said
}

/// What the hook would have saved a command of so many calls.
fn faster(events: u64) -> String {
    format!(
        "ptrace stopped it twice at each of {events} file calls; `--capture hook` makes most of them without a stop \
         (experimental: it writes into the program's code; lines only with --stacks)"
    )
}

fn no_ring(refusal: &RingRefusal) -> String {
    format!("a ring cannot be had: {refusal}")
}

fn say_what_is_missing(end: &mut End, unseen: &[Unseen]) {
    for unseen in unseen {
        let kind = match unseen {
            Unseen::Lost { .. } | Unseen::Skipped { .. } => GapKind::Lost,
            _ if unseen.hides_calls() => GapKind::Unseen,
            _ => {
                end.say(FactKind::Stops, unseen.to_string());
                continue;
            }
        };
        end.gaps.push(Gap::new(kind, unseen.to_string()));
    }
}

fn cut_in_words(cut: &Cut) -> String {
    match cut {
        Cut::Interrupted(signal) => {
            format!("interrupted by {signal}: what was called until the end is judged")
        }
        Cut::TimeLimit(seconds) => {
            format!("killed at the limit of {seconds} s: what was called until then is judged")
        }
    }
}

fn ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("killed by {}", signal_name(signal)),
        (None, None) => "not known how".to_owned(),
    }
}

/// The time by the clock that file systems go by, in ns since the epoch. It moves in steps: what is
/// made at once may seem to be a step older.
fn now_ns() -> Option<u64> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    u64::try_from(now.as_nanos()).ok()?.checked_sub(CLOCK_STEP_NS)
}
