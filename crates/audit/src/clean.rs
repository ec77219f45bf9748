//! Programs that waste nothing: no rule may find anything in them. Beside them the state
//! that rules rest on: who shares what with whom.

use crate::finding::{Finding, Owner, RuleId};
use crate::path_set::PathSet;
use crate::rule::Guards;
use crate::script::{CREATE, READ, Script, TRUNCATE, WRITE};
use fathom_events::{CallOutcome, DescriptorKind, FileAction, FileKind, Target, Whence};

fn findings(program: impl FnOnce(&mut Script)) -> Vec<Finding> {
    let mut script = Script::new();
    program(&mut script);
    script.findings(Guards::default())
}

fn rules(program: impl FnOnce(&mut Script)) -> Vec<(String, u64)> {
    findings(program).iter().map(|finding| (finding.rule.to_string(), finding.count)).collect()
}

#[test]
fn a_reader_that_opens_asks_reads_and_closes_is_clean() {
    let found = findings(|script| {
        script.load("/usr/bin/reader");
        for file in 0..1000_u64 {
            let descriptor = script.open(&format!("/data/{file}"), READ);
            script.fstat(descriptor, 100 + file);
            script.read(descriptor, 100 + file, i64::try_from(100 + file).unwrap());
            script.close(descriptor);
        }
        script.exit();
    });
    assert_eq!(found, []);
}

#[test]
fn fio_on_a_warm_file_is_clean() {
    let found = findings(|script| {
        script.load("/usr/bin/fio");
        script.stat("/data/fio.0", 1 << 26);
        script.fork(200);
        script.act_as(200, 200);
        let file = script.open("/data/fio.0", READ);
        for block in 0..5_000 {
            script.read_at(file, 4096, 4096, block * 7919 % 16_384 * 4096);
        }
        script.close(file);
        script.exit();
        script.act_as(100, 100);
        script.exit();
    });
    assert_eq!(found, []);
}

#[test]
fn cat_is_clean() {
    let found = findings(|script| {
        script.load("/usr/bin/cat");
        let locale = script.open("/usr/lib/locale/locale-archive", READ);
        script.fstat(locale, 3_000_000);
        let map = FileAction::Map {
            descriptor: Some(locale),
            offset: 0,
            bytes: 3_000_000,
            protection: 1,
            flags: 2,
        };
        script.call("mmap", map, CallOutcome::Value(0x7f00_0000));
        script.close(locale);
        script.fstat_as(1, FileKind::Character, 0);
        let file = script.open("/data/a", 0);
        script.fstat(file, 300_000);
        let advice = fathom_events::Advice::Sequential;
        script.works("fadvise64", FileAction::Advise { descriptor: file, offset: 0, bytes: 0, advice });
        for came in [131_072, 131_072, 37_856] {
            script.read(file, 131_072, came);
            script.write(1, u64::try_from(came).unwrap());
        }
        script.read(file, 131_072, 0);
        script.close(file);
        script.close(1);
        script.close(2);
        script.exit();
    });
    assert_eq!(found, []);
}

#[test]
fn a_writer_that_replaces_a_file_safely_is_clean() {
    let found = findings(|script| {
        script.load("/usr/bin/editor");
        let file = script.open("/home/ann/notes", READ);
        script.fstat(file, 900);
        script.read(file, 900, 900);
        script.close(file);
        let file = script.open("/home/ann/.notes.new", CREATE | crate::open_flags::EXCLUSIVE);
        script.write(file, 950);
        script.sync(file);
        script.close(file);
        script.rename("/home/ann/.notes.new", "/home/ann/notes");
        let directory = script.open("/home/ann", READ | crate::open_flags::DIRECTORY);
        script.sync(directory);
        script.close(directory);
        script.exit();
    });
    assert_eq!(found, []);
}

#[test]
fn an_open_file_is_shared_by_its_duplicates() {
    let found = rules(|script| {
        let file = script.open("/data/a", READ);
        script.duplicate(file, 9);
        script.read(file, 50, 50);
        script.close(file);
        script.seek(9, 0, Whence::Current, 50);
    });
    assert_eq!(found, [("R05".to_owned(), 1)], "the duplicate's position is known: 50");
}

#[test]
fn a_child_has_descriptors_of_its_own() {
    let found = rules(|script| {
        let file = script.open("/data/a", READ);
        script.fork(200);
        script.act_as(200, 200);
        script.close(file);
        script.act_as(100, 100);
        script.close(file);
        script.close_fails(file);
    });
    assert_eq!(found, [("R54".to_owned(), 1)], "only the parent closes twice");
}

#[test]
fn a_child_that_calls_before_its_fork_returns_inherits_all_the_same() {
    let found = findings(|script| {
        script.execute("/bin/parent");
        script.open("/data/secret", 0);
        script.act_as(200, 200);
        script.stat("/data/x", 10);
        script.act_as(100, 100);
        script.fork(200);
        script.act_as(200, 200);
        script.execute("/bin/child");
    });
    let inherited: Vec<_> = found.iter().filter(|finding| finding.rule == RuleId(52)).collect();
    assert_eq!(inherited.len(), 1, "{found:#?}");
    assert_eq!(inherited[0].place.paths, Some(PathSet::of_path("/data/secret")));
    assert_eq!(inherited[0].place.program.as_deref(), Some("/bin/parent"));
}

#[test]
fn a_child_that_executes_before_its_fork_returns_inherits_all_the_same() {
    let spawned = |is_marked_by_child: bool| {
        let found = findings(|script| {
            script.execute("/bin/parent");
            let file = script.open("/data/secret", 0);
            script.act_as(200, 200);
            if is_marked_by_child {
                script
                    .control(file, fathom_events::ControlCommand::SetDescriptorFlags { close_on_exec: true });
            }
            script.execute("/bin/child");
            script.stat("/data/x", 10);
            script.act_as(100, 100);
            script.fork(200);
        });
        found.iter().filter(|finding| finding.rule == RuleId(52)).map(|finding| finding.count).sum::<u64>()
    };
    assert_eq!((spawned(false), spawned(true)), (1, 0));
}

#[test]
fn threads_share_descriptors_and_directory() {
    let found = rules(|script| {
        let target = script.target("/data/sub");
        script.works("chdir", FileAction::ChangeDirectory { target });
        let file = script.open("b", READ);
        script.act_as(100, 101);
        script.read(file, 50, 50);
        let facts = Some(Box::new(script.facts("a", FileKind::Regular, 10)));
        for path in ["a", "../sub/./a"] {
            let target = script.target(path);
            script.works("newfstatat", FileAction::Stat { target, facts: facts.clone(), mask: 0 });
            script.act_as(100, 100);
        }
    });
    let again = ("R15".to_owned(), 1);
    assert!(found.contains(&again), "one place by two paths and threads: {found:?}");
}

#[test]
fn a_path_below_a_descriptor_or_a_new_root_is_that_place() {
    let found = rules(|script| {
        let directory = script.open("/data", READ | crate::open_flags::DIRECTORY);
        let Target::Path { path, .. } = script.target("a") else { panic!("it is a path") };
        let target = Target::Path { directory, path, follow: true };
        let facts = Some(Box::new(script.facts("/data/a", FileKind::Regular, 10)));
        script.works("newfstatat", FileAction::Stat { target, facts: facts.clone(), mask: 0 });
        let Target::Path { path, .. } = script.target("/data/a") else { panic!("it is a path") };
        let target = Target::path(path);
        script.works("newfstatat", FileAction::Stat { target, facts: facts.clone(), mask: 0 });
        let root = script.target("/jail");
        script.works("chroot", FileAction::ChangeRoot { target: root });
        script.works("newfstatat", FileAction::Stat { target, facts, mask: 0 });
    });
    assert_eq!(found, [("R15".to_owned(), 1)], "/data/a twice, /jail/data/a once");
}

#[test]
fn the_loaders_calls_are_its_own_and_locales_are_the_c_librarys() {
    let found = findings(|script| {
        script.load("/bin/app");
        for _ in 0..5 {
            script.stat("/etc/localtime", 100);
        }
    });
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].rule, found[0].owner, found[0].count), (RuleId(26), Owner::Libc, 4));
}

#[test]
fn findings_name_what_their_paths_share_and_are_per_file() {
    let found = findings(|script| {
        for file in 0..10 {
            let path = format!("/data/{}/{file}.json", file % 3);
            let descriptor = script.open(&path, READ);
            script.fstat(descriptor, 10);
            script.fstat(descriptor, 10);
            script.close(descriptor);
        }
    });
    let found = &found[0];
    let paths =
        PathSet { directory: Some("/data".to_owned()), count: 10, ..PathSet::of_path("/data/0/0.json") };
    assert_eq!(found.place.paths, Some(paths));
    assert_eq!((found.count, found.per_file_opened), (10, Some(1.0)));
    let texts: Vec<_> = found.example.iter().map(|call| call.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "openat(\"/data/0/0.json\", O_RDONLY|O_CLOEXEC) = 3",
            "fstat(3, {regular, 10 B}) = 0",
            "fstat(3, {regular, 10 B}) = 0"
        ]
    );
    assert_eq!(found.example[0].number, 1);
}

#[test]
fn descriptors_without_a_path_are_borne() {
    let found = findings(|script| {
        let made = [Some(40), Some(41)];
        script.works(
            "pipe2",
            FileAction::MakeDescriptors { kind: DescriptorKind::Pipe, made, close_on_exec: true },
        );
        script.read(40, 4096, 10);
        script.read(77, 4096, 10);
        script.close(40);
        script.close(77);
        script.open("/data/x", TRUNCATE);
        script.open_fails("/data/y", WRITE, 13);
        script.call("openat", FileAction::Other, CallOutcome::Unknown);
        script.call("close", FileAction::Close { descriptor: 41 }, CallOutcome::Unfinished);
        script.exit();
    });
    assert_eq!(found, []);
}

#[test]
fn a_descriptor_that_came_over_a_socket_is_unknown_and_accuses_nobody() {
    let found = findings(|script| {
        script.load("/usr/bin/server");
        let made = [Some(5), None];
        let kind = DescriptorKind::Socket;
        script.works("socket", FileAction::MakeDescriptors { kind, made, close_on_exec: true });
        script.close(5);
        // What recvmsg gives takes the number of what was closed.
        for _ in 0..20 {
            script.fstat(5, 100);
            script.fstat(5, 100);
            script.seek(5, 0, Whence::Current, 40);
            script.read(5, 4096, 60);
            script.seek(5, 0, Whence::Current, 100);
            script.close(5);
        }
        script.execute("/usr/bin/other");
        script.exit();
    });
    assert_eq!(found, []);
}

#[test]
fn fio_that_runs_for_a_time_is_clean() {
    let found = findings(|script| {
        script.load("/usr/bin/fio");
        script.stat("/data/fio.0", 1 << 20);
        script.fork(200);
        script.act_as(200, 200);
        let file = script.open("/data/fio.0", READ);
        for block in 0..5_000 {
            script.read_at(file, 4096, 4096, block * 7919 % 256 * 4096);
        }
        script.close(file);
        script.exit();
        script.act_as(100, 100);
        script.exit();
    });
    assert_eq!(found, []);
}
