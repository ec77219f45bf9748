use super::*;
use rustix::fs::{CWD, mkfifoat};
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

fn folder_with(files: &[(&str, usize)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, length) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, vec![b'x'; *length]).unwrap();
    }
    folder
}

fn refusal(path: &Path) -> String {
    OwnFiles::named(&[path.to_owned()]).unwrap_err().to_string()
}

#[test]
fn only_regular_files_are_taken_and_the_reason_names_what_else_it_is() {
    let folder = folder_with(&[("file", 3)]);
    let fifo = folder.path().join("fifo");
    mkfifoat(CWD, &fifo, Mode::RWXU).unwrap();
    assert!(refusal(&fifo).contains("is a FIFO: opening it waits for a writer"));
    assert!(refusal(folder.path()).contains("is a directory: --tree draws"));
    assert!(refusal(Path::new("/dev/null")).contains("is a character device"));
    assert!(refusal(&folder.path().join("absent")).starts_with("stat "));
    let file = folder.path().join("file");
    let twice = OwnFiles::named(&[file.clone(), file.clone()]).unwrap_err();
    assert!(twice.to_string().ends_with("is named twice"));
    if Path::new("/dev/shm").is_dir() {
        let other = tempfile::NamedTempFile::new_in("/dev/shm").unwrap();
        let apart = OwnFiles::named(&[file, other.path().to_owned()]).map(|_| ());
        let same = fs::metadata("/dev/shm").unwrap().dev() == fs::metadata(folder.path()).unwrap().dev();
        assert!(same || apart.unwrap_err().to_string().contains("different file systems"));
    }
}

#[test]
fn a_link_is_taken_as_it_is_named_and_the_record_says_where_it_leads() {
    let folder = folder_with(&[("file", 3)]);
    let link = folder.path().join("link");
    symlink("file", &link).unwrap();
    let facts = OwnFiles::named(std::slice::from_ref(&link)).unwrap().facts("ext4", false);
    assert_eq!(facts.files[0].path, link);
    assert_eq!(facts.files[0].leads_to, Some(fs::canonicalize(folder.path().join("file")).unwrap()));
    assert_eq!(facts.files[0].size_bytes, 3);
}

#[test]
fn every_kind_of_change_is_noticed_and_reading_is_none() {
    let folder = folder_with(&[("file", 3), ("other", 3)]);
    let path = folder.path().join("file");
    let named = || OwnFiles::named(std::slice::from_ref(&path)).unwrap();
    let files = named();
    fs::read(&path).unwrap();
    assert_eq!(files.changed(), None);
    fs::write(&path, "longer").unwrap();
    assert!(files.changed().unwrap().ends_with("changed during the run: 3 bytes became 6"));
    let files = named();
    let later = fs::metadata(&path).unwrap().modified().unwrap() + std::time::Duration::from_secs(1);
    fs::File::options().append(true).open(&path).unwrap().set_modified(later).unwrap();
    assert!(files.changed().unwrap().ends_with("it was written to"));
    let files = named();
    fs::rename(folder.path().join("other"), &path).unwrap();
    assert!(files.changed().unwrap().ends_with("another file stands in its place"));
    fs::remove_file(&path).unwrap();
    assert!(files.changed().unwrap().contains("it is gone"));
}

#[test]
fn a_tree_gives_the_same_files_for_the_same_seed_and_no_links() {
    let sizes: Vec<(String, usize)> = (0..60).map(|n| (format!("d{}/f{n}", n % 7), n * 100)).collect();
    let sizes: Vec<(&str, usize)> = sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    let folder = folder_with(&sizes);
    symlink("d0/f0", folder.path().join("link")).unwrap();
    let paths = |seed, count, least| {
        let drawn = OwnFiles::drawn(folder.path(), count, least, seed).unwrap();
        drawn.files().iter().map(|file| file.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(paths(1, 20, 0), paths(1, 20, 0));
    assert_ne!(paths(1, 20, 0), paths(2, 20, 0));
    assert_eq!(paths(1, 1000, 0).len(), 60, "the link is not followed");
    assert_eq!(paths(1, 1000, 3000).len(), 30);
    let drawn = OwnFiles::drawn(folder.path(), 60, 0, 1).unwrap();
    assert_eq!(drawn.data().size_bytes, 2950, "the mean");
    assert!(drawn.differ_in_size());
    let none = OwnFiles::drawn(folder.path(), 5, 1 << 40, 1).unwrap_err();
    assert!(none.to_string().starts_with("no regular file of 1099511627776 bytes or more"));
}

#[test]
fn devices_that_do_nothing_when_opened_are_known() {
    assert!(is_harmless_device(Path::new("/dev/null")) && is_harmless_device(Path::new("/dev/zero")));
    assert!(!is_harmless_device(Path::new("/dev/tty")) && !is_harmless_device(Path::new("/")));
    assert!(is_device(Path::new("/dev/null")) && !is_device(Path::new("/")));
}
