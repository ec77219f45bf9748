//! Looks that an interpreter makes by itself on its way to a file: where Node searches for packages, what it
//! tries there, and the settings that hold for a module; and how Tcl makes a path whole before it uses it. A
//! program that looks into packages by itself makes none of these in that order.

use super::{PlaceId, World};
use crate::open_flags;
use fathom_events::{FileAction, FileEvent, Target};

/// The directory that packages lie in, and what describes one.
const PACKAGES: &str = "node_modules";
const DESCRIPTION: &str = "package.json";
/// What tells Tcl of the packages of a directory.
const INDEX: &str = "pkgIndex.tcl";

impl World {
    /// True of a look by which Node finds a package or a module that was loaded before, or whether settings
    /// hold for the one that it is about to open.
    pub(super) fn searches_packages(&mut self, event: &FileEvent, place: PlaceId) -> bool {
        let searched = self.threads.get(&event.thread).and_then(|thread| thread.searched);
        match &event.action {
            FileAction::Stat { target: Target::Path { follow: true, .. }, .. } => {
                if self.places.name(place) == PACKAGES {
                    // Node goes on elsewhere from there; who asks the same once more is the program.
                    self.search(event, Some(place));
                    return searched != Some(place);
                }
                let is_tried = searched.is_some_and(|package| self.is_tried_for(event, package, place));
                self.places.get_mut(place).is_module |= is_tried;
                if !is_tried {
                    self.search(event, None);
                }
                is_tried || self.places.get(place).is_module
            }
            FileAction::Open { flags, .. }
                if self.places.name(place) == DESCRIPTION && !open_flags::can_write(*flags) =>
            {
                let Some(directory) = self.places.parent(place) else { return false };
                let is_package = self.is_in_packages(directory);
                self.search(event, Some(directory).filter(|_| is_package));
                let is_missing = event.outcome.value().is_none();
                is_package && is_missing || self.is_above_module(event, directory)
            }
            _ => {
                self.search(event, None);
                false
            }
        }
    }

    /// Notes that Node has loaded a module: it finds it again by its name, with its ending and without, and
    /// looks first whether its directory is there.
    pub(super) fn note_module(&mut self, event: &FileEvent, place: PlaceId) {
        for found in [Some(place), self.places.parent(place)].into_iter().flatten() {
            self.places.get_mut(found).is_module = true;
        }
        let path = self.places.path(place);
        let endings = self.signs(event.process).map(|signs| signs.ending_of(path));
        let stem = endings.flatten().and_then(|ending| path.strip_suffix(ending)).map(str::to_owned);
        if let Some(stem) = stem {
            let stem = self.places.number(&stem);
            self.places.get_mut(stem).is_module = true;
        }
    }

    /// True of the directory of a package, whose description was opened just before, and of what is tried
    /// in its place.
    fn is_tried_for(&self, event: &FileEvent, package: PlaceId, place: PlaceId) -> bool {
        let tried = self.places.path(place).strip_prefix(self.places.path(package));
        let is_ending = |rest: &str| {
            self.signs(event.process)
                .and_then(|signs| signs.ending_of(rest))
                .is_some_and(|ending| ending == rest)
        };
        place == package || tried.is_some_and(is_ending)
    }

    /// True of a directory where packages are: `node_modules/name`, `node_modules/@scope/name`.
    fn is_in_packages(&self, directory: PlaceId) -> bool {
        let Some(parent) = self.places.parent(directory) else { return false };
        let is_of_packages = |place: PlaceId| self.places.name(place) == PACKAGES;
        is_of_packages(parent)
            || self.places.name(parent).starts_with('@')
                && self.places.parent(parent).is_some_and(is_of_packages)
    }

    /// True of a directory above the module that a process has asked for twice, and opens next.
    fn is_above_module(&self, event: &FileEvent, directory: PlaceId) -> bool {
        let modules = self.processes.get(&event.process).map(|process| &process.modules[..]);
        modules
            .unwrap_or_default()
            .iter()
            .any(|module| module.is_twice && self.places.is_below(module.place, self.places.path(directory)))
    }

    /// True of a step by which Tcl makes a path whole: it asks of each directory whether it is a link, and,
    /// where one is missing, of each from the first on whether it is there. And of a further look at a
    /// directory that it has searched for packages.
    pub(super) fn walks_path(&mut self, event: &FileEvent, place: PlaceId) -> bool {
        if !self.signs(event.process).is_some_and(|signs| signs.walks_paths) {
            return false;
        }
        if self.places.name(place) == INDEX
            && let Some(directory) = self.places.parent(place)
        {
            self.places.get_mut(directory).is_module = true;
        }
        let walked = self.threads.get(&event.thread).and_then(|thread| thread.searched);
        match event.action {
            FileAction::ReadLink { .. } => {
                let is_missing = event.outcome.errno() == Some(crate::call_key::ENOENT);
                self.search(event, Some(place).filter(|_| is_missing));
                true
            }
            FileAction::Access { mode: 0, .. } => {
                walked.is_some_and(|walked| self.places.is_below(walked, self.places.path(place)))
            }
            FileAction::Stat { .. } => {
                self.search(event, None);
                self.places.get(place).is_module
            }
            _ => {
                self.search(event, None);
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::finding::Owner;
    use crate::rule::Guards;
    use crate::script::{READ, Script};
    use fathom_events::FileAction;

    /// Owner and count of each finding of some rules.
    fn told(script: &Script, rules: &[u16]) -> Vec<(u16, Owner, u64)> {
        let found = script.findings(Guards::default());
        let of_rules = found.iter().filter(|finding| rules.contains(&finding.rule.0));
        let mut told: Vec<_> =
            of_rules.map(|finding| (finding.rule.0, finding.owner, finding.count)).collect();
        told.sort_unstable();
        told
    }

    fn node() -> Script {
        let mut script = Script::new();
        script.load("/usr/bin/node");
        script
    }

    #[test]
    fn what_node_tries_for_a_package_is_the_runtimes() {
        let tried = |describes: bool, endings: &[&str]| {
            let mut script = node();
            for number in 0..40 {
                let package = format!("/srv/app/node_modules/p{number}");
                if describes {
                    let file = script.open(&format!("{package}/package.json"), READ);
                    script.close(file);
                }
                script.stat(&package, 4096);
                for ending in endings {
                    script.stat_fails(&format!("{package}{ending}"));
                }
                script.lstat(&package, 4096);
            }
            told(&script, &[19])
        };
        let nodes = [".js", ".json", ".node"];
        assert_eq!(tried(true, &nodes), [(19, Owner::Runtime, 120)], "require('p1')");
        assert_eq!(tried(false, &nodes), [(19, Owner::Yours, 120)], "statSync of the program's own");
        assert_eq!(tried(true, &[".toml", ".yaml", ".ini"]), [(19, Owner::Yours, 120)]);
    }

    #[test]
    fn what_node_has_loaded_it_finds_again() {
        let again = |loads: bool| {
            let mut script = node();
            let module = "/srv/app/node_modules/p/lib/a.js";
            for turn in 0..40 {
                script.stat("/srv/app/node_modules/p/lib", 4096);
                script.stat(module, 99);
                if turn == 0 && loads {
                    script.lstat(module, 99);
                    let file = script.open(module, READ);
                    script.read(file, 8192, 99);
                    script.close(file);
                }
                script.stat_fails("/srv/app/node_modules/p/lib/a");
            }
            told(&script, &[15, 16])
        };
        assert_eq!(again(true), [(15, Owner::Runtime, 78), (16, Owner::Runtime, 39)]);
        assert_eq!(again(false), [(15, Owner::Yours, 78), (16, Owner::Yours, 39)]);
    }

    #[test]
    fn settings_of_a_module_are_looked_for_by_node_before_it_opens_that() {
        let missing = |asks_twice: bool| {
            let mut script = node();
            for number in 0..40 {
                let module = format!("/srv/app/lib/{number}.js");
                script.stat(&module, 99);
                if asks_twice {
                    script.lstat(&module, 99);
                }
                script.open_fails("/srv/app/lib/package.json", READ, 2);
                let file = script.open(&module, READ);
                script.close(file);
            }
            told(&script, &[16])
        };
        assert_eq!(missing(true), [(16, Owner::Runtime, 39)]);
        assert_eq!(missing(false), [(16, Owner::Yours, 39)], "a program that looks for it by itself");
        let packages = |folders: &[&str]| {
            let mut script = node();
            for _ in 0..40 {
                for folder in folders {
                    script.stat_fails(&format!("{folder}/node_modules"));
                }
            }
            told(&script, &[16])
        };
        assert_eq!(packages(&["/srv/app/lib", "/srv/app"]), [(16, Owner::Runtime, 78)], "upwards");
        assert_eq!(packages(&["/srv/app"]), [(16, Owner::Yours, 39)], "statSync of the program's own");
    }

    #[test]
    fn tcl_makes_paths_whole_and_its_script_asks_for_what_is_at_their_end() {
        let asked = |missing: bool| {
            let mut script = Script::new();
            script.load("/usr/bin/tclsh8.6");
            for _ in 0..40 {
                for (path, errno) in [("/srv", 22), ("/srv/app", if missing { 2 } else { 22 })] {
                    let target = script.target(path);
                    script.fails("readlink", FileAction::ReadLink { target, to: None }, errno);
                }
                let end = if missing { ["/srv", "/srv/app"] } else { ["/srv/app/a", "/srv/app/b"] };
                for path in end {
                    let target = script.target(path);
                    script.works("access", FileAction::Access { target, mode: 0 });
                }
            }
            told(&script, &[15]).into_iter().map(|(_, owner, _)| owner).collect::<Vec<_>>()
        };
        assert_eq!(asked(true), [Owner::Runtime]);
        assert_eq!(asked(false), [Owner::Yours], "file exists");
        let mut script = Script::new();
        script.load("/usr/bin/tclsh8.6");
        for _ in 0..2 {
            for number in 0..40 {
                script.stat(&format!("/srv/lib/{number}"), 4096);
                script.stat_fails(&format!("/srv/lib/{number}/pkgIndex.tcl"));
            }
        }
        assert_eq!(told(&script, &[15]), [(15, Owner::Runtime, 40)], "package require of what is nowhere");
    }
}
