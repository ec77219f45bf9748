//! Scenarios: what is certain of their outcomes on every machine, that nothing
//! is left behind, and that an interrupt ends them in order.

use crate::pages::output_of;
use crate::running::Running;
use crate::sandbox::{Sandbox, says};
use fathom_model::{Outcome, Record};
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::fs;

/// Replacements of every row of hot-reload.
const REPLACEMENTS: u64 = 100;

/// Runs a scenario in the sandbox, and returns its outcomes.
fn outcomes(name: &str, more: &str) -> Vec<Outcome> {
    let sandbox = Sandbox::new();
    let text = output_of(&sandbox, &format!("bench {name} --quick {more} -o r.json"));
    let record = sandbox.record("r.json");
    assert!(record.complete);
    sandbox.assert_nothing_left();
    assert_eq!(fs::read_dir(sandbox.path()).unwrap().count(), 1, "the record alone stays");
    assert_eq!(output_of(&sandbox, "show r.json"), text, "show prints the same text again");
    let [experiment] = record.experiments.as_slice() else { panic!("{record:?}") };
    for outcome in &experiment.outcomes {
        let is_empty = outcome.counts.is_empty();
        assert_eq!(is_empty, outcome.unavailable.is_some(), "a result or a reason: {outcome:?}");
        assert_eq!(outcome.meaning.is_empty(), is_empty, "{outcome:?}");
    }
    experiment.outcomes.clone()
}

/// The only outcome of this case whose setting holds these words.
fn only<'a>(outcomes: &'a [Outcome], case: &str, setting: &str) -> &'a Outcome {
    let found: Vec<_> =
        outcomes.iter().filter(|o| o.case.contains(case) && o.setting.contains(setting)).collect();
    let [only] = found.as_slice() else { panic!("{case}, {setting}: {found:?}") };
    assert_eq!(only.unavailable, None, "{only:?}");
    only
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn descriptors_run_out_and_are_inherited() {
    let all = outcomes("pitfalls", "");
    let opens = only(&all, "open without close", "256");
    assert_eq!(opens.count("held before") + opens.count("opened"), 256, "{opens:?}");
    assert_eq!((opens.count("EMFILE"), opens.count("opened after one close")), (1, 1));
    let inherited = |flag| only(&all, "started meanwhile", flag).count("open in the new program");
    assert_eq!((inherited("with O_CLOEXEC"), inherited("without O_CLOEXEC")), (0, 10));

    // A swap in every window: the outcome does not depend on the machine.
    let other = "used another file than checked";
    let stepwise = only(&all, "check a file", "stat, then open · one swap");
    assert_eq!((stepwise.count("tries"), stepwise.count(other)), (50, 50));
    let fair = only(&all, "check a file", "open, then fstat · one swap");
    assert_eq!((fair.count("tries"), fair.count(other)), (50, 0));
    let raced = only(&all, "check a file", "open, then fstat · swapped");
    assert_eq!((raced.count("tries"), raced.count(other)), (20_000, 0));
    assert!(raced.count("swaps meanwhile") > 0, "{raced:?}");
    assert_eq!(raced.figure("between the two calls").unwrap().n, 20_000);

    // What a link may do, and what it may not.
    let (file, directory) = ("swaps the file", "swaps the directory");
    let mut leaked = 0;
    for (case, way, leaks) in [
        (file, "open", true),
        (file, "open O_NOFOLLOW", false),
        (file, "openat2 RESOLVE_NO_SYMLINKS", false),
        (file, "openat2 RESOLVE_BENEATH", false),
        (directory, "open", true),
        (directory, "open O_NOFOLLOW", true),
        (directory, "openat2 RESOLVE_NO_SYMLINKS", false),
        (directory, "openat2 RESOLVE_BENEATH", false),
    ] {
        let row = all.iter().find(|o| o.case.contains(case) && o.setting == way).unwrap();
        if row.unavailable.is_some() {
            assert!(way.starts_with("openat2"), "{row:?}");
            continue;
        }
        // On a machine without an idle CPU the swaps may fall between the opens: then it says so.
        let missed = leaks && row.count("the secret") == 0;
        assert!(!missed || row.meaning.contains("never met this time"), "{row:?}");
        assert!(leaks || row.count("the secret") == 0, "{row:?}");
        leaked += u32::from(row.count("the secret") > 0);
        assert!(row.count("the user's file") <= 4000 && row.count("swaps meanwhile") > 0, "{row:?}");
    }
    assert!(leaked > 0, "a link was met by none of those that follow it: {all:?}");
    let leak = all.iter().find(|o| o.case.contains(file) && o.setting == "open").unwrap();
    if leak.count("the secret") > 0 {
        assert_eq!(leak.meaning.contains("by root for nobody"), is_root(), "{leak:?}");
    }
}

#[test]
#[ignore = "long"]
fn a_replaced_configuration_never_blocks_and_is_torn_only_when_rewritten_in_place() {
    let all: Vec<_> =
        outcomes("hot-reload", "").into_iter().filter(|o| !o.case.starts_with("reload while")).collect();
    assert_eq!(all.len(), 16);
    for row in &all {
        assert_eq!(row.unavailable, None, "{row:?}");
        assert_eq!((row.count("replacements"), row.count("reads: blocked")), (REPLACEMENTS, 0), "{row:?}");
        let by_old_handle = row.setting.starts_with("old handle");
        let renamed = row.case.contains("renaming");
        let last = if by_old_handle && renamed { "old" } else { "new" };
        assert_eq!(row.count(&format!("at the end: {last}")), REPLACEMENTS, "{row:?}");
        // Renamed away, the watched file tells nothing of the one that is created in its place:
        // whether a reader woken by it finds the new one already is a matter of luck.
        let found_by_an_event = row.count("woken: new") > 0;
        assert_eq!(
            row.figure("from the first change to new content in hand").is_some(),
            found_by_an_event,
            "{row:?}"
        );
        let by_luck = row.case.contains("renaming it away") && row.setting.contains("watch on the file");
        assert!(by_luck || found_by_an_event == (last == "new"), "{row:?}");
        if by_old_handle && renamed {
            let not_whole = row.count("woken: empty") + row.count("woken: torn") + row.count("woken: new");
            assert_eq!(not_whole, 0, "{row:?}");
        }
    }
    let over = |setting| only(&all, "renaming a new file over it", setting);
    let anew = over("opened anew · watch on the file");
    assert_eq!((anew.count("woken: torn"), anew.count("woken: empty")), (0, 0));
    // The file has no other name and no handle: it goes, and its watch with it.
    assert_eq!(anew.count("watch: dead"), REPLACEMENTS, "{anew:?}");
    assert_eq!(anew.count("events: IN_ATTRIB IN_DELETE_SELF IN_IGNORED"), REPLACEMENTS, "{anew:?}");
    // A handle keeps it, and the watch with it.
    let held = over("old handle · watch on the file");
    assert_eq!(
        (held.count("watch: left behind"), held.count("events: IN_ATTRIB")),
        (REPLACEMENTS, REPLACEMENTS),
        "{held:?}"
    );
    let directory = over("opened anew · watch on the directory");
    assert_eq!(
        (directory.count("watch: alive"), directory.count("events: IN_MOVED_TO")),
        (REPLACEMENTS, REPLACEMENTS)
    );
}

#[test]
fn a_directory_is_never_opened_for_writing() {
    let all = outcomes("write-directory", "");
    let own = only(&all, "open a directory", "a directory of ours");
    for flags in ["O_WRONLY", "O_RDWR", "O_WRONLY|O_CREAT", "O_WRONLY|O_APPEND", "O_RDONLY|O_TRUNC"] {
        assert_eq!(own.count(&format!("EISDIR: {flags}")), 1, "{own:?}");
    }
    assert_eq!(own.count("opened: O_PATH"), 1);
    assert_eq!((own.count("opened: O_RDONLY"), own.count("EISDIR: O_RDONLY, then read")), (1, 1));
    let fresh = all.iter().find(|outcome| outcome.setting == "fresh file systems").unwrap();
    assert!(fresh.unavailable.as_ref().unwrap().contains("--mount"), "{fresh:?}");
    // Each type of file system once, beside the place and the fresh ones.
    let kinds: Vec<&str> = all[2..].iter().map(|o| o.setting.split(' ').next().unwrap()).collect();
    assert_eq!(kinds.iter().collect::<BTreeSet<_>>().len(), kinds.len());
    assert!(kinds.contains(&"proc"), "{kinds:?}");
}

#[test]
fn fresh_file_systems_are_mounted_where_nobody_sees_them() {
    let mounts = || fs::read_to_string("/proc/self/mountinfo").unwrap();
    let before = mounts();
    let all = outcomes("write-directory", "--mount");
    assert_eq!(mounts(), before);
    if let Some(row) = all.iter().find(|o| o.setting == "fresh file systems") {
        // An ordinary user, and a container that may not mount.
        assert!(row.unavailable.as_ref().unwrap().contains("no mount namespace"), "{row:?}");
        return;
    }
    // Root of a machine has tmpfs at least; the others say what is missing.
    let tmpfs = only(&all, "open a directory", "tmpfs, mounted for this");
    assert_eq!(tmpfs.count("EISDIR: O_WRONLY"), 1, "{tmpfs:?}");
    assert_eq!(all.iter().filter(|o| o.setting.ends_with("mounted for this")).count(), 9);
}

#[test]
#[ignore = "long"]
fn the_layer_that_names_a_broken_configuration_is_known() {
    let all = outcomes("config-errors", "");
    assert_eq!(all.iter().filter(|o| !o.setting.contains(": ")).count(), 33);
    for (case, whole, stream, mapped) in [
        ("missing", "open", "open", "open"),
        ("unreadable", "open", "open", "open"),
        ("a directory", "read", "read", "map"),
        ("shrinks while it is read, JSON", "parse", "parse", "nobody, a signal"),
        ("shrinks to whole lines while it is read, TOML", "nobody", "nobody", "nobody, a signal"),
        ("not UTF-8, JSON", "decode", "parse", "decode"),
        ("not UTF-8, TOML", "decode", "decode", "decode"),
        ("a syntax error, JSON", "parse", "parse", "parse"),
        ("a syntax error, TOML", "parse", "parse", "parse"),
        ("a byte order mark first, JSON", "parse", "parse", "parse"),
    ] {
        for (way, layer) in [("read whole", whole), ("read as a stream", stream), ("mapped", mapped)] {
            let row = only(&all, case, way);
            assert_eq!(row.count(&format!("named by: {layer}")), 3, "{row:?}");
        }
    }
    let said = |case, way, words: &str| {
        let row = only(&all, case, way);
        assert!(row.meaning.contains(words), "{words}: {}", row.meaning);
    };
    said("missing", "mapped", "ENOENT");
    said("unreadable", "read whole", "EACCES");
    said("a directory", "read whole", "EISDIR");
    said("shrinks to whole lines while it is read, TOML", "read whole", "are taken for all");
    said("shrinks while it is read, JSON", "mapped", "SIGBUS");

    // Other languages, as far as they are installed; what was not tried says why.
    let (go, node) = ("Go: json.Decoder", "Node: createReadStream");
    let (text, bytes) = ("Python: json.load of", "Python: json.loads of");
    for (case, loader, layer) in [
        ("not UTF-8, JSON", go, "nobody"),
        ("not UTF-8, JSON", node, "nobody"),
        ("not UTF-8, JSON", text, "decode"),
        ("a byte order mark first, JSON", go, "parse"),
        ("a byte order mark first, JSON", node, "parse"),
        ("a byte order mark first, JSON", text, "parse"),
        ("a byte order mark first, JSON", bytes, "nobody"),
        ("a directory", node, "read"),
        ("a byte order mark first, TOML", "Python: tomllib", "parse"),
        ("not UTF-8, YAML", "Python: yaml", "decode"),
        ("cut at the end of a line, YAML", "Python: yaml", "nobody"),
    ] {
        let row = all.iter().find(|o| o.case == case && o.setting.starts_with(loader)).unwrap();
        let named = row.count(&format!("named by: {layer}"));
        assert!(named == 1 || row.unavailable.is_some(), "{row:?}");
    }
}

#[test]
fn threads_that_share_an_offset_read_what_others_asked_for() {
    let all = outcomes("shared-descriptor", "");
    assert_eq!(all.len(), 16);
    for row in &all {
        if row.unavailable.is_some() {
            assert!(row.setting.starts_with("Go"), "{row:?}");
            continue;
        }
        let forced = row.setting.contains("seek in between");
        let shares = ["lseek, then read ·", "a dup of", "Seek, then Read ·"];
        let shares_its_offset = shares.iter().any(|words| row.setting.contains(words));
        let (tries, right) = (row.count("tries"), row.count("the block asked for"));
        assert_eq!(tries, if forced { 50 } else { 20_000 }, "{row:?}");
        assert_eq!(right + row.count("another block") + row.count("nothing (the file's end)"), tries);
        match (shares_its_offset, forced) {
            (false, _) => assert_eq!(right, tries, "{row:?}"),
            (true, true) => assert_eq!(row.count("another block"), tries, "{row:?}"),
            // A free race is a matter of chance.
            (true, false) => {}
        }
    }
}

#[test]
fn names_end_at_255_bytes_and_paths_at_4095() {
    let all = outcomes("limits", "");
    let opened = |case, setting| only(&all, case, setting).count("opened");
    let refused = |case, setting| only(&all, case, setting).count("ENAMETOOLONG");
    assert_eq!((opened("a new name", "of 255"), refused("a new name", "of 256")), (1, 1));
    assert_eq!((opened("a path", "of 256"), opened("a path", "of 4095")), (1, 1));
    assert_eq!((opened("a path", "of 4096"), refused("a path", "of 4096")), (0, 1));
    let deep = only(&all, "deeper than a path", "5021 bytes");
    assert_eq!((deep.count("opened: step by step"), deep.count("ENAMETOOLONG: by one path")), (1, 1));
    let large = only(&all, "as large as can be", "");
    assert_eq!(large.count("written: the last byte"), 1, "{large:?}");
    let mount = all.iter().find(|o| o.setting == "fresh file systems").unwrap();
    assert!(mount.unavailable.as_ref().unwrap().contains("--mount"), "{mount:?}");
}

#[test]
fn inodes_and_space_run_out_with_one_error() {
    let all = outcomes("limits", "--mount");
    let row = |setting: &str| all.iter().find(|o| o.setting == setting);
    let Some(inodes) = row("tmpfs of 64 inodes") else {
        let refused = all.iter().find(|o| o.case.starts_with("make files")).unwrap();
        assert!(refused.unavailable.as_ref().unwrap().contains("no mount namespace"), "{refused:?}");
        return;
    };
    assert_eq!((inodes.count("ENOSPC"), inodes.count("inodes free")), (1, 0), "{inodes:?}");
    assert_eq!((inodes.count("KiB free"), inodes.count("written to a file that is there")), (8192, 1));
    let space = row("tmpfs of 1 MiB").unwrap();
    assert_eq!((space.count("ENOSPC"), space.count("KiB free")), (1, 0), "{space:?}");
    assert!(space.count("inodes free") > 0);
}

#[test]
#[ignore = "long"]
fn half_a_file_is_found_by_its_checksum_alone() {
    let all: Vec<_> =
        outcomes("hot-reload", "").into_iter().filter(|o| o.case.starts_with("reload while")).collect();
    assert_eq!(all.len(), 31);
    let (none, stat, inode) = ("opened at the event", "stat first", "afterwards: the name");
    let count = |case, remedy, what: &str| only(&all, case, remedy).count(what);
    for case in ["its name is created again", "cut and rewritten", "written over in place"] {
        for remedy in [none, stat, inode] {
            assert_eq!(count(case, remedy, "in the middle: torn"), 20, "{case}, {remedy}");
            assert_eq!(count(case, remedy, "afterwards: new"), 20, "{case}, {remedy}");
        }
        assert_eq!(count(case, "the checksum", "in the middle: refused"), 20, "{case}");
    }
    assert_eq!(count("to be renamed over it", none, "in the middle: old"), 20);
    let pipe = "a pipe has its name";
    assert_eq!(count(pipe, none, "in the middle: blocked"), 1);
    assert_eq!(count(pipe, stat, "in the middle: refused"), 1);
    assert_eq!(count(pipe, "O_NONBLOCK", "in the middle: refused"), 1);
    assert_eq!(count(pipe, "a time limit", "left waiting"), 1);
}

#[test]
fn files_in_memory_allocate_when_they_are_touched() {
    const BYTES: u64 = 16 << 20;
    let all = outcomes("memory-files", "");
    let row = |case: &str, setting: &str| {
        all.iter().find(|o| o.case.contains(case) && o.setting == setting).unwrap()
    };
    let (sized, before) = ("give a file 16 MiB", "bytes allocated before the first touch");
    let bare = row(sized, "memfd · ftruncate");
    assert_eq!((bare.count(before), bare.count("bytes allocated after it")), (0, BYTES), "{bare:?}");
    assert!(bare.count("minor faults of the first touch") > 0, "{bare:?}");
    let allocated = row(sized, "memfd · fallocate, MAP_POPULATE");
    assert_eq!(allocated.count(before), BYTES);
    assert_eq!(row("MAP_SYNC", "memfd").count("mapped"), 0);
    let stored = row("store by a shared mapping", "memfd");
    assert_eq!(stored.count("stores seen by pread"), stored.count("stores"));
    assert_eq!(stored.count("pages that wait to be written"), 0);
    assert_eq!(row("look for it", "memfd").count("mounts added"), 0);
    let inherited = |setting| row("start a program", setting).count("open in the new program");
    assert_eq!((inherited("memfd with MFD_CLOEXEC"), inherited("memfd without MFD_CLOEXEC")), (0, 1));
    let gone = row("kill the process", "memfd");
    assert_eq!((gone.count("there by its name"), gone.count("read by another descriptor")), (0, 1));
    let stays = all.iter().find(|o| o.case.contains("kill") && o.setting != "memfd").unwrap();
    assert_eq!(stays.count("there by its name"), 1, "{stays:?}");
}

#[test]
#[ignore = "long"]
fn go_runs_the_last_bench_flag_and_closes_what_it_collects() {
    let all = outcomes("go-runtime", "");
    if all.iter().all(|o| o.unavailable.is_some()) {
        assert!(all[0].unavailable.as_ref().unwrap().contains("no `go` found"), "{all:?}");
        return;
    }
    let bench = |flags| only(&all, "go test", flags);
    let none = bench("SmallFile");
    assert_eq!((none.count("benchmarks run"), none.count("exit code")), (0, 0));
    assert_eq!(bench("-bench=BenchmarkReadFile -bench=").count("benchmarks run"), 1);
    assert_eq!(bench("BenchmarkReadFile|").count("benchmarks run"), 2);
    assert_eq!(bench("-bench=ReadFile -benchtime=3x").count("iterations"), 4);
    assert!(bench("-count=10").count("collections of the runtime's own") > 0);

    let leak = |form| only(&all, "open without close in Go", form);
    let alone = leak("nothing else allocated, limit 1,024");
    assert_eq!((alone.count("tries"), alone.count("collections")), (20_000, 0));
    assert!(alone.count("opened") < 1024, "{alone:?}");
    let collected = all.iter().find(|o| o.setting == "dropped, runtime.GC every 100 opens").unwrap();
    assert_eq!((collected.count("tries"), collected.count("EMFILE")), (20_000, 0), "{collected:?}");
    for form in ["kept in a slice, runtime.GC", "syscall.Open", "GOGC=off"] {
        assert!(leak(form).count("EMFILE") > 0, "{form}");
    }

    let carried = only(&all, "carry a template", "embed.FS, template of 200 KiB");
    assert!(carried.count("bytes more than the program that reads") >= 200 * 1024, "{carried:?}");
    assert_eq!((carried.count("starts without the file"), carried.count("calls of a start: fstat")), (1, 0));
    let read = only(&all, "carry a template", "os.ReadFile, template of 200 KiB");
    assert_eq!((read.count("starts without the file"), read.count("calls of a start: fstat")), (0, 1));
}

#[test]
fn a_memory_file_is_listed_with_the_reason_and_nothing_ran() {
    let sandbox = Sandbox::new();
    sandbox
        .fathom("bench config-errors --quick --dir memfd -o r.json")
        .assert()
        .code(4)
        .stdout(says("a memory file has no name"));
    let record = sandbox.record("r.json");
    assert_eq!(record.experiments[0].outcomes.len(), 1);
    sandbox.assert_nothing_left();
}

#[test]
fn an_interrupt_keeps_what_was_tried_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let mut running = Running::start(&sandbox, "bench hot-reload --quick -o r.json");
    // The second row: the first one is complete.
    running.wait_for("a watch on the directory", |_| {
        let is_it = |pid: &u32| {
            let words = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            words.contains("reload\0old handle\0directory")
        };
        sandbox.processes().into_iter().find(is_it)
    });
    running.signal(Signal::INT);
    let ended = running.end();
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.err);
    sandbox.assert_nothing_left();
    let record: Record = sandbox.record("r.json");
    assert!(!record.complete);
    assert!(!record.experiments[0].outcomes.is_empty(), "complete rows are kept");
}

#[test]
#[ignore = "long"]
fn after_a_killed_fathom_its_parts_go() {
    let sandbox = Sandbox::new();
    let mut running = Running::start(&sandbox, "bench hot-reload --quick -o r.json");
    running.wait_for("a part", |_| sandbox.processes().get(2).copied());
    running.signal(Signal::KILL);
    assert_eq!(running.end().signal, Some(9));
    let begun = std::time::Instant::now();
    while !sandbox.processes().is_empty() {
        assert!(begun.elapsed().as_secs() < 60, "parts outlive fathom: {:?}", sandbox.processes());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(!sandbox.scratch_directories().is_empty(), "a killed process cannot clear up");
    sandbox.fathom("bench config-errors --quick -o r.json").assert().code(0).stdout(says("left by process"));
    sandbox.assert_nothing_left();
}

#[test]
#[ignore = "long"]
fn a_loop_over_one_buffer_allocates_nothing_and_never_collects() {
    let all = outcomes("go-allocations", "");
    if all.iter().any(|row| row.unavailable.is_some()) {
        assert!(
            all[0].unavailable.as_deref().is_some_and(|reason| reason.contains("no `go` found")),
            "{all:?}"
        );
        return;
    }
    for size in ["100 B", "128 B", "512 B", "999 B"] {
        let row = |form: &str| all.iter().find(|row| row.setting == format!("{form} · {size}")).unwrap();
        let published = row("one buffer before the loop, as published");
        let copies = published.count("copies");
        assert!(published.count("allocations") * 1000 < copies, "{published:?}");
        assert_eq!(
            (published.count("collections"), published.figures.len()),
            (0, 1),
            "no pause: {published:?}"
        );
        let each = row("a buffer for each copy");
        assert!((copies..copies + copies / 1000).contains(&each.count("allocations")), "{each:?}");
        assert!(each.count("lines of the collector's log") >= each.count("collections"), "{each:?}");
    }
}
