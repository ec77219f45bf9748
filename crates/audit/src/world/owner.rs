//! Whose call it is. The dynamic loader is known by its own files and by what it maps as code;
//! a name alone tells nothing once the program runs.

use super::process::Phase;
use super::{PlaceId, World};
use crate::open_flags;
use fathom_events::{FileAction, FileEvent, Target};
use memchr::memchr_iter;

impl World {
    /// True when the call is the dynamic loader's before `main`. Later it is known by the files
    /// that are mapped as code (`take_for_loaders`).
    pub(crate) fn is_loading(&self, event: &FileEvent, place: Option<PlaceId>) -> bool {
        let is_before_main =
            self.processes.get(&event.process).is_some_and(|process| process.phase == Phase::Loading);
        match (&event.action, place) {
            (FileAction::Open { flags, .. }, Some(place)) => {
                let path = self.places.path(place);
                // `dlopen` reads them as well.
                is_before_main && is_of_loader(path) || is_loaders_own(path) && !open_flags::can_write(*flags)
            }
            _ => is_before_main,
        }
    }

    /// What is mapped as code is the loader's from then on: `dlopen`, or a library whose place was
    /// named in the environment.
    pub(super) fn take_for_loaders(&mut self, event: &FileEvent, descriptor: i32) {
        let entry = self.descriptor(event.thread, event.process, descriptor).map(|entry| entry.file);
        let Some(file) = entry.and_then(|file| self.files.get_mut(&file)) else { return };
        if !file.is_loaders && file.place.is_some() {
            file.is_loaders = true;
            let place = file.place;
            let is_excluded = place.is_some_and(|place| self.places.is_excluded(place));
            self.files_opened = self.files_opened.saturating_sub(u64::from(!is_excluded));
        }
    }

    /// True of a process whose loader was seen at one of its own files.
    fn has_loader(&self, process: u32) -> bool {
        self.processes.get(&process).is_some_and(|process| process.has_loader)
    }

    /// Notes what is known of the loader by this call: that it reads a file that nobody else does, what
    /// it looks for in vain.
    pub(super) fn note_loader(&mut self, event: &FileEvent, place: Option<PlaceId>) {
        let Some(place) = place else { return };
        let is_own = is_loaders_own(self.places.path(place));
        let is_missed = matches!(event.action, FileAction::Open { .. }) && event.outcome.value().is_none();
        self.processes.entry(event.process).and_modify(|process| {
            process.has_loader |= is_own;
            process.missed = if is_missed { Some(place) } else { process.missed };
        });
    }

    /// True when a process leaves the loader's phase with this call.
    pub(super) fn leaves_loading(&self, event: &FileEvent, place: Option<PlaceId>) -> bool {
        match (&event.action, place) {
            // Without a loader, what is looked for in vain is looked for by the program. Loaders close
            // on exec what they open.
            (FileAction::Open { flags, .. }, Some(place)) => {
                !is_of_loader(self.places.path(place))
                    || !open_flags::has(*flags, open_flags::CLOSE_ON_EXEC)
                    || event.outcome.value().is_none() && !self.has_loader(event.process)
            }
            (FileAction::Stat { .. } | FileAction::Access { .. }, Some(place)) => {
                !is_of_loader(self.places.path(place)) && !self.is_directory_of_search(event, place)
            }
            // Of a library the loader reads the header; a program that reads more reads data.
            (FileAction::Read { bytes, .. }, _) if *bytes > HEADER_BYTES => true,
            (FileAction::Read { descriptor, .. } | FileAction::Write { descriptor, .. }, _) => {
                let entry = self.descriptor(event.thread, event.process, *descriptor);
                !entry.and_then(|entry| self.file(entry.file)).is_some_and(|file| file.is_loaders)
            }
            // The loader asks where its program lies: /proc/self/exe.
            (FileAction::ReadLink { .. }, Some(place)) => !self.places.path(place).starts_with("/proc/"),
            (
                FileAction::List { .. }
                | FileAction::Fork { .. }
                | FileAction::Seek { .. }
                | FileAction::Remove { .. }
                | FileAction::Rename { .. }
                | FileAction::Link { .. }
                | FileAction::SymbolicLink { .. }
                | FileAction::MakeDirectory { .. }
                | FileAction::Truncate { .. }
                | FileAction::Allocate { .. }
                | FileAction::ChangeMode { .. }
                | FileAction::ChangeAttributes { .. }
                | FileAction::GetAttribute { .. }
                | FileAction::ChangeDirectory { .. }
                | FileAction::CurrentDirectory { .. }
                | FileAction::Mask { .. }
                | FileAction::Duplicate { .. }
                | FileAction::Copy { .. }
                | FileAction::Sync { .. }
                | FileAction::Watch { .. }
                | FileAction::MakeDescriptors { .. }
                | FileAction::DeviceControl { .. }
                | FileAction::Control { .. },
                _,
            ) => true,
            _ => false,
        }
    }

    /// The program's own code runs from this call on. A file that it reads was not the loader's.
    pub(super) fn leave_loading(&mut self, event: &FileEvent) {
        self.processes.entry(event.process).and_modify(|process| process.phase = Phase::Running);
        let FileAction::Read { descriptor, .. } = &event.action else { return };
        let entry = self.descriptor(event.thread, event.process, *descriptor).map(|entry| entry.file);
        if let Some(file) = entry.and_then(|file| self.files.get_mut(&file)).filter(|file| file.is_loaders) {
            file.is_loaders = false;
            self.files_opened += 1;
        }
    }

    /// The loader looks whether the directory is there in which it has just missed a library.
    fn is_directory_of_search(&self, event: &FileEvent, place: PlaceId) -> bool {
        let missed = self.processes.get(&event.process).and_then(|process| process.missed);
        missed.is_some_and(|missed| self.places.parent(missed) == Some(place))
    }
}

/// The most that a loader asks for of a library's header: 832 B glibc, 960 B musl.
const HEADER_BYTES: u64 = 1024;

/// True of files that nobody but the loader reads.
fn is_loaders_own(path: &str) -> bool {
    path.ends_with("/etc/ld.so.cache")
        || path.ends_with("/etc/ld.so.preload")
        || path.rsplit_once("/etc/ld-musl-").is_some_and(|(_, rest)| rest.strip_suffix(".path").is_some())
}

/// True of what a loader looks for before `main`: its own files and shared objects.
fn is_of_loader(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_shared_object = name
        .split_once(".so")
        .is_some_and(|(stem, rest)| !stem.is_empty() && (rest.is_empty() || rest.starts_with(['.', '-'])));
    is_shared_object || is_loaders_own(path) || path == "/proc/self/exe"
}

/// True of what the C library reads by itself: zones, locales, names of users and services. It
/// opens files below its directories, and never lists those or looks at them by path.
pub(crate) fn is_of_libc(path: &str, action: &FileAction) -> bool {
    const FILES: [&str; 11] = [
        "/etc/passwd",
        "/etc/group",
        "/etc/services",
        "/etc/protocols",
        "/etc/resolv.conf",
        "/etc/localtime",
        "/etc/nsswitch.conf",
        "/etc/host.conf",
        "/etc/gai.conf",
        "/usr/lib/locale/locale-archive",
        "/usr/share/locale/locale.alias",
    ];
    const FOLDERS: [&str; 4] =
        ["/usr/share/zoneinfo/", "/usr/lib/locale/", "/usr/share/locale/", "/var/run/nscd/"];
    let is_by_path =
        matches!(action, FileAction::Stat { target: Target::Path { .. }, .. } | FileAction::Access { .. });
    let is_looking_around = is_by_path || matches!(action, FileAction::List { .. });
    let is_inside = |folder: &str| {
        let mut slashes = memchr_iter(b'/', path.as_bytes());
        slashes.any(|at| path.as_bytes()[at..].starts_with(folder.as_bytes()))
    };
    let is_below = || FOLDERS.iter().any(|folder| path.starts_with(folder)) || is_inside("/gconv/");
    // `dlopen` alone looks there: for a library of this CPU's.
    let is_search = || is_inside("/glibc-hwcaps/");
    FILES.contains(&path) || is_search() || !is_looking_around && is_below()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;
    use crate::rule::Guards;
    use crate::script::{READ, Script};
    use fathom_events::{CallOutcome, PathTable};

    /// `PROT_READ`, and with `PROT_EXEC`.
    const READABLE: u32 = 1;
    const EXECUTABLE: u32 = 5;

    fn map(script: &mut Script, descriptor: i32, protection: u32) {
        let action =
            FileAction::Map { descriptor: Some(descriptor), offset: 0, bytes: 8192, protection, flags: 2 };
        script.call("mmap", action, CallOutcome::Value(0x7f00_0000));
    }

    /// Of the rule, whose it is and how often.
    fn of_rule(script: &Script, rule: u16) -> Vec<(bool, u64)> {
        let findings = script.findings(Guards::default());
        let of_rule = findings.into_iter().filter(|finding: &Finding| finding.rule.0 == rule);
        of_rule.map(|finding| (finding.owner == crate::finding::Owner::Yours, finding.count)).collect()
    }

    #[test]
    fn a_search_for_shared_objects_of_the_programs_own_is_its_own() {
        let mut script = Script::new();
        script.load("/usr/bin/host");
        script.open("/etc/host.conf", READ);
        for _ in 0..4 {
            script.open_fails("/opt/host/plugin.so", READ, 2);
        }
        assert_eq!(of_rule(&script, 16), [(true, 3)]);
    }

    #[test]
    fn a_program_without_a_loader_looks_for_shared_objects_itself() {
        let mut script = Script::new();
        script.execute("/usr/bin/static-host");
        for _ in 0..4 {
            script.open_fails("/opt/host/plugin.so", READ, 2);
        }
        assert_eq!(of_rule(&script, 16), [(true, 3)]);
        // The loader's own search is its own.
        let mut script = Script::new();
        script.load("/usr/bin/host");
        for _ in 0..4 {
            script.open_fails("/opt/host/libhost.so", READ, 2);
        }
        assert_eq!(of_rule(&script, 16), []);
    }

    #[test]
    fn the_loaders_search_is_its_own_wherever_its_directories_lie() {
        let mut script = Script::new();
        script.execute("/opt/host/bin/host");
        let target = script.target("/etc/ld.so.preload");
        script.fails("access", FileAction::Access { target, mode: 4 }, 2);
        for folder in ["/opt/host/tls/x86_64", "/opt/host/tls", "/opt/host/tls/x86_64", "/opt/host/tls"] {
            script.open_fails(&format!("{folder}/libq.so"), READ, 2);
            script.stat_fails(folder);
        }
        for _ in 0..4 {
            script.open_fails("/opt/host/libc.so.6", READ, 2);
        }
        assert_eq!(of_rule(&script, 16), []);
        // A look elsewhere is the program's first call, and what it looks for then is its own.
        script.stat_fails("/opt/host/plugins");
        for _ in 0..4 {
            script.open_fails("/opt/host/plugin.so", READ, 2);
        }
        assert_eq!(of_rule(&script, 16), [(true, 3)]);
    }

    #[test]
    fn a_shared_object_that_stays_open_on_exec_is_the_programs() {
        let mut script = Script::new();
        script.load("/usr/bin/host");
        for _ in 0..4 {
            script.open_fails("/opt/host/plugin.so", 0, 2);
        }
        assert_eq!(of_rule(&script, 16), [(true, 3)]);
    }

    /// Files that a program opens three times, asks for the size and reads, as data or as `dlopen` does.
    fn read_libraries(bytes: u64, protection: u32) -> Script {
        let mut script = Script::new();
        script.load("/usr/bin/host");
        script.open("/etc/host.toml", READ);
        for number in 0..3 {
            let library = script.open(&format!("/opt/host/{number}.so"), READ);
            script.read(library, bytes, 832);
            map(&mut script, library, protection);
            (0..3).for_each(|_| script.fstat(library, 8192));
            script.close(library);
        }
        script
    }

    #[test]
    fn what_is_mapped_as_code_is_the_loaders_and_what_is_read_is_not() {
        assert_eq!(of_rule(&read_libraries(832, EXECUTABLE), 3), []);
        assert_eq!(of_rule(&read_libraries(832, READABLE), 3), [(true, 6)]);
        assert_eq!(of_rule(&read_libraries(8192, READABLE), 3), [(true, 6)]);
        let opened = |script: &Script| {
            let mut auditor = crate::auditor::Auditor::new();
            script.events.iter().for_each(|event| auditor.observe(event, &script.paths));
            auditor.finish().files_opened
        };
        assert_eq!(opened(&read_libraries(832, EXECUTABLE)), 1, "the program's own is host.toml");
        assert_eq!(opened(&read_libraries(832, READABLE)), 4);
    }

    #[test]
    fn the_cache_of_libraries_is_the_loaders_after_main_too() {
        let mapped = |path: &str| {
            let mut script = Script::new();
            script.load("/usr/bin/host");
            script.open("/etc/host.toml", READ);
            for _ in 0..4 {
                let cache = script.open(path, READ);
                map(&mut script, cache, READABLE);
                script.close(cache);
            }
            of_rule(&script, 23)
        };
        assert_eq!(mapped("/etc/ld.so.cache"), []);
        assert_eq!(mapped("/etc/host.cache"), [(true, 3)]);
    }

    #[test]
    fn a_program_that_begins_by_reading_a_library_reads_data() {
        let mut script = Script::new();
        script.load("/usr/bin/nm");
        let library = script.open("/data/libx.so", READ);
        script.read(library, 4096, 4096);
        (0..3).for_each(|_| script.fstat(library, 8192));
        assert_eq!(of_rule(&script, 3), [(true, 2)]);
    }

    #[test]
    fn shared_objects_are_told_by_their_names_before_main() {
        assert!(
            ["/lib/libc.so.6", "/usr/lib/libz.so", "/etc/ld.so.cache"].iter().all(|path| is_of_loader(path))
        );
        assert!(["/data/my.song", "/data/.sound", "/etc/hosts"].iter().all(|path| !is_of_loader(path)));
    }

    #[test]
    fn the_c_library_opens_zones_and_locales_and_does_not_look_around() {
        let open = FileAction::Read { descriptor: 3, bytes: 1, offset: None, pieces: 1 };
        let list = FileAction::List { descriptor: 3, entries: None, undecided: None };
        let mut paths = PathTable::new();
        let target = Target::path(paths.number(std::ffi::OsStr::new("/x")));
        let stat = FileAction::Stat { target, facts: None, mask: 0 };
        assert!(is_of_libc("/usr/lib/locale/C.utf8/LC_TIME", &open) && !is_of_libc("/data/locale", &open));
        for action in [&list, &stat] {
            assert!(!is_of_libc("/usr/share/zoneinfo/Europe", action), "a scan is the program's");
        }
        assert!(is_of_libc("/etc/localtime", &stat));
        assert!(is_of_libc("/lib/glibc-hwcaps/x86-64-v3/libnss_db.so.2", &stat));
        assert!(!is_of_libc("/opt/host/libplugin.so.2", &stat));
    }
}
