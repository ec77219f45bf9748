//! Each way in which a cache state is not what it seems, provoked.

use super::*;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const PAGES: usize = 50;

/// A file in a directory of the disk, its data possibly still dirty.
fn file_in(place: &TempDir, name: &str) -> (File, PathBuf) {
    let path = place.path().join(name);
    let mut file = File::create_new(&path).unwrap();
    file.write_all(&vec![9; PAGES * rustix::param::page_size()]).unwrap();
    (file, path)
}

fn place() -> Option<TempDir> {
    let place = tempfile::tempdir_in(".").unwrap();
    let magic = fathom_sys::file_system::of_file(File::open(place.path()).unwrap()).unwrap();
    if magic.is_in_memory() {
        eprintln!("skipped: the sources lie on a memory file system");
        return None;
    }
    Some(place)
}

fn controller(path: &Path, state: CacheState) -> CacheController {
    CacheController::new(&[path.to_owned()], state, false, false).unwrap()
}

fn resident(path: &Path) -> u64 {
    fathom_collect::residency(File::open(path).unwrap()).value().unwrap().resident_pages
}

#[test]
fn written_but_unsynced_pages_are_synced_and_evicted() {
    let Some(place) = place() else { return };
    let (_writer, path) = file_in(&place, "dirty");
    assert_eq!(resident(&path), PAGES as u64);
    let mut cold = controller(&path, CacheState::Cold);
    let check = cold.prepare().unwrap();
    assert_eq!((check.proof, check.resident_pages), (Proof::Proven, Some(0)));
    assert_eq!(resident(&path), 0);
    cold.after().unwrap();
    let evidence = cold.evidence();
    assert_eq!((evidence.proof, evidence.file_pages), (Proof::Proven, PAGES as u64));
    assert_eq!((evidence.resident_pages_before_max, evidence.resident_pages_before_min), (Some(0), Some(0)));
    assert_eq!(evidence.dentry, DentryState::Warm);
}

#[test]
fn a_mapped_file_that_was_touched_voids_the_sample_and_names_who_maps_it() {
    let Some(place) = place() else { return };
    let (writer, path) = file_in(&place, "mapped");
    writer.sync_all().unwrap();
    let script = "import mmap,sys\nf=open(sys.argv[1],'rb')\nm=mmap.mmap(f.fileno(),0,prot=mmap.PROT_READ)\n\
                  s=sum(m[i] for i in range(0,len(m),4096))\nprint(s,flush=True)\nsys.stdin.read()";
    let child = Command::new("python3")
        .args(["-c", script])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: no python3 to map the file");
        return;
    };
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    let mut cold = controller(&path, CacheState::Cold);
    let reason = cold.prepare().unwrap_err();
    let text = reason.to_string();
    let VoidReason::Mapped { pages, by, .. } = reason else { panic!("{text}") };
    assert_eq!(pages, PAGES as u64);
    assert!(by.len() == 1 && by[0].starts_with(&format!("{} (", child.id())), "{text}");
    drop(child.stdin.take());
    child.wait().unwrap();
    cold.prepare().unwrap();
    cold.after().unwrap();
    let void = cold.evidence().void;
    assert_eq!(
        void,
        [VoidCount { reason: "pages stayed in the cache, mapped by a process".into(), samples: 1 }]
    );
}

#[test]
fn a_warm_file_is_read_in_when_it_is_not_cached_and_checked_before_and_after() {
    let Some(place) = place() else { return };
    let (writer, path) = file_in(&place, "warm");
    writer.sync_all().unwrap();
    controller(&path, CacheState::Cold).prepare().unwrap();
    let mut warm = controller(&path, CacheState::Warm);
    let check = warm.prepare().unwrap();
    assert_eq!((check.proof, check.resident_pages), (Proof::Proven, Some(PAGES as u64)));
    warm.after().unwrap();
    // Somebody evicts it during the next sample.
    warm.prepare().unwrap();
    fathom_sys::page_cache::drop_clean_pages(&writer).unwrap();
    let reason = warm.after().unwrap_err();
    assert!(matches!(reason, VoidReason::LeftCache { resident: 0, .. }), "{reason}");
    let evidence = warm.evidence();
    assert_eq!(evidence.void, [VoidCount { reason: reason.phrase().into(), samples: 1 }]);
    assert_eq!((evidence.proof, evidence.resident_pages_before_min), (Proof::Proven, Some(PAGES as u64)));
}

#[test]
fn memory_is_never_cold_and_a_sample_must_be_prepared() {
    let file = tempfile::tempfile_in("/dev/shm").or_else(|_| tempfile::tempfile()).unwrap();
    let path = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file)));
    let mut cold = CacheController::new(std::slice::from_ref(&path), CacheState::Cold, true, true).unwrap();
    assert_eq!(cold.prepare(), Err(VoidReason::InMemory));
    assert_eq!(cold.after(), Err(VoidReason::NotPrepared));
    assert!(matches!(cold.evidence().proof, Proof::NotApplicable(_)));
    let mut warm = CacheController::new(&[path], CacheState::Warm, false, true).unwrap();
    warm.prepare().unwrap();
    warm.after().unwrap();
    assert_eq!(warm.evidence().proof, Proof::Proven);
}

#[test]
fn more_files_than_are_kept_open_are_all_checked() {
    let Some(place) = place() else { return };
    let paths: Vec<_> = (0..KEPT_OPEN + 20).map(|number| place.path().join(format!("{number}"))).collect();
    for path in &paths {
        fs::write(path, "one page").unwrap();
    }
    let mut cold = CacheController::new(&paths, CacheState::Cold, false, false).unwrap();
    assert_eq!(cold.prepare().unwrap().total_pages, paths.len() as u64);
    let last = paths.last().unwrap();
    assert_eq!(resident(last), 0);
    let mut warm = CacheController::new(&paths, CacheState::Warm, false, false).unwrap();
    warm.prepare().unwrap();
    fathom_sys::page_cache::drop_clean_pages(File::open(last).unwrap()).unwrap();
    assert!(matches!(warm.after(), Err(VoidReason::LeftCache { path, .. }) if path == *last));
}

#[test]
fn a_file_of_somebody_else_is_unknown_not_proven() {
    let Some(place) = place() else { return };
    let (writer, path) = file_in(&place, "foreign");
    writer.sync_all().unwrap();
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: only root can become somebody else");
        return;
    }
    // The path leads through directories that nobody may not enter: the descriptor does not.
    let reader = File::open(&path).unwrap();
    let seen = std::thread::spawn(move || {
        let path = PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader)));
        let mut controllers = [CacheState::Warm, CacheState::Cold].map(|state| controller(&path, state));
        let nobody = rustix::process::Uid::from_raw(65534);
        rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
        controllers.each_mut().map(|controller| {
            let before = controller.check(|_, _| Ok(())).unwrap();
            controller.pending = Some(before.clone());
            (before, controller.after(), controller.evidence())
        })
    });
    for (before, after, evidence) in seen.join().unwrap() {
        assert!(
            matches!(&before.proof, Proof::Unknown(reason) if reason.contains("not permitted")),
            "{before:?}"
        );
        assert_eq!((before.resident_pages, before.total_pages), (None, PAGES as u64));
        after.unwrap();
        assert!(matches!(evidence.proof, Proof::Unknown(_)), "{evidence:?}");
        assert_eq!(evidence.resident_pages_before_max, None);
    }
}

#[test]
fn dropping_everything_is_refused_to_those_who_may_not() {
    let Some(place) = place() else { return };
    let (_writer, path) = file_in(&place, "drop");
    let made = CacheController::new(&[path], CacheState::Cold, true, false);
    match made {
        Ok(controller) => assert!(rustix::process::geteuid().is_root() && controller.drop_caches),
        Err(error) => assert!(error.to_string().contains("root only"), "{error}"),
    }
}

#[test]
#[ignore = "drops the caches of the whole machine; run it alone, as root"]
fn by_hand_dropped_caches_are_counted_and_leave_no_page() {
    let Some(place) = place() else { return };
    let (_writer, path) = file_in(&place, "dropped");
    let before = fathom_collect::NoiseSnapshot::take();
    let mut cold = CacheController::new(std::slice::from_ref(&path), CacheState::Cold, true, false).unwrap();
    cold.prepare().unwrap();
    cold.after().unwrap();
    let noise = fathom_collect::noise_between(&before, &fathom_collect::NoiseSnapshot::take());
    assert_eq!(noise.cache_drops, Reading::Value(cold.cache_drops()));
    assert_eq!((cold.evidence().dentry, resident(&path)), (DentryState::Dropped, 0));
}
