//! Round trips of small programs, counted by hand.

use super::*;
use crate::script::{CREATE, READ, Script, WRITE};

const MS: u64 = 1_000_000;

fn model(name: &str) -> FileSystemModel {
    FileSystemModel::named(name).unwrap()
}

/// The program runs in `/srv`, where everything is on the file system.
fn estimate_of(script: &Script, model: FileSystemModel) -> TripEstimate {
    let mut counter = TripCounter::new(model, MS, &[]).starting_in("/srv");
    script.events.iter().for_each(|event| counter.take(event, &script.paths));
    counter.finish()
}

fn trips(estimate: &TripEstimate, class: RequestClass) -> u64 {
    estimate.by_class.iter().find(|one| one.class == class).map_or(0, |one| one.round_trips)
}

#[test]
fn every_file_system_is_read_and_has_a_name_of_its_own() {
    let names: Vec<_> = FileSystemModel::all().into_iter().map(|model| model.name).collect();
    assert_eq!(names, ["nfs", "efs", "lustre", "overlay", "virtiofs", "s3-fuse", "rtt"]);
    assert!(FileSystemModel::all().iter().all(|model| model.read_bytes > 0 && model.write_bytes > 0));
}

#[test]
fn cold_names_are_looked_up_once_each() {
    let mut script = Script::new();
    (0..23).for_each(|number| script.stat(&format!("data/{number}"), 10));
    let estimate = estimate_of(&script, model("nfs"));
    assert_eq!(trips(&estimate, RequestClass::Lookup), 24, "23 names and the directory");
    assert_eq!(trips(&estimate, RequestClass::Attributes), 1, "whether it may be gone through");
    assert_eq!((estimate.round_trips, estimate.longest_chain, estimate.threads), (25, 25, 1));
    assert_eq!((estimate.added_ns_min, estimate.added_ns_max), (25 * MS, 25 * MS));
    assert_eq!((estimate.path_calls, estimate.calls, estimate.calls_elsewhere), (23, 23, 0));
}

#[test]
fn a_stat_is_answered_from_memory_until_the_attributes_run_out() {
    let mut script = Script::new();
    (0..10).for_each(|_| script.stat("a", 10));
    assert_eq!(estimate_of(&script, model("nfs")).round_trips, 1, "the name");
    script.wait_ms(4_000);
    (0..10).for_each(|_| script.stat("a", 10));
    let estimate = estimate_of(&script, model("nfs"));
    assert_eq!(trips(&estimate, RequestClass::Lookup), 1, "the name is good as long as its directory");
    assert_eq!(trips(&estimate, RequestClass::Attributes), 1);
    script.wait_ms(31_000);
    script.stat("a", 10);
    let estimate = estimate_of(&script, model("nfs"));
    assert_eq!(trips(&estimate, RequestClass::Lookup), 1, "one question about the directory renews it");
    assert_eq!(trips(&estimate, RequestClass::Attributes), 3);
}

#[test]
fn time_that_round_trips_add_lets_attributes_run_out() {
    let mut script = Script::new();
    script.stat("a", 10);
    (0..3_000).for_each(|number| script.stat(&format!("b{number}"), 10));
    script.stat("a", 10);
    // 3,000 look-ups of 1 ms take longer than the 3 s for which the first answer is good.
    let estimate = estimate_of(&script, model("nfs"));
    assert_eq!(trips(&estimate, RequestClass::Attributes), 1);
    let mut counter = TripCounter::new(model("nfs"), MS / 10, &[]).starting_in("/srv");
    script.events.iter().for_each(|event| counter.take(event, &script.paths));
    assert_eq!(trips(&counter.finish(), RequestClass::Attributes), 0);
}

#[test]
fn absent_names_are_remembered_where_the_client_does() {
    let mut script = Script::new();
    (0..5).for_each(|_| script.stat_fails("missing"));
    assert_eq!(trips(&estimate_of(&script, model("nfs")), RequestClass::Lookup), 1);
    assert_eq!(trips(&estimate_of(&script, model("virtiofs")), RequestClass::Lookup), 5);
}

#[test]
fn every_open_asks_whether_the_file_is_still_the_same() {
    let mut script = Script::new();
    for _ in 0..7 {
        let file = script.open("a", READ);
        script.read(file, 100, 10);
        script.read(file, 100, 0);
        script.close(file);
    }
    let estimate = estimate_of(&script, model("nfs"));
    let count = |class| trips(&estimate, class);
    assert_eq!((count(RequestClass::Open), count(RequestClass::Close)), (7, 7));
    assert_eq!((count(RequestClass::Lookup), count(RequestClass::Read)), (0, 1), "data is remembered");
    let by_attributes =
        FileSystemModel { open: OpenRequest::Attributes, close: CloseRequest::None, ..model("nfs") };
    let estimate = estimate_of(&script, by_attributes);
    assert_eq!(trips(&estimate, RequestClass::Lookup), 1);
    assert_eq!(trips(&estimate, RequestClass::Attributes), 6, "NFS 3: the first is by the look-up");
}

#[test]
fn a_descriptor_that_is_duplicated_is_closed_once_or_each_time() {
    let mut script = Script::new();
    let file = script.open("a", READ);
    script.duplicate(file, 50);
    script.close(file);
    script.close(50);
    assert_eq!(trips(&estimate_of(&script, model("nfs")), RequestClass::Close), 1);
    assert_eq!(trips(&estimate_of(&script, model("virtiofs")), RequestClass::Close), 2);
}

#[test]
fn written_data_goes_at_close_or_at_each_call() {
    let mut script = Script::new();
    let file = script.open("new", CREATE | 0x80 | WRITE);
    (0..3_000).for_each(|_| script.write(file, 1_000));
    script.close(file);
    let back = estimate_of(&script, model("nfs"));
    assert_eq!(trips(&back, RequestClass::Write), 3, "3,000,000 B by 1 MiB");
    assert_eq!((trips(&back, RequestClass::Commit), trips(&back, RequestClass::Close)), (1, 1));
    assert_eq!(back.round_trips - back.longest_chain, 2, "the three writes are under way together");
    let through = estimate_of(&script, model("virtiofs"));
    assert_eq!((trips(&through, RequestClass::Write), trips(&through, RequestClass::Commit)), (3_000, 0));
}

#[test]
fn one_small_write_needs_no_commit() {
    let mut script = Script::new();
    let file = script.open("new", CREATE | 0x80 | WRITE);
    script.write(file, 1_000);
    script.sync(file);
    script.sync(file);
    script.close(file);
    let estimate = estimate_of(&script, model("nfs"));
    assert_eq!((trips(&estimate, RequestClass::Write), trips(&estimate, RequestClass::Commit)), (1, 0));
    let estimate = estimate_of(&script, model("virtiofs"));
    assert_eq!(trips(&estimate, RequestClass::Commit), 2, "each fsync is a request");
}

#[test]
fn what_was_read_has_its_time_of_access_asked_again() {
    let mut script = Script::new();
    let file = script.open("a", READ);
    script.fstat(file, 10);
    script.read(file, 10, 10);
    script.fstat(file, 10);
    script.fstat(file, 10);
    let estimate = estimate_of(&script, model("nfs"));
    assert_eq!(trips(&estimate, RequestClass::Attributes), 1, "once after the read");
}

#[test]
fn a_listing_brings_what_is_in_it_where_the_client_asks_so() {
    let mut script = Script::new();
    let directory = script.open("data", READ | 0x1_0000);
    let list = |script: &mut Script, bytes| {
        let action = FileAction::List { descriptor: directory, entries: None, undecided: None };
        script.call("getdents64", action, fathom_events::CallOutcome::Value(bytes));
    };
    list(&mut script, 480);
    list(&mut script, 0);
    (0..20).for_each(|number| script.stat(&format!("data/{number}"), 1));
    let nfs = estimate_of(&script, model("nfs"));
    assert_eq!((trips(&nfs, RequestClass::List), trips(&nfs, RequestClass::Lookup)), (2, 1), "`data` itself");
    assert_eq!(trips(&estimate_of(&script, model("lustre")), RequestClass::Lookup), 21);
}

#[test]
fn processes_side_by_side_make_the_chain_no_longer() {
    let mut script = Script::new();
    script.stat("a", 1);
    for child in [200, 300] {
        script.act_as(100, 100);
        script.fork(child);
    }
    for (child, names) in [(200, 5), (300, 8)] {
        script.act_as(child, child);
        (0..names).for_each(|number| script.stat(&format!("{child}-{number}"), 1));
        script.exit();
    }
    script.act_as(100, 100);
    script.stat("b", 1);
    let estimate = estimate_of(&script, model("nfs"));
    assert_eq!((estimate.round_trips, estimate.threads), (1 + 5 + 8 + 1, 3));
    assert_eq!(estimate.longest_chain, 1 + 8 + 1, "the longer child, between the two calls of its maker");
    assert_eq!((estimate.added_ns_min, estimate.added_ns_max), (10 * MS, 15 * MS));
}

#[test]
fn a_child_that_calls_before_its_fork_returns_begins_where_its_maker_was() {
    let mut script = Script::new();
    script.stat("a", 1);
    script.act_as(200, 200);
    script.stat("b", 1);
    script.act_as(100, 100);
    script.fork(200);
    script.act_as(200, 200);
    script.stat("c", 1);
    assert_eq!(estimate_of(&script, model("nfs")).longest_chain, 3);
}

#[test]
fn plain_round_trips_are_one_for_each_call_that_asks() {
    let mut script = Script::new();
    (0..3).for_each(|_| script.stat("a/b/c/d", 10));
    script.stat_fails("a/b/x");
    let file = script.open("a/b/c/d", READ);
    script.read(file, 10, 10);
    script.read(file, 10, 0);
    script.close(file);
    let estimate = estimate_of(&script, model("rtt"));
    assert_eq!(estimate.round_trips, 3 + 1 + 1 + 2);
}

#[test]
fn only_what_is_below_the_directories_counts() {
    let mut script = Script::new();
    script.stat("/etc/passwd", 1);
    script.stat("/data/a", 1);
    script.stat("/dataset", 1);
    script.stat("/proc/self/maps", 1);
    let mut counter = TripCounter::new(model("nfs"), MS, &["/data/".to_owned()]).starting_in("/srv");
    script.events.iter().for_each(|event| counter.take(event, &script.paths));
    let estimate = counter.finish();
    assert_eq!((estimate.calls, estimate.calls_elsewhere, estimate.round_trips), (1, 3, 2));
    assert_eq!(estimate.paths[0].path, "/data");
}

#[test]
fn names_made_removed_and_renamed_are_changes() {
    let mut script = Script::new();
    let target = script.target("d");
    script.works("mkdir", FileAction::MakeDirectory { target, mode: 0o755 });
    let file = script.open("d/a", CREATE | 0x80 | WRITE);
    script.close(file);
    script.rename("d/a", "d/b");
    script.remove("d/b");
    script.stat_fails("d/b");
    let nfs = estimate_of(&script, model("nfs"));
    assert_eq!((trips(&nfs, RequestClass::Change), trips(&nfs, RequestClass::Open)), (3, 1));
    assert_eq!(trips(&nfs, RequestClass::Lookup), 1, "the new name of the rename");
    let virtiofs = estimate_of(&script, model("virtiofs"));
    assert_eq!(trips(&virtiofs, RequestClass::Lookup), 4, "before each new name, and after the removal");
}

#[test]
fn lustre_asks_for_sizes_apart() {
    let mut script = Script::new();
    (0..4).for_each(|_| script.stat("a", 10));
    let estimate = estimate_of(&script, model("lustre"));
    assert_eq!(trips(&estimate, RequestClass::Attributes), 1, "the size");
}

#[test]
fn a_mount_asks_for_a_cold_name_before_it_opens_it_and_at_each_close() {
    let mut script = Script::new();
    let file = script.open("a", READ);
    script.duplicate(file, 50);
    script.close(file);
    script.close(50);
    let mounted = |name| estimate_of(&script, model(name).as_mounted());
    let nfs = mounted("nfs");
    let count = |class| trips(&nfs, class);
    let counts = (count(RequestClass::Lookup), count(RequestClass::Open), count(RequestClass::Close));
    assert_eq!((counts, nfs.round_trips), ((1, 1, 2), 4));
    assert_eq!(mounted("s3-fuse").round_trips, 1, "neither opens nor closes of what was not written");
}

#[test]
fn a_refusal_is_an_answer_of_the_server_too() {
    let mut script = Script::new();
    let target = script.target("a");
    script.fails("getxattr", FileAction::GetAttribute { target }, 61);
    let target = script.target("a");
    script.fails("access", FileAction::Access { target, mode: 2 }, 13);
    let virtiofs = estimate_of(&script, model("virtiofs"));
    assert_eq!((trips(&virtiofs, RequestClass::Other), virtiofs.round_trips), (1, 2), "and the look-up");
    let nfs = estimate_of(&script, model("nfs"));
    assert_eq!(
        (trips(&nfs, RequestClass::Attributes), nfs.round_trips),
        (1, 2),
        "the access, and the look-up"
    );
}
