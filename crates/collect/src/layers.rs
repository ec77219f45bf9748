//! Files as the processes of a container see them: where a path leads below their root, and from which
//! layer of an overlay the file comes. Nothing is looked up on this process's own root but layers.

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, StatxFlags, openat2, statx};
use rustix::io::Errno;
use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

/// The root and the mounts of a process, which stay there for as long as this is kept.
#[derive(Debug)]
pub struct FileView {
    root: OwnedFd,
    /// Keeps its mounts.
    _namespace: OwnedFd,
    mounts: Vec<Mount>,
}

/// Where a file comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileLayer {
    /// The layer that the container writes to.
    Upper,
    /// A layer below, the uppermost is 1.
    Lower(usize),
    /// No overlay: another mount, of this type.
    Mount(String),
    /// It cannot be known.
    Unknown(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Mount {
    id: u64,
    point: String,
    file_system: String,
    layers: Option<Layers>,
}

/// The layers of an overlay, by the options that it was mounted with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Layers {
    upper: Option<PathBuf>,
    lower: Vec<PathBuf>,
}

/// What a layer has at a path.
enum Found {
    File,
    Missing,
    /// Nothing, and what lies below in other layers is hidden.
    Hidden,
    Unclear(&'static str),
}

impl FileView {
    /// That of a process.
    pub fn of_process(process: u32) -> io::Result<Self> {
        let opened = |name: &str, flags| {
            let path = format!("/proc/{process}/{name}");
            rustix::fs::open(path, flags | OFlags::CLOEXEC, Mode::empty()).map_err(io::Error::from)
        };
        let text = fs::read_to_string(format!("/proc/{process}/mountinfo"))?;
        Ok(Self {
            root: opened("root", OFlags::PATH | OFlags::DIRECTORY)?,
            _namespace: opened("ns/mnt", OFlags::RDONLY)?,
            mounts: text.lines().filter_map(mount).collect(),
        })
    }

    /// The overlay's layers at the root: the upper one and those below, as directories of this machine.
    pub fn layers_of_root(&self) -> (Option<&Path>, &[PathBuf]) {
        let root = self.mounts.iter().rev().find(|mount| mount.point == "/");
        let layers = root.and_then(|root| root.layers.as_ref());
        layers.map_or((None, &[]), |layers| (layers.upper.as_deref(), layers.lower.as_slice()))
    }

    /// Where the file comes from that a path leads to, at this moment.
    pub fn layer_of(&self, path: &str) -> FileLayer {
        let relative = path.trim_start_matches('/');
        let relative = if relative.is_empty() { "." } else { relative };
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        // No magic links: those of /proc lead to where this process is.
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        let file = match openat2(&self.root, relative, flags, Mode::empty(), resolve) {
            Ok(file) => file,
            Err(Errno::NOENT | Errno::NOTDIR) => return FileLayer::Unknown("it was gone at the end"),
            Err(_) => return FileLayer::Unknown("it cannot be looked up"),
        };
        let wanted = StatxFlags::MNT_ID | StatxFlags::TYPE;
        let Ok(facts) = statx(&file, "", AtFlags::EMPTY_PATH, wanted) else {
            return FileLayer::Unknown("the kernel does not tell its mount");
        };
        let Some(mount) = self.mounts.iter().find(|mount| mount.id == facts.stx_mnt_id) else {
            return FileLayer::Unknown("its mount came later");
        };
        let Some(layers) = &mount.layers else {
            return match mount.file_system.as_str() {
                "fuse.fuse-overlayfs" => FileLayer::Unknown("fuse-overlayfs does not tell its layers"),
                "overlay" => FileLayer::Unknown("the mount does not tell its layers"),
                other => FileLayer::Mount(other.to_owned()),
            };
        };
        let Ok(real) = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())) else {
            return FileLayer::Unknown("it cannot be looked up");
        };
        let Ok(below) = real.strip_prefix(&mount.point) else {
            return FileLayer::Unknown("its path leads out of the container");
        };
        let is_directory = FileType::from_raw_mode(facts.stx_mode.into()) == FileType::Directory;
        if is_directory { FileLayer::Unknown("a directory is of all layers") } else { layers.find(below) }
    }
}

impl Layers {
    fn find(&self, path: &Path) -> FileLayer {
        if path.components().any(|part| !matches!(part, Component::Normal(_))) {
            return FileLayer::Unknown("it cannot be looked up");
        }
        let upper = self.upper.iter().map(|layer| (layer, FileLayer::Upper));
        let lower = self.lower.iter().zip(1..).map(|(layer, number)| (layer, FileLayer::Lower(number)));
        for (directory, layer) in upper.chain(lower) {
            if !directory.is_absolute() {
                return FileLayer::Unknown("the mount's layers are relative paths");
            }
            if !directory.is_dir() {
                return FileLayer::Unknown("a layer cannot be read from here");
            }
            match look(directory, path) {
                Found::File => return layer,
                Found::Missing => {}
                Found::Hidden => return FileLayer::Unknown("the layers changed meanwhile"),
                Found::Unclear(reason) => return FileLayer::Unknown(reason),
            }
        }
        FileLayer::Unknown("no layer has it")
    }
}

/// Looks for a path in one layer, part by part.
fn look(layer: &Path, path: &Path) -> Found {
    let mut at = layer.to_owned();
    let mut is_opaque = false;
    let parts: Vec<_> = path.components().collect();
    for (number, part) in parts.iter().enumerate() {
        at.push(part);
        let Ok(facts) = fs::symlink_metadata(&at) else {
            return if is_opaque { Found::Hidden } else { Found::Missing };
        };
        let is_whiteout = facts.file_type().is_char_device() && facts.rdev() == 0;
        if is_whiteout {
            return Found::Hidden;
        }
        let is_last = number + 1 == parts.len();
        if facts.is_dir() && attribute(&at, "redirect") {
            return Found::Unclear("a directory above it was renamed");
        }
        if is_last && attribute(&at, "metacopy") {
            return Found::Unclear("the upper layer has its attributes alone");
        }
        if !is_last && !facts.is_dir() {
            return Found::Hidden;
        }
        is_opaque |= facts.is_dir() && attribute(&at, "opaque");
    }
    Found::File
}

/// Whether overlayfs has left this word at a file, as root or as another user's.
fn attribute(path: &Path, word: &str) -> bool {
    ["trusted", "user"].into_iter().any(|space| {
        let mut value = [0_u8; 256];
        let name = format!("{space}.overlay.{word}");
        // One that is longer than the room is there.
        !matches!(rustix::fs::lgetxattr(path, name.as_str(), &mut value), Err(error) if error != Errno::RANGE)
    })
}

/// `73 48 0:40 / / rw,relatime - overlay overlay rw,lowerdir=/a:/b,upperdir=/c,workdir=/d`.
fn mount(line: &str) -> Option<Mount> {
    let (mount, file_system) = line.split_once(" - ")?;
    let mut fields = mount.split(' ');
    let id = fields.next()?.parse().ok()?;
    let point = unescaped(fields.nth(3)?);
    let mut file_system = file_system.split(' ');
    let (name, options) = (file_system.next()?, file_system.nth(1).unwrap_or_default());
    let layers = (name == "overlay").then(|| layers(options)).flatten();
    Some(Mount { id, point, file_system: name.to_owned(), layers })
}

fn layers(options: &str) -> Option<Layers> {
    let mut found = Layers::default();
    for option in split(options, ',') {
        match option.split_once('=') {
            Some(("upperdir", path)) => found.upper = Some(plain(path)),
            // Layers of data alone stand after an empty one, and have no names.
            Some(("lowerdir", paths)) => found.lower.extend(split(paths, ':').iter().map(|path| plain(path))),
            Some(("lowerdir+", path)) => found.lower.push(plain(path)),
            Some(("datadir+", _)) => return None,
            _ => {}
        }
    }
    let is_whole = !found.lower.is_empty() && found.lower.iter().all(|path| !path.as_os_str().is_empty());
    is_whole.then_some(found)
}

/// At a separator without a backslash before it.
fn split(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = parts.len() - 1;
        if letter == '\\' && letters.peek().is_some_and(|next| *next == separator || *next == '\\') {
            parts[last].push('\\');
            parts[last].extend(letters.next());
        } else if letter == separator {
            parts.push(String::new());
        } else {
            parts[last].push(letter);
        }
    }
    parts
}

/// A path of an option, without the backslashes of the mount and those of mountinfo.
fn plain(path: &str) -> PathBuf {
    let text = unescaped(path);
    let mut letters = text.chars().peekable();
    let mut bare = String::new();
    while let Some(letter) = letters.next() {
        match letters.peek() {
            Some(next) if letter == '\\' && matches!(next, ':' | ',' | '\\') => bare.extend(letters.next()),
            _ => bare.push(letter),
        }
    }
    PathBuf::from(bare)
}

/// Spaces and the like stand there as `\040`.
fn unescaped(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let code = rest.get(at + 1..at + 4).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bare.push_str(&rest[..at]);
        if let Some(code) = code.filter(u8::is_ascii) {
            bare.push(char::from(code));
            rest = &rest[at + 4..];
        } else {
            bare.push('\\');
            rest = &rest[at + 1..];
        }
    }
    bare + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_stand_in_the_options() {
        let line = "73 48 0:40 / / rw - overlay overlay rw,lowerdir=/a\\040b:/c\\:d,upperdir=/u,workdir=/w";
        let found = mount(line).unwrap();
        let layers = found.layers.unwrap();
        assert_eq!((found.id, found.point.as_str()), (73, "/"));
        assert_eq!(layers.upper, Some("/u".into()));
        assert_eq!(layers.lower, [PathBuf::from("/a b"), "/c:d".into()]);
        let newer = mount("73 48 0:40 / /m ro - overlay none ro,lowerdir+=/a,lowerdir+=/b").unwrap();
        let newer = newer.layers.unwrap();
        assert_eq!((newer.upper, newer.lower.len()), (None, 2));
        let with_data = "73 48 0:40 / /m ro - overlay none ro,lowerdir=/a::/b";
        assert_eq!(mount(with_data).unwrap().layers, None);
        assert_eq!(mount("73 48 0:40 / /m rw - ext4 /dev/sda rw").unwrap().layers, None);
    }

    #[test]
    fn the_uppermost_layer_that_has_a_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for directory in ["u/d", "l1/d", "l2/d/e"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        for file in ["u/d/both", "l1/d/both", "l1/d/low", "l2/d/e/lowest", "l2/d/low"] {
            fs::write(at(file), "").unwrap();
        }
        let layers = Layers { upper: Some(at("u")), lower: vec![at("l1"), at("l2")] };
        let find = |path: &str| layers.find(Path::new(path));
        assert_eq!(find("d/both"), FileLayer::Upper);
        assert_eq!(find("d/low"), FileLayer::Lower(1));
        assert_eq!(find("d/e/lowest"), FileLayer::Lower(2));
        assert_eq!(find("d/none"), FileLayer::Unknown("no layer has it"));
        assert_eq!(find("../u/d/both"), FileLayer::Unknown("it cannot be looked up"));
        let relative = Layers { upper: None, lower: vec!["l/ABC".into()] };
        assert_eq!(
            relative.find(Path::new("d")),
            FileLayer::Unknown("the mount's layers are relative paths")
        );
    }

    #[test]
    fn paths_of_this_process_lie_on_no_overlay_or_on_one_with_layers() {
        let view = FileView::of_process(std::process::id()).unwrap();
        assert_eq!(view.layer_of("/proc/version"), FileLayer::Mount("proc".to_owned()));
        assert!(matches!(view.layer_of("/no/such/file"), FileLayer::Unknown("it was gone at the end")));
    }
}
