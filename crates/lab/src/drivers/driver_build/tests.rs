//! Builds into a cache of the test's own.

use super::*;
use crate::drivers::driver_source::BuildSystem;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

const HELLO: DriverSource = DriverSource {
    name: "hello",
    manifest_path: "",
    manifest: "",
    files: &[("main.rs", "fn main() { println!(\"hello\"); }")],
    build_system: BuildSystem::Rustc,
};

fn rustc_toolchain(variable: &str) -> Toolchain {
    Toolchain {
        program: "rustc".into(),
        variable: variable.into(),
        version: vec!["--version".into(), "--verbose".into()],
    }
}

#[test]
fn builds_once_and_anew_when_the_source_changes() {
    let cache = tempfile::tempdir().unwrap();
    let toolchain = rustc_toolchain("FATHOM_TEST_RUSTC_UNSET");
    let mut builds = 0;
    let mut build_it = |source: &DriverSource| {
        build(source, &toolchain, cache.path(), &mut BuildWatch { tell: &mut |_| builds += 1, stop: None })
            .unwrap()
            .words[0]
            .clone()
    };
    let first = build_it(&HELLO);
    assert_eq!(build_it(&HELLO), first);
    assert_eq!(Command::new(&first).output().unwrap().stdout, b"hello\n");
    let changed = DriverSource { files: &[("main.rs", "fn main() { println!(\"changed\"); }")], ..HELLO };
    assert_ne!(build_it(&changed), first);
    fs::remove_file(&first).unwrap();
    assert_eq!(build_it(&HELLO), first, "a lost program is built again");
    assert_eq!(builds, 3);
}

/// HELLO, built into a new cache; the name of its directory there.
fn built_hello() -> (tempfile::TempDir, Built, String) {
    let cache = tempfile::tempdir().unwrap();
    let built = build_again(cache.path()).unwrap();
    let home = Path::new(&built.words[0]).parent().unwrap();
    let name = home.file_name().unwrap().to_str().unwrap().to_owned();
    (cache, built, name)
}

fn build_again(cache: &Path) -> Result<Built, BuildError> {
    build(
        &HELLO,
        &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"),
        cache,
        &mut BuildWatch { tell: &mut |_| {}, stop: None },
    )
}

#[test]
fn a_changed_program_is_refused_when_found_and_before_each_start() {
    let (cache, built, _) = built_hello();
    assert_eq!(built.seal.check(), Ok(()));
    fs::write(&built.words[0], "#!/bin/sh\ntouch planted\n").unwrap();
    let difference = built.seal.check().unwrap_err();
    assert!(difference.contains("SHA-256"), "{difference}");
    let error = build_again(cache.path()).unwrap_err();
    assert!(matches!(error, BuildError::Changed { .. }) && error.is_distrust(), "{error}");
    assert!(error.to_string().contains("was changed after it was built"), "{error}");
}

#[test]
fn a_program_without_a_kept_digest_is_built_again() {
    let (cache, built, name) = built_hello();
    let digest = cache.path().join("drivers").join(format!("{name}.sha256"));
    let kept = fs::read_to_string(&digest).unwrap();
    fs::remove_file(&digest).unwrap();
    fs::write(&built.words[0], "#!/bin/sh\ntouch planted\n").unwrap();
    assert_eq!(build_again(cache.path()).unwrap().seal.sha256(), kept);
    assert_eq!(Command::new(&built.words[0]).output().unwrap().stdout, b"hello\n");
}

#[test]
fn a_cache_that_others_can_change_is_refused() {
    let (cache, built, _) = built_hello();
    let home = Path::new(&built.words[0]).parent().unwrap().to_owned();
    for directory in [home, cache.path().join("drivers"), cache.path().to_owned()] {
        let before = fs::metadata(&directory).unwrap().permissions();
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o1777)).unwrap();
        let error = build_again(cache.path()).unwrap_err();
        assert!(matches!(&error, BuildError::Untrusted(which) if which.path == directory), "{error}");
        assert!(error.is_distrust() && error.to_string().contains("FATHOM_CACHE_DIR"), "{error}");
        fs::set_permissions(&directory, before).unwrap();
    }
    build_again(cache.path()).unwrap();
}

#[test]
fn a_link_is_neither_followed_to_a_build_nor_to_a_lock_nor_to_a_digest() {
    let (cache, built, name) = built_hello();
    let drivers = cache.path().join("drivers");
    let (home, aside, victim) =
        (drivers.join(&name), cache.path().join("aside"), cache.path().join("victim"));
    fs::write(&victim, "years of work").unwrap();
    fs::rename(&home, &aside).unwrap();
    symlink(&aside, &home).unwrap();
    assert!(build_again(cache.path()).unwrap_err().to_string().contains("is not a directory"));
    fs::remove_file(&home).unwrap();
    for ending in ["lock", "sha256"] {
        let planted = drivers.join(format!("{name}.{ending}"));
        fs::remove_file(&planted).unwrap();
        symlink(&victim, &planted).unwrap();
        let outcome = build_again(cache.path());
        // A digest is not written through a link, it takes its place.
        let refused = ending == "lock";
        assert_eq!(outcome.is_err(), refused, "{ending}: {outcome:?}");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "years of work");
        if refused {
            fs::remove_file(&planted).unwrap();
        }
    }
    assert_eq!(Command::new(&built.words[0]).output().unwrap().stdout, b"hello\n");
}

#[test]
fn a_good_build_needs_nothing_that_can_be_written() {
    let (cache, built, name) = built_hello();
    let lock = cache.path().join("drivers").join(format!("{name}.lock"));
    fs::remove_file(&lock).unwrap();
    // No file can be opened for writing by this name.
    fs::create_dir(&lock).unwrap();
    assert_eq!(build_again(cache.path()).unwrap().words, built.words);
    fs::remove_dir_all(Path::new(&built.words[0]).parent().unwrap()).unwrap();
    assert!(matches!(build_again(cache.path()), Err(BuildError::Cache { .. })));
}

#[test]
fn concurrent_runs_build_once() {
    let cache = tempfile::tempdir().unwrap();
    let builds = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut tell = |step: BuildStep<'_>| {
                    let is_build = matches!(step, BuildStep::Compiles(_));
                    builds.fetch_add(is_build.into(), Ordering::Relaxed);
                };
                let mut watch = BuildWatch { tell: &mut tell, stop: None };
                build(&HELLO, &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"), cache.path(), &mut watch).unwrap();
            });
        }
    });
    assert_eq!(builds.into_inner(), 1);
}

#[test]
fn who_waits_for_the_build_of_another_says_so_and_can_be_stopped() {
    let (cache, built, name) = built_hello();
    fs::remove_file(&built.words[0]).unwrap();
    let drivers = cache.path().join("drivers");
    let lock = fs::File::open(drivers.join(format!("{name}.lock"))).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let stop = AtomicBool::new(false);
    let mut steps = Vec::new();
    let mut tell = |step: BuildStep<'_>| {
        steps.push(format!("{step:?}"));
        stop.store(true, Ordering::Relaxed);
    };
    let mut watch = BuildWatch { tell: &mut tell, stop: Some(&stop) };
    let toolchain = rustc_toolchain("FATHOM_TEST_RUSTC_UNSET");
    let error = build(&HELLO, &toolchain, cache.path(), &mut watch).unwrap_err();
    assert!(matches!(error, BuildError::Interrupted), "{error}");
    assert_eq!(steps, ["Waits(\"hello\")"]);
}

#[test]
fn a_compiler_is_killed_when_the_build_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let compiler = folder.path().join("compiler");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && exec echo 1\nexec sleep 1000\n";
    fs::write(&compiler, script).unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let toolchain = Toolchain {
        program: compiler.display().to_string(),
        variable: "FATHOM_TEST_UNSET".into(),
        version: vec!["--version".into()],
    };
    let stop = AtomicBool::new(false);
    let mut tell = |_: BuildStep<'_>| stop.store(true, Ordering::Relaxed);
    let mut watch = BuildWatch { tell: &mut tell, stop: Some(&stop) };
    let error = build(&HELLO, &toolchain, &folder.path().join("cache"), &mut watch).unwrap_err();
    assert!(matches!(error, BuildError::Interrupted), "{error}");
}

#[test]
fn another_mpi_behind_the_same_name_is_another_driver() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().join("mpicc");
    let key_of = |mpi: &str| {
        let target = folder.path().join(mpi);
        fs::write(&target, "").unwrap();
        let _may_not_be_there = fs::remove_file(&named);
        symlink(target, &named).unwrap();
        let found = Found { words: vec![named.clone().into()], version: "gcc 12".to_owned() };
        key(&crate::drivers::driver_source::MPI, &found)
    };
    assert_ne!(key_of("mpicc.openmpi"), key_of("mpicc.mpich"));
}

#[test]
fn a_compiler_error_is_told_and_leaves_nothing() {
    let cache = tempfile::tempdir().unwrap();
    let broken = DriverSource { files: &[("main.rs", "fn main() { nonsense }")], ..HELLO };
    let error = build(
        &broken,
        &rustc_toolchain("FATHOM_TEST_RUSTC_UNSET"),
        cache.path(),
        &mut BuildWatch { tell: &mut |_| {}, stop: None },
    )
    .unwrap_err();
    assert!(matches!(error, BuildError::Compiler { .. }), "{error}");
    assert!(error.to_string().contains("main.rs"), "{error}");
    let left: Vec<_> = fs::read_dir(cache.path().join("drivers"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| Path::new(name).extension().is_none_or(|ending| ending != "lock"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_missing_toolchain_names_the_program_and_the_variable() {
    let toolchain = Toolchain {
        program: "no-such-compiler".into(),
        variable: "FATHOM_TEST_UNSET".into(),
        version: vec!["--version".into()],
    };
    let cache = tempfile::tempdir().unwrap();
    let error = build(&HELLO, &toolchain, cache.path(), &mut BuildWatch { tell: &mut |_| {}, stop: None })
        .unwrap_err()
        .to_string();
    assert_eq!(error, "no `no-such-compiler` found (set FATHOM_TEST_UNSET to name one)");
}
