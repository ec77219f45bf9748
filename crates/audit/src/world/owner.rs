//! Whose call it is: the dynamic loader is told by what it opens.

use super::process::Phase;
use super::{PlaceId, World};
use fathom_events::{FileAction, FileEvent};

impl World {
    /// True when the call is the dynamic loader's, before `main` or in `dlopen`.
    pub(crate) fn is_loading(&self, event: &FileEvent, place: Option<PlaceId>) -> bool {
        let is_before_main =
            self.processes.get(&event.process).is_some_and(|process| process.phase == Phase::Loading);
        match (&event.action, place) {
            (FileAction::Open { .. }, Some(place)) => {
                let succeeded = event.outcome.value().is_some();
                (is_before_main || succeeded) && is_of_loader(self.places.path(place))
            }
            (FileAction::Stat { .. } | FileAction::Access { .. } | FileAction::ReadLink { .. }, Some(_)) => {
                is_before_main
            }
            _ => is_before_main,
        }
    }

    /// True when a process leaves the loader's phase with this call.
    pub(super) fn leaves_loading(&self, event: &FileEvent, place: Option<PlaceId>) -> bool {
        match (&event.action, place) {
            (FileAction::Open { .. }, Some(place)) => !is_of_loader(self.places.path(place)),
            (FileAction::Stat { .. } | FileAction::Access { .. }, Some(place)) => {
                !is_of_loader(self.places.path(place)) && !self.is_directory_of_search(event, place)
            }
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

    /// The loader looks whether the directories it searched are there at all.
    fn is_directory_of_search(&self, event: &FileEvent, place: PlaceId) -> bool {
        let name = self.places.path(place);
        let failed_or_directory = self.places.kind(place) != Some(fathom_events::FileKind::Regular);
        event.call != "lstat" && failed_or_directory && (name.contains("/lib") || name.contains("hwcaps"))
    }
}

/// True of the loader's own files and of shared objects.
fn is_of_loader(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_shared_object = name
        .split_once(".so")
        .is_some_and(|(stem, rest)| !stem.is_empty() && (rest.is_empty() || rest.starts_with(['.', '-'])));
    is_shared_object
        || path.starts_with("/etc/ld.so.")
        || path.starts_with("/etc/ld-")
        || path == "/proc/self/exe"
}

/// True of what the C library reads by itself: zones, locales, names of users and services.
pub(crate) fn is_of_libc(path: &str) -> bool {
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
    FILES.contains(&path) || FOLDERS.iter().any(|folder| path.starts_with(folder)) || path.contains("/gconv/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_objects_are_told_by_their_names() {
        assert!(
            ["/lib/libc.so.6", "/usr/lib/libz.so", "/etc/ld.so.cache"].iter().all(|path| is_of_loader(path))
        );
        assert!(["/data/my.song", "/data/.sound", "/etc/hosts"].iter().all(|path| !is_of_loader(path)));
        assert!(is_of_libc("/usr/lib/locale/C.utf8/LC_TIME") && !is_of_libc("/data/locale"));
    }
}
