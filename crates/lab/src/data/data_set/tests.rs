//! Tests of making whole data sets.

use super::*;
use fathom_model::Content;
use std::process::Command;
use std::sync::atomic::Ordering;

const DIRECTORY: &str = "FATHOM_TEST_TINY_FILE_SYSTEM";

fn quiet(_: u64, _: u64) {}

fn expected(data: &DataSet, seed: u64) -> Vec<u8> {
    let mut bytes = vec![0; usize::try_from(data.size_bytes).unwrap()];
    data.content.fill(seed, 0, &mut bytes);
    bytes
}

fn make_in(place: &Path, data: &DataSet) -> (Scratch, Result<FilesMade, DataError>) {
    let scratch = Scratch::create(place).unwrap();
    let made = make(Target::Scratch(&scratch), data, 42, &mut quiet, &AtomicBool::new(false));
    (scratch, made)
}

fn check_content(made: &FilesMade, data: &DataSet) {
    assert_eq!((made.paths.len(), made.seeds.len()), (data.files as usize, data.files as usize));
    for (path, &seed) in made.paths.iter().zip(&made.seeds) {
        assert!(std::fs::read(path).unwrap() == expected(data, seed), "{} differs", path.display());
    }
}

#[test]
fn files_of_every_shape_hold_what_their_seed_says() {
    let place = tempfile::tempdir_in(".").unwrap();
    for (files, size_bytes, content) in [
        (1, (9 << 20) + 5, Content::Random),
        (3, (1 << 20) - 1, Content::LogLines),
        (200, 4099, Content::Random),
        (70, 1, Content::Pattern),
        (5, 0, Content::Random),
        (0, 4096, Content::Random),
    ] {
        let data = DataSet { files, size_bytes, content };
        let (_scratch, made) = make_in(place.path(), &data);
        check_content(&made.unwrap(), &data);
    }
}

#[test]
fn files_of_one_data_set_differ_and_a_second_set_does_not_touch_the_first() {
    let place = tempfile::tempdir_in(".").unwrap();
    let data = DataSet { files: 2, size_bytes: 5000, content: Content::Random };
    let (scratch, first) = make_in(place.path(), &data);
    let first = first.unwrap();
    assert_ne!(first.seeds[0], first.seeds[1]);
    let second = make(Target::Scratch(&scratch), &data, 43, &mut quiet, &AtomicBool::new(false)).unwrap();
    assert!(second.paths.iter().all(|path| !first.paths.contains(path)));
    check_content(&first, &data);
    check_content(&second, &data);
}

#[test]
fn memory_files_are_read_by_a_child_under_their_path() {
    let data = DataSet { files: 2, size_bytes: (1 << 20) + 17, content: Content::Random };
    let made = make(Target::Memory, &data, 7, &mut quiet, &AtomicBool::new(false)).unwrap();
    check_content(&made, &data);
    let output = Command::new("cat").arg(&made.paths[1]).output().unwrap();
    assert!(output.stdout == expected(&data, made.seeds[1]));
}

#[test]
fn progress_rises_to_the_total() {
    let place = tempfile::tempdir_in(".").unwrap();
    let scratch = Scratch::create(place.path()).unwrap();
    let data = DataSet { files: 3, size_bytes: 1 << 20, content: Content::Pattern };
    let mut heard = Vec::new();
    let mut progress = |done, total| heard.push((done, total));
    make(Target::Scratch(&scratch), &data, 1, &mut progress, &AtomicBool::new(false)).unwrap();
    assert_eq!(heard, [0, 1, 2, 3].map(|mib| (mib << 20, 3 << 20)));
}

#[test]
fn an_interruption_takes_everything_away_again() {
    let place = tempfile::tempdir_in(".").unwrap();
    let scratch = Scratch::create(place.path()).unwrap();
    let data = DataSet { files: 20, size_bytes: 1 << 20, content: Content::Pattern };
    let stop = AtomicBool::new(false);
    let mut progress = |done: u64, _| stop.store(done >= 3 << 20, Ordering::Relaxed);
    let error = make(Target::Scratch(&scratch), &data, 1, &mut progress, &stop).unwrap_err();
    assert!(matches!(error, DataError::Interrupted), "{error}");
    assert!(scratch.remove().files == 0, "the files went before the directory did");
}

/// Runs the test named in a mount namespace of its own, a file system of 4 MiB at
/// the directory it is told; true when that was done, false inside of it.
fn in_tiny_file_system(test: &str) -> bool {
    if std::env::var_os(DIRECTORY).is_some() {
        return false;
    }
    let place = tempfile::tempdir().unwrap();
    let script = format!(
        "mount -t tmpfs -o size=4m,nr_inodes=100 tmpfs \"${DIRECTORY}\" || exit 77; exec \"$0\" --exact \"$1\" --nocapture"
    );
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", &script])
        .arg(std::env::current_exe().unwrap())
        .arg(std::thread::current().name().unwrap())
        .env(DIRECTORY, place.path())
        .output();
    match output {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("1 passed"), "{test} did not run: {text}");
        }
        Ok(output) if output.status.code() == Some(101) => {
            panic!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        }
        other => eprintln!("skipped: {test}: no mount namespace can be made here: {other:?}"),
    }
    true
}

fn tiny_file_system() -> PathBuf {
    PathBuf::from(std::env::var_os(DIRECTORY).unwrap())
}

#[test]
fn too_much_for_the_file_system_is_said_before_anything_is_written() {
    if in_tiny_file_system("no space at first") {
        return;
    }
    let data = DataSet { files: 1, size_bytes: 8 << 20, content: Content::Random };
    let (scratch, made) = make_in(&tiny_file_system(), &data);
    let error = made.unwrap_err();
    let DataError::NoSpace { path, need_bytes, free_bytes } = &error else { panic!("{error}") };
    assert_eq!((path.as_path(), *need_bytes), (scratch.path(), 8 << 20));
    assert!(*free_bytes <= 4 << 20 && error.to_string().contains("8388608"), "{error}");
    let data = DataSet { files: 200, size_bytes: 0, content: Content::Random };
    let made = make(Target::Scratch(&scratch), &data, 1, &mut quiet, &AtomicBool::new(false));
    assert!(matches!(made, Err(DataError::NoFiles { need: 200, .. })));
}

#[test]
fn a_file_system_that_fills_up_meanwhile_is_told_and_left_clean() {
    if in_tiny_file_system("no space midway") {
        return;
    }
    let place = tiny_file_system();
    let scratch = Scratch::create(&place).unwrap();
    let data = DataSet { files: 3, size_bytes: 1 << 20, content: Content::Random };
    let filler = place.join("filler");
    let mut progress = |done: u64, _| {
        if done == 1 << 20 {
            std::fs::write(&filler, vec![1; 2 << 20]).unwrap();
        }
    };
    let error =
        make(Target::Scratch(&scratch), &data, 1, &mut progress, &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(error, DataError::NoSpace { need_bytes: 3_145_728, .. }), "{error}");
    let removal = scratch.remove();
    assert!(removal.is_complete() && removal.files == 0, "{removal}");
    assert!(filler.exists());
}
