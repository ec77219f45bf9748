//! What a hooked program might do that patched code could break (decision 0042): each ends as it does alone,
//! and makes the calls that ptrace sees.

use crate::subject::{Seen, trace};
use crate::{HOOKED, can_hook};
use fathom_trace::FileTraceOptions;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hook/harm.c");

/// The compiled program.
struct Harm {
    folder: TempDir,
}

impl Harm {
    /// `None` where there is no compiler, or none that knows these words, which is said.
    fn compile(words: &[&str]) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("cc");
        command.args(["-O1", "-w", "-pthread"]).args(words).arg("-o").arg(folder.path().join("harm"));
        let output = command.arg(SOURCE).output().ok().filter(|output| output.status.success());
        if output.is_none() {
            eprintln!("skipped: cc {words:?}");
        }
        output.map(|_| Self { folder })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("harm")
    }

    fn command(&self, mode: &str) -> Command {
        let mut command = Command::new(self.path());
        command.arg(mode).current_dir(self.folder.path()).stdin(Stdio::null());
        // A handler of theirs would make another status of a signal.
        command.env("TSAN_OPTIONS", "handle_segv=0");
        // The check for leaks traces its own process, which nobody can who is traced.
        command.env("ASAN_OPTIONS", "handle_segv=0:detect_leaks=0");
        command.env_remove("LD_LIBRARY_PATH");
        command
    }
}

/// Calls with how they ended, and how often.
fn calls(seen: &Seen) -> BTreeMap<(&'static str, Option<i32>), u64> {
    let mut calls = BTreeMap::new();
    for event in &seen.events {
        *calls.entry((event.call, event.outcome.errno())).or_default() += 1;
    }
    calls
}

/// Compares a mode with the program alone and with ptrace, and returns what the hook had.
fn compare(harm: &Harm, mode: &str) -> Seen {
    let alone = harm.command(mode).status().unwrap();
    let stopped = trace(&mut harm.command(mode), &FileTraceOptions::default());
    let hooked = trace(&mut harm.command(mode), &HOOKED);
    assert_eq!(stopped.end.status.code(), alone.code(), "{mode}");
    assert_eq!(hooked.end.status, stopped.end.status, "{mode}: {:?}", hooked.end.hook);
    // How often an alarm came is a matter of time.
    if mode != "other-stack" {
        assert_eq!(calls(&hooked), calls(&stopped), "{mode}");
    }
    hooked
}

#[test]
fn programs_end_as_they_do_alone() {
    let (Some(harm), true) = (Harm::compile(&[]), can_hook()) else { return };
    for mode in
        ["gs-base", "other-stack", "made-code", "robust-lock", "vfork", "untraced", "dispatch", "dies"]
    {
        let seen = compare(&harm, mode);
        let tally = seen.end.hook.unwrap();
        assert!(tally.hooked > 20 && tally.refusals.is_empty(), "{mode}: {tally:?}");
        if mode != "dies" {
            assert_eq!(seen.end.status.code(), Some(0), "{mode}");
        }
    }
}

#[test]
fn static_programs_end_as_they_do_alone() {
    let (Some(harm), true) = (Harm::compile(&["-static"]), can_hook()) else { return };
    for mode in
        ["gs-base", "other-stack", "made-code", "robust-lock", "vfork", "untraced", "dispatch", "dies"]
    {
        let seen = compare(&harm, mode);
        assert!(seen.end.hook.unwrap().hooked > 20, "{mode}");
    }
}

#[test]
fn sanitizers_keep_their_shadow() {
    if !can_hook() {
        return;
    }
    for sanitizer in ["-fsanitize=address", "-fsanitize=undefined", "-fsanitize=thread"] {
        let Some(harm) = Harm::compile(&[sanitizer]) else { continue };
        // Where it cannot run alone it is not to run under the hook.
        if !harm.command("made-code").output().unwrap().status.success() {
            eprintln!("skipped: {sanitizer} does not run here");
            continue;
        }
        for mode in ["made-code", "robust-lock"] {
            let alone = harm.command(mode).output().unwrap();
            let hooked = trace(&mut harm.command(mode), &HOOKED);
            assert_eq!(hooked.end.status, alone.status, "{sanitizer} {mode}");
            assert!(hooked.end.hook.unwrap().hooked > 20, "{sanitizer} {mode}");
        }
    }
}

#[test]
fn a_check_for_leaks_ends() {
    let Some(harm) = Harm::compile(&["-fsanitize=address"]) else { return };
    let ways = [FileTraceOptions::default(), HOOKED];
    for options in ways.into_iter().take(if can_hook() { 2 } else { 1 }) {
        let mut command = harm.command("robust-lock");
        command.env("ASAN_OPTIONS", "detect_leaks=1").stderr(Stdio::null());
        // It cannot trace its process, which is traced, and fails with that.
        let limit = std::time::Duration::from_mins(5);
        let seen = trace(&mut command, &FileTraceOptions { time_limit: Some(limit), ..options });
        assert!(seen.end.cut.is_none() && seen.end.status.code().is_some(), "{:?}", seen.end);
    }
}

#[test]
fn a_limited_address_space_is_left_to_the_program() {
    let (Some(harm), true) = (Harm::compile(&[]), can_hook()) else { return };
    let seen = compare(&harm, "address-space");
    let tally = seen.end.hook.unwrap();
    assert_eq!((seen.end.status.code(), tally.hooked), (Some(0), 0));
    assert!(tally.refusals[0].contains("address space is limited"), "{tally:?}");
}

#[test]
fn a_program_that_reads_its_own_text_sees_the_patches() {
    let (Some(_), true) = (Harm::compile(&[]), can_hook()) else { return };
    // What decision 0042 says is so, and why `auto` does not choose the hook: all of it is of a file.
    let Some(python) = ["/usr/bin/python3"].into_iter().find(|path| Path::new(path).exists()) else { return };
    let script = "
import os, re, sys
for turn in range(200):
    os.stat('/')
    open('/proc/self/exe').close()
differ = 0
with open('/proc/self/mem', 'rb', 0) as memory:
    for line in open('/proc/self/maps').read().splitlines():
        words = line.split(None, 5)
        if len(words) == 6 and 'x' in words[1] and words[5].startswith('/') and os.path.exists(words[5]):
            low, high = (int(end, 16) for end in words[0].split('-'))
            memory.seek(low)
            with open(words[5], 'rb') as file:
                file.seek(int(words[2], 16))
                text = file.read(high - low)
            differ += sum(one != other for one, other in zip(memory.read(high - low), text))
sys.exit(min(differ, 100))
";
    let command = || {
        let mut command = Command::new(python);
        command.args(["-S", "-E", "-c", script]).stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
        command
    };
    let differing =
        |options: &FileTraceOptions<'_>| trace(&mut command(), options).end.status.code().unwrap();
    assert_eq!(differing(&FileTraceOptions::default()), 0);
    assert!(differing(&HOOKED) > 0);
}
