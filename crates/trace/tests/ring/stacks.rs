//! The places that calls come from, by the ring: the right ones, of every call, and nothing else is
//! another by them.

use crate::by_ring::{rows, trace_by_ring, trace_with_stacks};
use crate::subject::Seen;
use fathom_events::FileAction;
use fathom_stacks::{CodeFrame, Names};
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ring/stacks.c");

/// The program, compiled so, or `None` where there is no compiler, which is said.
fn compile(options: &[&str]) -> Option<TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let status = Command::new("cc").arg("-g").args(options).arg("-o").arg(program).arg(SOURCE).status();
    if status.is_err() {
        eprintln!("skipped: no C compiler");
        return None;
    }
    assert!(status.unwrap().success());
    Some(folder)
}

fn command(folder: &TempDir, mode: &str, rounds: u32) -> Command {
    let mut command = Command::new(folder.path().join("program"));
    command.args([mode, "/etc/passwd", &rounds.to_string()]);
    command.stdin(Stdio::null()).env_remove("LD_LIBRARY_PATH");
    command
}

/// How many looks at the file have which function of the program innermost, by the file's line; and
/// how many have no place.
fn places(seen: &Seen) -> (BTreeMap<(String, u32), u32>, u32) {
    let (mut places, mut without) = (BTreeMap::new(), 0);
    let table = seen.end.stacks.as_ref().unwrap();
    let mut names = Names::new();
    let mut known: BTreeMap<u32, Option<(String, u32)>> = BTreeMap::new();
    for event in &seen.events {
        let FileAction::Access { target, .. } = &event.action else { continue };
        let fathom_events::Target::Path { path, .. } = target else { continue };
        if seen.paths.path(*path) != "/etc/passwd" {
            continue;
        }
        let place = event.stack.and_then(|stack| {
            let place = known.entry(stack.0).or_insert_with(|| own(&table.frames(stack, &mut names)));
            place.clone()
        });
        match place {
            Some(place) => *places.entry(place).or_default() += 1,
            None => without += 1,
        }
    }
    (places, without)
}

/// The innermost frame of the source above.
fn own(frames: &[CodeFrame]) -> Option<(String, u32)> {
    let is_own = |frame: &&CodeFrame| frame.file.as_deref().is_some_and(|file| file.ends_with("stacks.c"));
    let frame = frames.iter().find(is_own)?;
    Some((frame.function.clone()?, frame.line?))
}

fn line(mark: &str) -> u32 {
    let source = std::fs::read_to_string(SOURCE).unwrap();
    u32::try_from(source.lines().position(|line| line.contains(mark)).unwrap()).unwrap() + 1
}

#[test]
fn every_call_of_a_program_has_its_place_however_it_was_compiled() {
    for options in
        [&["-O2"][..], &["-O2", "-fno-omit-frame-pointer"], &["-O0", "-no-pie"], &["-O2", "-static"]]
    {
        let Some(folder) = compile(options) else { return };
        let Some(seen) = trace_with_stacks(&mut command(&folder, "plain", 11)) else { return };
        let expected = [("one", line("R_OK")), ("other", line("W_OK"))];
        let expected = expected.map(|(function, line)| ((function.to_owned(), line), 11));
        assert_eq!(places(&seen), (expected.into(), 0), "{options:?}");
        assert_eq!((&seen.end.unseen[..], seen.end.without_stack), (&[][..], 0));
        let without = trace_by_ring(&mut command(&folder, "plain", 11), &crate::PLAIN).unwrap();
        assert_eq!((rows(&seen).len(), without.end.stacks.is_none()), (rows(&without).len(), true));
    }
}

#[test]
fn a_loop_has_one_place_though_its_registers_are_numbers() {
    let Some(folder) = compile(&["-O2"]) else { return };
    let rounds = 30_000;
    let Some(seen) = trace_with_stacks(&mut command(&folder, "numbers", rounds)) else { return };
    assert_eq!(seen.end.unseen, []);
    let (places, without) = places(&seen);
    assert_eq!(
        places.keys().map(|(function, _)| function.as_str()).collect::<BTreeSet<_>>(),
        ["numbers"].into()
    );
    assert_eq!(
        places.keys().map(|(_, line)| *line).collect::<Vec<_>>(),
        [line("a += access(path, F_OK)"), line("X_OK")]
    );
    // What had no room is said; on a machine with nothing else to do it is nothing.
    assert!(u64::from(without) <= seen.end.without_stack, "{without} {}", seen.end.without_stack);
    assert_eq!(places.values().sum::<u32>() + without, 2 * rounds);
    assert!(seen.end.stacks.unwrap().len() < 100);
}

#[test]
fn depths_and_children_are_told_apart() {
    let Some(folder) = compile(&["-O2"]) else { return };
    let Some(seen) = trace_with_stacks(&mut command(&folder, "deep", 40)) else { return };
    // Beyond what is copied the stack is cut; the place is known all the same.
    assert_eq!(places(&seen).0, [(("deep".to_owned(), line("depth == 0")), 40)].into());
    let seen = trace_with_stacks(&mut command(&folder, "fork", 1)).unwrap();
    let expected = [("one", line("R_OK")), ("other", line("W_OK"))];
    let expected = expected.map(|(function, line)| ((function.to_owned(), line), 1));
    assert_eq!(places(&seen), (expected.into(), 0));
}
