//! Tests of kept sets from making to removal, and of what must not happen to
//! the files of others.

use super::*;
use fathom_model::{Content, Reading};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

fn quiet(_: u64, _: u64) {}

fn order(name: &str, files: u32, size_bytes: u64, content: Content) -> Order {
    Order {
        name: name.parse().unwrap(),
        data: DataSet { files, size_bytes, content },
        block_bytes: 4096,
        sync: SyncWhen::Fsync,
        seed: 42,
        created: "2026-11-20T10:00:00Z".to_owned(),
    }
}

fn make_now(place: &Path, order: &Order) -> Result<Figures, KeptError> {
    make(place, order, &mut quiet, &AtomicBool::new(false))
}

fn check(place: &Path, name: &SetName) -> Result<(), KeptError> {
    check_content(place, name, &mut quiet, &AtomicBool::new(false))
}

fn only_one(place: &Path) -> Surveyed {
    let mut found = survey(place).unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// What a process killed after two of three files would leave.
fn abandoned(place: &Path) -> (Order, PathBuf) {
    let order = order("cut", 3, 5000, Content::Random);
    let path = make_now(place, &order).unwrap().path;
    let manifest = path.join("fathom-data.json");
    let text = fs::read_to_string(&manifest).unwrap().replace("\"complete\": true", "\"complete\": false");
    fs::write(&manifest, text).unwrap();
    fs::remove_file(path.join("data-000002")).unwrap();
    (order, path)
}

#[test]
fn sets_of_every_shape_are_made_whole_and_counted_call_by_call() {
    let place = tempfile::tempdir_in(".").unwrap();
    for (files, size, content, sync, writes) in [
        (1, (3 << 20) + 5, Content::Random, SyncWhen::Fsync, 769),
        (70, 4097, Content::LogLines, SyncWhen::None, 140),
        (3, 1, Content::Pattern, SyncWhen::None, 3),
        (4, 0, Content::Random, SyncWhen::Fsync, 0),
        (2, 1024, Content::ConfigToml, SyncWhen::Fsync, 2),
    ] {
        let order = Order { sync, ..order("shape", files, size, content) };
        let figures = make_now(place.path(), &order).unwrap();
        assert_eq!((figures.writes, figures.bytes), (writes, size * u64::from(files)), "{order:?}");
        assert_eq!(figures.synced_after.is_some(), sync == SyncWhen::None);
        let mut expected = vec![0; usize::try_from(size).unwrap()];
        content.fill(file_seed(42, files - 1), 0, &mut expected);
        assert!(fs::read(figures.path.join(format!("data-{:06}", files - 1))).unwrap() == expected);
        let found = only_one(place.path());
        assert_eq!(found.state, State::Whole);
        let manifest = found.manifest.unwrap();
        assert!(manifest.complete && manifest.data() == order.data && manifest.block_bytes == 4096);
        check(place.path(), &order.name).unwrap();
        let removal = remove(place.path(), &order.name).unwrap();
        assert!(removal.is_complete() && removal.files == u64::from(files), "{removal:?}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_block_that_divides_nothing_is_written_whole_all_the_same() {
    let place = tempfile::tempdir_in(".").unwrap();
    // Neither the buffers of 1 MiB nor the files are multiples of it.
    let order = Order { block_bytes: 12_345, ..order("odd", 2, (2 << 20) + 1, Content::Random) };
    let figures = make_now(place.path(), &order).unwrap();
    assert_eq!(figures.writes, 2 * ((2_u64 << 20) + 1).div_ceil(12_345));
    check(place.path(), &order.name).unwrap();
    let large = Order { block_bytes: 3 << 20, name: "large".parse().unwrap(), ..order };
    assert_eq!(make_now(place.path(), &large).unwrap().writes, 2);
    check(place.path(), &large.name).unwrap();
}

#[test]
fn a_name_that_is_taken_is_refused_and_what_is_there_untouched() {
    let place = tempfile::tempdir_in(".").unwrap();
    let first = order("twice", 1, 5000, Content::Random);
    make_now(place.path(), &first).unwrap();
    let second = Order { seed: 7, ..first.clone() };
    assert!(matches!(make_now(place.path(), &second), Err(KeptError::Exists(_))));
    check(place.path(), &first.name).unwrap();
    let missing = make_now(&place.path().join("nowhere"), &first).unwrap_err();
    assert!(missing.to_string().contains("nowhere: No such file"), "{missing}");
}

#[test]
fn an_interruption_takes_everything_away_again() {
    let place = tempfile::tempdir_in(".").unwrap();
    let stop = AtomicBool::new(false);
    let mut seen_unfinished = false;
    let order = order("stopped", 20, 1 << 20, Content::Pattern);
    let mut progress = |done: u64, _| {
        if done == 3 << 20 {
            let found = only_one(place.path());
            seen_unfinished = found.state == State::BeingMade && !found.manifest.unwrap().complete;
            assert!(matches!(remove(place.path(), &order.name), Err(KeptError::InUse(_))));
            stop.store(true, Ordering::Relaxed);
        }
    };
    let error = make(place.path(), &order, &mut progress, &stop).unwrap_err();
    assert!(error.is_interruption(), "{error}");
    assert!(seen_unfinished, "while it is made it says so");
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn what_a_killed_maker_left_is_known_as_unfinished_and_can_be_removed() {
    let place = tempfile::tempdir_in(".").unwrap();
    let (order, path) = abandoned(place.path());
    let found = only_one(place.path());
    assert_eq!(found.state, State::Unfinished);
    assert!(matches!(check(place.path(), &order.name), Err(KeptError::Unfinished(_))));
    let place_of = Place::Directory(place.path().to_owned());
    assert!(open_for_use(&place_of, &order.name, &order.data).is_err());
    assert!(remove(place.path(), &order.name).unwrap().is_complete());
    assert!(!path.exists());
    // Killed before it had a manifest, or while it wrote it.
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(path.join("fathom-data.json.new"), "{\"for").unwrap();
    assert_eq!(only_one(place.path()).state, State::Unfinished);
    assert!(remove(place.path(), &order.name).unwrap().is_complete() && !path.exists());
}

#[test]
fn every_kind_of_damage_is_found() {
    let place = tempfile::tempdir_in(".").unwrap();
    let order = order("hurt", 3, 2 << 20, Content::Random);
    let path = make_now(place.path(), &order).unwrap().path;
    let file = path.join("data-000001");
    let good = fs::read(&file).unwrap();
    let mut bad = good.clone();
    bad[(1 << 20) + 77] ^= 1;
    fs::write(&file, &bad).unwrap();
    assert_eq!(only_one(place.path()).state, State::Whole, "sizes do not tell");
    let error = check(place.path(), &order.name).unwrap_err().to_string();
    assert!(error.contains("data-000001: the byte at offset 1048653"), "{error}");
    fs::write(&file, &good[1..]).unwrap();
    let State::Damaged(problems) = only_one(place.path()).state else { panic!() };
    assert_eq!(problems, ["data-000001 has 2097151 bytes of 2097152"]);
    fs::remove_file(&file).unwrap();
    let State::Damaged(problems) = only_one(place.path()).state else { panic!() };
    assert_eq!(problems, ["data-000001 is missing"]);
    symlink("data-000000", &file).unwrap();
    let State::Damaged(problems) = only_one(place.path()).state else { panic!() };
    assert!(problems[0].contains("no regular file"), "{problems:?}");
}

#[test]
fn files_of_others_and_links_survive_a_removal_and_are_told() {
    let place = tempfile::tempdir_in(".").unwrap();
    let order = order("shared", 3, 100, Content::Pattern);
    let path = make_now(place.path(), &order).unwrap().path;
    let victim = place.path().join("victim");
    fs::write(&victim, "years of work").unwrap();
    fs::write(path.join("thesis.txt"), "more work").unwrap();
    fs::write(path.join("data-000003"), "beyond the set").unwrap();
    fs::remove_file(path.join("data-000001")).unwrap();
    symlink(&victim, path.join("data-000001")).unwrap();
    assert_eq!(only_one(place.path()).foreign, ["data-000003", "thesis.txt"]);
    let removal = remove(place.path(), &order.name).unwrap();
    assert_eq!(removal.foreign, ["data-000001 (no regular file)", "data-000003", "thesis.txt"]);
    assert_eq!((removal.files, removal.is_complete()), (2, false));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "years of work");
    assert_eq!(fs::read_to_string(path.join("thesis.txt")).unwrap(), "more work");
    assert!(!path.join("data-000000").exists() && !path.join("fathom-data.json").exists());
}

#[test]
fn links_and_writable_directories_are_no_sets_of_ours() {
    let place = tempfile::tempdir_in(".").unwrap();
    let elsewhere = tempfile::tempdir_in(".").unwrap();
    let order = order("linked", 1, 100, Content::Pattern);
    let path = make_now(elsewhere.path(), &order).unwrap().path;
    symlink(&path, place.path().join("fathom-data-linked")).unwrap();
    fs::write(place.path().join("fathom-data-file"), "").unwrap();
    assert_eq!(survey(place.path()).unwrap(), []);
    assert!(matches!(remove(place.path(), &order.name), Err(KeptError::NotOurs { .. })));
    assert!(matches!(remove(place.path(), &"nothing".parse().unwrap()), Err(KeptError::Absent { .. })));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(remove(elsewhere.path(), &order.name), Err(KeptError::NotOurs { .. })));
    assert!(matches!(only_one(elsewhere.path()).state, State::Unreadable(_)));
    assert!(path.join("data-000000").exists());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(path.join("fathom-data.json"), "{}").unwrap();
    assert!(matches!(remove(elsewhere.path(), &order.name), Err(KeptError::Manifest { .. })));
    assert!(path.join("data-000000").exists(), "nothing goes that no manifest names");
}

#[test]
fn a_run_uses_a_set_that_is_what_it_asks_for_and_holds_it() {
    let folder = tempfile::tempdir_in(".").unwrap();
    let place = Place::Directory(folder.path().to_owned());
    let order = order("used", 2, 5000, Content::Random);
    make_now(folder.path(), &order).unwrap();
    let (files, held) = open_for_use(&place, &order.name, &order.data).unwrap();
    for (path, &seed) in files.paths.iter().zip(&files.seeds) {
        let mut expected = vec![0; 5000];
        Content::Random.fill(seed, 0, &mut expected);
        assert!(fs::read(path).unwrap() == expected);
    }
    assert!(matches!(remove(folder.path(), &order.name), Err(KeptError::InUse(_))));
    assert_eq!(only_one(folder.path()).state, State::Whole);
    drop(held);
    let other = DataSet { files: 3, ..order.data.clone() };
    let error = open_for_use(&place, &order.name, &other).unwrap_err().to_string();
    assert!(error.contains("is 2 files of 5000 B, random, and 3 files of 5000 B"), "{error}");
    assert!(open_for_use(&Place::Memfd, &order.name, &order.data).is_err());
    fs::File::create(&files.paths[1]).unwrap().set_len(5000).unwrap();
    let error = open_for_use(&place, &order.name, &order.data).unwrap_err().to_string();
    assert!(error.contains("a hole") || error.contains("sparse"), "{error}");
}

#[test]
fn what_is_cached_is_told_in_bytes() {
    let place = tempfile::tempdir_in(".").unwrap();
    let order = order("cached", 3, 10_000, Content::Random);
    let path = make_now(place.path(), &order).unwrap().path;
    for number in 0..3 {
        fs::read(path.join(format!("data-00000{number}"))).unwrap();
    }
    match only_one(place.path()).cached_bytes {
        Reading::Value(bytes) => assert_eq!(bytes, 30_000),
        Reading::Unavailable(reason) => eprintln!("skipped: {reason}"),
    }
}
