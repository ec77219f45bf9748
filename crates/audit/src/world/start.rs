//! How the first process was started: by whom and with which words. What a person names on the
//! command line the program did not choose itself.

use super::{PlaceId, World};

/// Who started the first process, and how, as far as the source tells.
#[derive(Debug, Default)]
pub(super) struct Started {
    /// The user's number; 0 is root.
    user: Option<u32>,
    /// The program's words, without its name.
    words: Vec<String>,
    /// What is there while the program runs, where that can be asked.
    read_path: Option<ReadPath>,
    /// When it was started, in ns since the epoch.
    at_ns: u64,
}

/// Asks the machine that the program runs on what lies at a path.
pub type ReadPath = fn(&str) -> Option<PathFacts>;

/// What lies at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathFacts {
    /// Permission bits, with the sticky bit and those that set user and group.
    pub permissions: u32,
    /// When it was made, in ns since the epoch, where the file system tells.
    pub made_ns: Option<u64>,
}

impl World {
    /// Says by which user the first process was started.
    pub(crate) fn started_by(&mut self, user: u32) {
        self.started.user = Some(user);
    }

    /// Says with which words, the program's name first.
    pub(crate) fn started_with(&mut self, words: &[String]) {
        self.started.words = words.iter().skip(1).cloned().collect();
    }

    /// Says how to learn what lies at a path, and when the program was started.
    pub(crate) fn started_at(&mut self, at_ns: u64, read_path: ReadPath) {
        (self.started.at_ns, self.started.read_path) = (at_ns, Some(read_path));
    }

    /// What lies at a path now, where that can be asked.
    pub(crate) fn read_path(&self, path: &str) -> Option<PathFacts> {
        self.started.read_path.filter(|_| path.starts_with('/')).and_then(|read| read(path))
    }

    /// True where what lies at a path was made since the program was started; `None` where that
    /// cannot be told.
    pub(crate) fn is_made_since_start(&self, path: &str) -> Option<bool> {
        let made_ns = self.read_path(path)?.made_ns?;
        Some(made_ns >= self.started.at_ns)
    }

    /// True where the first process was started by root.
    pub(crate) fn is_of_root(&self) -> bool {
        self.started.user == Some(0)
    }

    /// The user who started it, where that is known.
    pub(crate) fn user(&self) -> Option<u32> {
        self.started.user
    }

    /// True of a path that the command line names, and of the directory that the program was started in:
    /// who started it asked for it. A file that is named is put into a directory that is named, too.
    pub(crate) fn is_named_by_user(&self, place: PlaceId) -> bool {
        let is_named = |place| {
            let forms = [self.places.path(place), self.path_from_start(place).trim_start_matches('/')];
            forms.iter().any(|form| self.started.words.iter().any(|word| names(word, form)))
        };
        let name = self.places.name(place);
        let is_of_other = || self.started.words.iter().any(|word| word.rsplit('/').next() == Some(name));
        is_named(place)
            || self.start_path() == Some(self.places.path(place))
            || self.places.parent(place).is_some_and(is_named) && is_of_other()
    }

    /// True of files that are made again after a crash: temporary and built ones. Where a whole
    /// project lies says nothing of its files: names of folders count below the directory in
    /// which the program was started.
    pub(crate) fn is_scratch(&self, place: PlaceId) -> bool {
        const TEMPORARY: [&str; 3] = ["/tmp/", "/var/tmp/", "/dev/shm/"];
        const COMPILED: [&str; 5] = [".class", ".o", ".obj", ".pyc", ".beam"];
        const BUILT: [&str; 5] = ["/target/", "/build/", "/.cache/", "/node_modules/", "/__pycache__/"];
        let starts_there = |folder: &str| self.start_path() == Some(folder.trim_end_matches('/'));
        let (path, from_start) = (self.places.path(place), self.path_from_start(place));
        TEMPORARY.iter().any(|folder| {
            from_start.starts_with(folder) || (starts_there(folder) && path.starts_with(folder))
        }) || BUILT.iter().any(|folder| from_start.contains(folder))
            || COMPILED.iter().any(|ending| path.ends_with(ending))
    }

    /// True where the file system writes a new file's data out by itself when it is renamed over
    /// another: ext4 with `auto_da_alloc`, which is the default, and btrfs.
    pub(crate) fn flushes_at_rename(&self, place: PlaceId) -> bool {
        self.places.mount(place).is_some_and(|mount| match mount.file_system.as_str() {
            "ext4" => !mount.options.split(',').any(|option| option == "noauto_da_alloc"),
            "btrfs" => true,
            _ => false,
        })
    }

    /// True where the file system keeps the name of a new file that was synced, as ext4, xfs and
    /// btrfs do. POSIX does not promise it.
    pub(crate) fn keeps_names_of_synced(&self, place: PlaceId) -> bool {
        let file_system = self.places.mount(place).map(|mount| mount.file_system.as_str());
        matches!(file_system, Some("ext4" | "xfs" | "btrfs"))
    }
}

/// True when a word of the command line names a path: alone, as an option's value (`--out=path`,
/// `-opath`), or inside a script that is given as a word.
fn names(word: &str, path: &str) -> bool {
    let is_of_path = |character: char| character.is_alphanumeric() || "._-/".contains(character);
    !path.is_empty()
        && word.match_indices(path).any(|(at, _)| {
            let (before, after) = (&word[..at], &word[at + path.len()..]);
            let is_option = before.len() == 2 && before.starts_with('-');
            let begins = is_option || !before.trim_end_matches("./").ends_with(is_of_path);
            let rest = after.trim_start_matches('/');
            begins && !rest.starts_with(is_of_path)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_a_path_alone_or_as_a_value_or_in_a_script() {
        assert!(
            ["out", "-oout", "--to=out", "./out", "echo x > out; cat out"]
                .iter()
                .all(|word| names(word, "out"))
        );
        assert!(["outer", "layout", "a/out", "out//a", "out.old", ""].iter().all(|word| !names(word, "out")));
        assert!(names("of=/data/out", "/data/out") && !names("/data/out2", "/data/out"));
    }

    #[test]
    fn paths_are_named_from_where_the_program_was_started() {
        let mut world = World::default();
        world.start_in("/srv/app");
        world.started_with(&["cp", "a", "sub/b", "/data/c", "/into"].map(str::to_owned));
        let mut is_named = |path: &str| {
            let place = world.places.number(path);
            world.is_named_by_user(place)
        };
        assert!(is_named("/srv/app/sub/b") && is_named("/data/c") && is_named("/srv/app/a"));
        assert!(is_named("/into/b") && !is_named("/into/d"));
        assert!(is_named("/srv/app"), "it was chosen to be started in");
        assert!(!is_named("/srv/app/cp") && !is_named("/srv/app/b"));
        assert!(!is_named("/data/b"), "the directory is not named");
    }
}
