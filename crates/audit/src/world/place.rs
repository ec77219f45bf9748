//! Places: absolute paths, made normal by their words alone (`..` takes a word off,
//! symbolic links are not followed), and what calls told of them.

use fathom_events::{FileKind, Mount, MountTable};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaceId(u32);

/// A path and what is known of it. Clocks are numbers of events; 0 is before the first.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug)]
pub(crate) struct Place {
    path: Rc<str>,
    /// Where its name begins.
    name_at: u32,
    parent: Option<PlaceId>,
    has_children: bool,
    /// Whether something was there when last asked.
    pub(crate) exists: Option<bool>,
    /// What it was.
    pub(crate) kind: Option<FileKind>,
    /// The device it lies on.
    pub(crate) device: Option<u64>,
    /// Its size, as far as it has not changed since it was told.
    pub(crate) size_bytes: Option<u64>,
    /// When its content, its attributes or its name changed last.
    pub(crate) changed_at: u64,
    /// When anything directly in it changed last.
    pub(crate) inside_changed_at: u64,
    /// When it was last made to reach the device.
    pub(crate) synced_at: u64,
    /// True of a directory that a traced program listed.
    pub(crate) is_listed: bool,
    /// True of a directory from which an interpreter loaded code.
    pub(crate) holds_code: bool,
    /// True when the traced programs made it.
    pub(crate) is_made: bool,
    /// True of a directory that they made: what was never named there is not there.
    pub(crate) is_made_empty: bool,
    kind_by_path: Option<FileKind>,
    is_excluded: bool,
    mount: Option<usize>,
    is_mount_point: bool,
}

/// Every place that was named.
#[derive(Debug, Default)]
pub(crate) struct Places {
    all: Vec<Place>,
    by_path: FxHashMap<Rc<str>, PlaceId>,
    /// When a directory got another name, or what lies below another root.
    moved_at: u64,
    mounts: MountTable,
}

impl Places {
    /// Takes in what is mounted where.
    pub(super) fn know_mounts(&mut self, mounts: MountTable) {
        self.mounts = mounts;
        for at in 0..self.all.len() {
            let parent = self.all[at].parent;
            let on_it = self.mounts.at(&self.all[at].path);
            let (mount, is_made_up) = self.mount_of(on_it, parent);
            let place = &mut self.all[at];
            (place.mount, place.is_mount_point) = (mount, on_it.is_some());
            place.is_excluded |= is_made_up;
        }
    }

    /// The mount of what lies in a directory, with that on it itself, and whether the kernel makes
    /// up what is there.
    fn mount_of(&self, on_it: Option<usize>, parent: Option<PlaceId>) -> (Option<usize>, bool) {
        let of_parent = || parent.and_then(|parent| self.get(parent).mount);
        let mount = on_it.or_else(of_parent);
        (mount, mount.and_then(|mount| self.mounts.get(mount)).is_some_and(Mount::is_made_up))
    }

    /// The mount that a place lies on, where mounts are known.
    pub(crate) fn mount(&self, place: PlaceId) -> Option<&Mount> {
        self.mounts.get(self.get(place).mount?)
    }

    /// True when something is mounted on this very place.
    pub(crate) fn is_mount_point(&self, place: PlaceId) -> bool {
        self.get(place).is_mount_point
    }

    /// The place of a normal path.
    pub(crate) fn number(&mut self, path: &str) -> PlaceId {
        if let Some(known) = self.by_path.get(path) {
            return *known;
        }
        let parent = parent_path(path).map(|parent| self.number(parent));
        if let Some(parent) = parent {
            self.all[parent.0 as usize].has_children = true;
        }
        let on_it = self.mounts.at(path);
        let (mount, is_made_up) = self.mount_of(on_it, parent);
        let number = PlaceId(u32::try_from(self.all.len()).expect("memory ends before 2^32 places"));
        let path: Rc<str> = Rc::from(path);
        self.by_path.insert(Rc::clone(&path), number);
        let name_at = path.rfind('/').map_or(0, |cut| cut + 1);
        self.all.push(Place {
            name_at: u32::try_from(name_at).expect("paths are shorter than 4 GiB"),
            parent,
            has_children: false,
            exists: None,
            kind: None,
            device: None,
            size_bytes: None,
            changed_at: 0,
            inside_changed_at: 0,
            synced_at: 0,
            is_listed: false,
            holds_code: false,
            is_made: false,
            is_made_empty: false,
            kind_by_path: kind_by_path(&path),
            is_excluded: is_excluded(&path) || is_made_up,
            mount,
            is_mount_point: on_it.is_some(),
            path,
        });
        number
    }

    pub(crate) fn get(&self, place: PlaceId) -> &Place {
        &self.all[place.0 as usize]
    }

    pub(super) fn get_mut(&mut self, place: PlaceId) -> &mut Place {
        &mut self.all[place.0 as usize]
    }

    /// True when nothing is there, as far as was seen.
    pub(crate) fn is_absent(&self, place: PlaceId) -> bool {
        let at = self.get(place);
        let is_in_new = || at.parent.is_some_and(|parent| self.get(parent).is_made_empty);
        at.exists.map_or_else(is_in_new, |exists| !exists)
    }

    /// Its path.
    pub(crate) fn path(&self, place: PlaceId) -> &str {
        &self.get(place).path
    }

    /// True when it is that directory, or lies below it.
    pub(crate) fn is_below(&self, place: PlaceId, directory: &str) -> bool {
        is_below(self.path(place), directory)
    }

    /// The directory it lies in.
    pub(crate) fn parent(&self, place: PlaceId) -> Option<PlaceId> {
        self.get(place).parent
    }

    /// True of a directory, by what it is known to be or because something was named below it.
    pub(crate) fn is_directory(&self, place: PlaceId) -> bool {
        self.get(place).has_children || self.kind(place) == Some(FileKind::Directory)
    }

    /// The part of its path after the last `/`.
    pub(crate) fn name(&self, place: PlaceId) -> &str {
        let place = self.get(place);
        &place.path[place.name_at as usize..]
    }

    /// The kind of what is there: by what a call said, else by its path.
    pub(crate) fn kind(&self, place: PlaceId) -> Option<FileKind> {
        let place = self.get(place);
        place.kind.or(place.kind_by_path)
    }

    /// True of what the kernel makes up and of devices: advice on files does not hold there.
    pub(crate) fn is_excluded(&self, place: PlaceId) -> bool {
        let odd = matches!(
            self.kind(place),
            Some(FileKind::Character | FileKind::Block | FileKind::Pipe | FileKind::Socket)
        );
        self.get(place).is_excluded || odd
    }

    /// True when no traced program changed it, or what lies beside it, since that event.
    pub(crate) fn is_unchanged_since(&self, place: PlaceId, event: u64) -> bool {
        let at = self.get(place);
        let beside = at.parent.map_or(0, |parent| self.get(parent).inside_changed_at);
        at.changed_at <= event && beside <= event && self.moved_at <= event
    }

    /// True when its own content is what it was at that event, as far as was seen.
    pub(crate) fn has_content_of(&self, place: PlaceId, event: u64) -> bool {
        self.get(place).changed_at <= event && self.moved_at <= event
    }

    /// True when a directory got another name since that event, or what lies below another root.
    pub(crate) fn has_moved_since(&self, event: u64) -> bool {
        self.moved_at > event
    }

    /// Marks a change of a place at an event.
    pub(super) fn change(&mut self, place: PlaceId, event: u64) {
        let at = self.get_mut(place);
        at.changed_at = at.changed_at.max(event);
        let parent = at.parent;
        if let Some(parent) = parent {
            let parent = self.get_mut(parent);
            parent.inside_changed_at = parent.inside_changed_at.max(event);
        }
    }

    /// Marks that a name went or came: with a directory, everything below it moves.
    pub(super) fn change_name(&mut self, place: PlaceId, event: u64) {
        self.change(place, event);
        if self.get(place).has_children {
            self.moved_at = event;
        }
    }
}

/// Puts a path on a normal base, or on none, and makes it normal. A base that does not begin at
/// the root is not known: what lies below it begins with `.`.
pub(super) fn resolve(base: &str, path: &str) -> String {
    let mut normal = String::with_capacity(base.len() + path.len() + 2);
    resolve_into(&mut normal, base, path);
    normal
}

/// The same in place of what a text holds.
pub(super) fn resolve_into(normal: &mut String, base: &str, path: &str) {
    let is_absolute = path.starts_with('/') || base.starts_with('/');
    normal.clear();
    normal.push_str(match base {
        "/" => "",
        _ if path.starts_with('/') => "",
        "" => ".",
        base => base,
    });
    for word in path.split('/') {
        let last = normal.rfind('/');
        match word {
            "" | "." => {}
            ".." if is_absolute || last.is_some_and(|last| &normal[last..] != "/..") => {
                normal.truncate(last.unwrap_or(0));
            }
            word => {
                normal.push('/');
                normal.push_str(word);
            }
        }
    }
    if normal.is_empty() {
        normal.push('/');
    }
}

fn parent_path(path: &str) -> Option<&str> {
    let cut = path.rfind('/')?;
    match cut {
        0 if path.len() == 1 => None,
        0 => Some("/"),
        cut => Some(&path[..cut]),
    }
}

fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn is_excluded(path: &str) -> bool {
    let is_device = is_below(path, "/dev") && !is_below(path, "/dev/shm");
    is_device || ["/proc", "/sys"].iter().any(|made_up| is_below(path, made_up))
}

fn kind_by_path(path: &str) -> Option<FileKind> {
    const CHARACTER: [&str; 7] =
        ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/random", "/dev/urandom", "/dev/console"];
    let is_one = path.starts_with("/dev/") && (CHARACTER.contains(&path) || path.starts_with("/dev/pts/"));
    is_one.then_some(FileKind::Character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_normal_by_their_words() {
        assert_eq!(resolve("/srv", "a/./b//c/../d"), "/srv/a/b/d");
        assert_eq!(resolve("/srv", "/etc/../x"), "/x");
        assert_eq!(resolve("/", "../.."), "/");
        assert_eq!(resolve("/srv", ""), "/srv");
        let unknown = [("", "."), ("", "a/b"), ("./a", "../../x"), ("", "../y")];
        assert_eq!(unknown.map(|(base, path)| resolve(base, path)), [".", "./a/b", "./../x", "./../y"]);
    }

    #[test]
    fn a_change_beside_a_place_ends_what_was_known_of_it() {
        let mut places = Places::default();
        let (one, other) = (places.number("/d/one"), places.number("/d/other"));
        let far = places.number("/e/far");
        places.change(other, 5);
        assert!(!places.is_unchanged_since(one, 4) && places.is_unchanged_since(one, 5));
        assert!(places.is_unchanged_since(far, 4) && places.has_content_of(one, 4));
        let directory = places.number("/d");
        places.change_name(directory, 9);
        assert!(!places.has_content_of(far, 8), "what a renamed directory held is elsewhere");
    }

    #[test]
    fn what_the_kernel_makes_up_is_no_file() {
        assert!(["/proc/self/maps", "/dev/pts/0", "/sys"].iter().all(|path| is_excluded(path)));
        assert!(["/dev/shm/x", "/processes", "/etc/hosts"].iter().all(|path| !is_excluded(path)));
    }
}
