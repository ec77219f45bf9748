//! Places: absolute paths, made normal by their words alone (`..` takes a word off,
//! symbolic links are not followed), and what calls told of them.

use fathom_events::{FileKind, Mount, MountTable, is_below, is_made_up_path};
use hashbrown::HashTable;
use memchr::{memchr_iter, memrchr};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::num::NonZeroU32;

/// The number of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlaceId(NonZeroU32);

/// A path and what is known of it. Clocks are numbers of events; 0 is before the first.
#[expect(clippy::struct_excessive_bools, reason = "they are facts that do not depend on each other")]
#[derive(Debug)]
pub(crate) struct Place {
    /// Where its path begins among the texts of all, and its length.
    path_at: usize,
    path_bytes: u32,
    /// Where its name begins in it.
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
    /// True of a directory in which an interpreter searches for code, found there or not.
    pub(crate) is_searched: bool,
    /// How often a directory was asked for as the next of a search path, and how often otherwise.
    pub(super) asked_in_path: u32,
    pub(super) asked_apart: u32,
    /// True of a file that an interpreter opened in the way in which it alone opens code, and of an
    /// archive of the class path.
    pub(crate) is_loaded: bool,
    /// Node has found it by its name: a module that it loaded, or the directory of a package.
    pub(crate) is_module: bool,
    /// True when the traced programs made it.
    pub(crate) is_made: bool,
    /// True of a directory that they made: what was never named there is not there.
    pub(crate) is_made_empty: bool,
    kind_by_path: Option<FileKind>,
    is_excluded: bool,
    mount: Option<u32>,
    is_mount_point: bool,
}

impl PlaceId {
    /// Of a number of places the one with that index.
    fn nth(index: usize) -> Self {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("memory ends before 2^32 places"))
    }

    /// Its index: places are numbered in the order in which they were named first.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl Place {
    fn path<'a>(&self, texts: &'a str) -> &'a str {
        &texts[self.path_at..][..self.path_bytes as usize]
    }
}

/// There is room for so many places from the first on.
pub(super) const FIRST_PLACES: usize = 1 << 14;
/// And for so many in the table of paths, which is touched everywhere from its first entry on: more
/// would make a small run pay for a large one.
const FIRST_TABLE: usize = 7 << 10;

/// Every place that was named.
#[derive(Debug, Default)]
pub(crate) struct Places {
    all: Vec<Place>,
    /// The paths of all, one after the other: a run names thousands, and each piece of memory of its
    /// own would cost more than what is in it.
    texts: String,
    /// With the upper half of the path's hash, which is the path for most that it is compared with.
    by_path: HashTable<(PlaceId, u32)>,
    /// The directory that a new place was put into last: the next one is often its neighbor.
    last_parent: Option<PlaceId>,
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
            let on_it = self.mount_at(self.path(PlaceId::nth(at)));
            let (mount, is_made_up) = self.mount_of(on_it, parent);
            let place = &mut self.all[at];
            (place.mount, place.is_mount_point) = (mount, on_it.is_some());
            place.is_excluded |= is_made_up;
        }
    }

    /// The mount of what lies in a directory, with that on it itself, and whether the kernel makes
    /// up what is there.
    fn mount_of(&self, on_it: Option<u32>, parent: Option<PlaceId>) -> (Option<u32>, bool) {
        let of_parent = || parent.and_then(|parent| self.get(parent).mount);
        let mount = on_it.or_else(of_parent);
        (mount, mount.and_then(|mount| self.mounts.get(mount as usize)).is_some_and(Mount::is_made_up))
    }

    /// The number of the mount that has this very point.
    fn mount_at(&self, path: &str) -> Option<u32> {
        self.mounts.at(path).and_then(|mount| u32::try_from(mount).ok())
    }

    /// The mount that a place lies on, where mounts are known.
    pub(crate) fn mount(&self, place: PlaceId) -> Option<&Mount> {
        self.mounts.get(self.get(place).mount? as usize)
    }

    /// True of places on the same mount, where mounts are known.
    pub(crate) fn are_on_one_mount(&self, one: PlaceId, other: PlaceId) -> bool {
        self.get(one).mount.is_some() && self.get(one).mount == self.get(other).mount
    }

    /// True when something is mounted on this very place.
    pub(crate) fn is_mount_point(&self, place: PlaceId) -> bool {
        self.get(place).is_mount_point
    }

    /// The place of a normal path.
    pub(crate) fn number(&mut self, path: &str) -> PlaceId {
        let half = hash_of(path);
        let is_it = |(known, known_half): &(PlaceId, u32)| *known_half == half && self.path(*known) == path;
        if let Some((known, _)) = self.by_path.find(spread(half), is_it) {
            return *known;
        }
        if self.all.capacity() == 0 {
            // Room that is not touched takes no memory, and room that grows is copied.
            self.all.reserve(FIRST_PLACES);
            self.texts.reserve(FIRST_PLACES * 64);
            self.by_path.reserve(FIRST_TABLE, |(_, half)| spread(*half));
        }
        let cut = memrchr(b'/', path.as_bytes());
        let parent = parent_path(path, cut).map(|parent| self.directory(parent));
        if let Some(parent) = parent {
            self.get_mut(parent).has_children = true;
        }
        let on_it = self.mount_at(path);
        let (mount, is_made_up) = self.mount_of(on_it, parent);
        let number = PlaceId::nth(self.all.len());
        let path_at = self.texts.len();
        self.texts.push_str(path);
        let name_at = cut.map_or(0, |cut| cut + 1);
        self.all.push(Place {
            path_at,
            path_bytes: u32::try_from(path.len()).expect("paths are shorter than 4 GiB"),
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
            is_searched: false,
            asked_in_path: 0,
            asked_apart: 0,
            is_loaded: false,
            is_module: false,
            is_made: false,
            is_made_empty: false,
            kind_by_path: kind_by_path(path),
            is_excluded: is_made_up_path(path) || is_made_up,
            mount,
            is_mount_point: on_it.is_some(),
        });
        self.by_path.insert_unique(spread(half), (number, half), |(_, half)| spread(*half));
        number
    }

    /// The place of a directory in which there is a new one.
    fn directory(&mut self, path: &str) -> PlaceId {
        if let Some(last) = self.last_parent.filter(|last| self.path(*last) == path) {
            return last;
        }
        let number = self.number(path);
        self.last_parent = Some(number);
        number
    }

    pub(crate) fn get(&self, place: PlaceId) -> &Place {
        &self.all[place.index()]
    }

    pub(super) fn get_mut(&mut self, place: PlaceId) -> &mut Place {
        &mut self.all[place.index()]
    }

    /// True when nothing is there, as far as was seen.
    pub(crate) fn is_absent(&self, place: PlaceId) -> bool {
        let at = self.get(place);
        let is_in_new = || at.parent.is_some_and(|parent| self.get(parent).is_made_empty);
        at.exists.map_or_else(is_in_new, |exists| !exists)
    }

    /// Its path.
    pub(crate) fn path(&self, place: PlaceId) -> &str {
        self.get(place).path(&self.texts)
    }

    /// True of the place of that path.
    pub(crate) fn is_at(&self, place: PlaceId, path: &str) -> bool {
        // Most paths are of another length, which is sooner known.
        self.get(place).path_bytes as usize == path.len() && self.path(place) == path
    }

    /// True when a call named a path that is so.
    pub(crate) fn has_path(&self, is_so: impl Fn(&str) -> bool) -> bool {
        self.all.iter().any(|place| is_so(place.path(&self.texts)))
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
        &place.path(&self.texts)[place.name_at as usize..]
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
    let words = path.strip_prefix('/').unwrap_or(path);
    if are_normal(words) {
        normal.push('/');
        normal.push_str(words);
        return;
    }
    for word in path.split('/') {
        match word {
            "" | "." => {}
            ".." if is_absolute || normal.rfind('/').is_some_and(|last| &normal[last..] != "/..") => {
                normal.truncate(normal.rfind('/').unwrap_or(0));
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

/// True of words as most paths have them, of which none has to be looked at: no empty one, and none
/// that begins with a dot.
fn are_normal(words: &str) -> bool {
    let bytes = words.as_bytes();
    let is_odd = |slash: usize| matches!(bytes.get(slash + 1), None | Some(b'/' | b'.'));
    !matches!(bytes, [] | [b'/' | b'.', ..]) && !memchr_iter(b'/', bytes).any(is_odd)
}

/// The upper half of a hash: what is multiplied last is spread best there.
fn hash_of(path: &str) -> u32 {
    u32::try_from(FxBuildHasher.hash_one(path) >> 32).unwrap_or(0)
}

/// A whole hash of a half: a table looks at both ends.
fn spread(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The directory of a path whose last `/` is there.
fn parent_path(path: &str, cut: Option<usize>) -> Option<&str> {
    match cut? {
        0 if path.len() == 1 => None,
        0 => Some("/"),
        cut => Some(&path[..cut]),
    }
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
    use proptest::prelude::*;

    #[test]
    fn paths_become_normal_by_their_words() {
        assert_eq!(resolve("/srv", "a/./b//c/../d"), "/srv/a/b/d");
        assert_eq!(resolve("/srv", "/etc/../x"), "/x");
        assert_eq!(resolve("/", "../.."), "/");
        assert_eq!(resolve("/srv", ""), "/srv");
        let unknown = [("", "."), ("", "a/b"), ("./a", "../../x"), ("", "../y")];
        assert_eq!(unknown.map(|(base, path)| resolve(base, path)), [".", "./a/b", "./../x", "./../y"]);
    }

    proptest! {
        #[test]
        fn paths_that_look_normal_become_what_all_others_become(path in "[ab./]{0,12}", base in "(/|/srv|\\./a)?") {
            let path = path.trim_start_matches('/');
            // A first word of one dot has each word looked at, and adds nothing.
            prop_assert_eq!(resolve(&base, path), resolve(&base, &format!("./{path}")));
        }
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
}
