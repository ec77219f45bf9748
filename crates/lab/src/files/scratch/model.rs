//! Random lives of scratch directories held against a model: makers that use them and are
//! killed at any point, others who plant files and links, recoveries in between. Only what
//! Fathom made ever goes, and in the end all of it has gone.

use super::marker::{self, Marker};
use super::{Scratch, Series, leftovers};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// No process has such a number.
const DEAD: u32 = 1 << 30;
const TEXT: &str = "years of work";

/// One thing that happens. Numbers choose among what there is.
#[derive(Debug, Clone, Copy)]
enum Step {
    Make,
    ClaimSeries(usize, u32),
    CreateFile(usize, u32),
    ClaimFile(usize, u8),
    MakeTree(usize),
    FillTree(usize),
    /// Somebody puts something of theirs into a directory of ours.
    Plant(usize, Thing, u8),
    /// Somebody makes what looks like a directory of ours.
    PlantBeside(Thing),
    /// Somebody moves a directory of ours away and puts a link to theirs there.
    Swap(usize),
    Remove(usize),
    /// The maker is killed, in the middle of the line that claims a name.
    Kill(usize, u8),
    /// A maker is killed between its first calls.
    KillEarly(u8),
    Recover,
}

#[derive(Debug, Clone, Copy)]
enum Thing {
    File,
    Directory,
    Link,
}

fn step() -> impl Strategy<Value = Step> {
    let which = 0..4_usize;
    let thing = prop_oneof![Just(Thing::File), Just(Thing::Directory), Just(Thing::Link)];
    prop_oneof![
        3 => Just(Step::Make),
        2 => (which.clone(), 1..4_u32).prop_map(|(which, count)| Step::ClaimSeries(which, count)),
        4 => (which.clone(), 0..4_u32).prop_map(|(which, number)| Step::CreateFile(which, number)),
        1 => (which.clone(), 0..3_u8).prop_map(|(which, name)| Step::ClaimFile(which, name)),
        1 => which.clone().prop_map(Step::MakeTree),
        2 => which.clone().prop_map(Step::FillTree),
        2 => (which.clone(), thing.clone(), 0..6_u8).prop_map(|(which, thing, name)| Step::Plant(which, thing, name)),
        1 => thing.prop_map(Step::PlantBeside),
        1 => which.clone().prop_map(Step::Swap),
        2 => which.clone().prop_map(Step::Remove),
        3 => (which, any::<u8>()).prop_map(|(which, cut)| Step::Kill(which, cut)),
        1 => any::<u8>().prop_map(Step::KillEarly),
        2 => Just(Step::Recover),
    ]
}

/// A directory whose maker lives.
struct Living {
    scratch: Scratch,
    series: Vec<Series>,
    trees: Vec<PathBuf>,
    /// Where the directory is, if somebody moved it.
    at: PathBuf,
}

/// The place, and what the model says must stay in it.
struct World {
    place: TempDir,
    victim: TempDir,
    living: Vec<Living>,
    /// What others made; a link must lead where it led.
    theirs: BTreeMap<PathBuf, Thing>,
    made: u32,
}

impl World {
    fn new() -> Self {
        let victim = tempfile::tempdir().unwrap();
        fs::write(victim.path().join("thesis"), TEXT).unwrap();
        // Names that are ours inside a scratch directory, and not here.
        fs::write(victim.path().join("d0-000000"), TEXT).unwrap();
        fs::write(victim.path().join(marker::NAME), TEXT).unwrap();
        let place = tempfile::tempdir().unwrap();
        Self { place, victim, living: Vec::new(), theirs: BTreeMap::new(), made: 0 }
    }

    fn perform(&mut self, step: Step) {
        let which = |which: usize| which.checked_rem(self.living.len());
        match step {
            Step::Make => {
                let scratch = Scratch::create(self.place.path()).unwrap();
                let at = scratch.path().to_owned();
                self.living.push(Living { scratch, series: Vec::new(), trees: Vec::new(), at });
            }
            Step::ClaimSeries(number, count) => {
                let Some(at) = which(number) else { return };
                let series = self.living[at].scratch.claim_series(count).unwrap();
                self.living[at].series.push(series);
            }
            Step::CreateFile(number, file) => {
                let Some(living) = which(number).map(|at| &self.living[at]) else { return };
                let Some(series) = living.series.last() else { return };
                // What somebody planted under the name is in the way.
                let _in_the_way = living.scratch.create_file(&series.name(file));
            }
            Step::ClaimFile(number, name) => {
                let Some(living) = which(number).map(|at| &self.living[at]) else { return };
                let name = format!("f{name}");
                // A name is claimed by its maker before anything is there.
                if !living.at.join(&name).exists() && !living.at.join(&name).is_symlink() {
                    living.scratch.claim_file(&name).unwrap();
                    living.scratch.create_file(&name).unwrap();
                }
            }
            Step::MakeTree(number) => {
                let Some(at) = which(number) else { return };
                // The directory may have been moved; its descriptor is what counts.
                if let Ok(tree) = self.living[at].scratch.make_tree() {
                    let tree = self.living[at].at.join(tree.file_name().unwrap());
                    self.living[at].trees.push(tree);
                }
            }
            Step::FillTree(number) => {
                let Some(tree) = which(number).and_then(|at| self.living[at].trees.last()) else { return };
                fs::create_dir_all(tree.join("a/b")).unwrap();
                fs::write(tree.join("a/b/file"), "ours").unwrap();
                let _there_already = symlink(self.victim.path(), tree.join("a/link"));
            }
            Step::Plant(number, thing, name) => {
                let Some(folder) = which(number).map(|at| self.living[at].at.clone()) else { return };
                // Near the names of ours, and never one of them: those are claimed.
                self.plant(folder.join(format!("e0-00000{name}")), thing);
            }
            Step::PlantBeside(thing) => {
                self.made += 1;
                self.plant(self.place.path().join(format!(".fathom-{DEAD}-ffff{:04x}", self.made)), thing);
            }
            Step::Swap(number) => {
                let Some(at) = which(number) else { return };
                self.swap(at);
            }
            Step::Remove(number) => {
                let Some(at) = which(number) else { return };
                drop(self.living.swap_remove(at).scratch.remove());
            }
            Step::Kill(number, cut) => {
                let Some(at) = which(number) else { return };
                self.kill(at, cut);
            }
            Step::KillEarly(cut) => self.kill_early(cut),
            Step::Recover => self.recover(),
        }
    }

    fn plant(&mut self, path: PathBuf, thing: Thing) {
        if path.exists() || path.is_symlink() {
            return;
        }
        match thing {
            Thing::File => fs::write(&path, TEXT).unwrap(),
            Thing::Directory => {
                fs::create_dir(&path).unwrap();
                fs::write(path.join("thesis"), TEXT).unwrap();
            }
            Thing::Link => symlink(self.victim.path(), &path).unwrap(),
        }
        self.theirs.insert(path, thing);
    }

    /// Moves a directory away with what others put into it.
    fn swap(&mut self, at: usize) {
        let old = self.living[at].at.clone();
        self.made += 1;
        let new = self.place.path().join(format!("moved-{}", self.made));
        fs::rename(&old, &new).unwrap();
        self.move_theirs(&old, &new);
        self.living[at].trees.iter_mut().for_each(|tree| *tree = new.join(tree.strip_prefix(&old).unwrap()));
        self.living[at].at = new;
        self.plant(old, Thing::Link);
    }

    fn move_theirs(&mut self, old: &Path, new: &Path) {
        let all = std::mem::take(&mut self.theirs);
        let moved = all.into_iter().map(|(path, thing)| match path.strip_prefix(old) {
            Ok(below) if path != old => (new.join(below), thing),
            _ => (path, thing),
        });
        self.theirs = moved.collect();
    }

    /// What is on the disk when a maker is killed: a copy of its directory under the number of a
    /// dead process, since our own lock and number live on.
    fn kill(&mut self, at: usize, cut: u8) {
        const CLAIMS: [&str; 3] = ["series 3 d9-", "file late", "tree t9"];
        let living = self.living.swap_remove(at);
        let path = self.dead_path();
        copy(&living.at, &path);
        let text = fs::read_to_string(living.at.join(marker::NAME)).unwrap();
        let pid = format!("pid {}\n", std::process::id());
        let mut text = text.replace(&pid, &format!("pid {DEAD}\n"));
        let claim = CLAIMS[usize::from(cut) % CLAIMS.len()];
        text.push_str(&claim[..usize::from(cut) % claim.len()]);
        fs::write(path.join(marker::NAME), text).unwrap();
        self.move_theirs(&living.at.clone(), &path);
        // What was copied is theirs at its new place alone.
        for entry in fs::read_dir(&living.at).unwrap().flatten() {
            if entry.file_name().to_string_lossy().starts_with("e0-") {
                let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
            }
        }
        drop(living);
    }

    /// A maker that had made its directory, and perhaps a part of its marker.
    fn kill_early(&mut self, cut: u8) {
        let path = self.dead_path();
        fs::DirBuilder::new().mode(0o700).create(&path).unwrap();
        let text =
            Marker::of_this_process().text().replace(&std::process::id().to_string(), &DEAD.to_string());
        if !cut.is_multiple_of(4) {
            let length = usize::from(cut) * text.len() / 256;
            fs::write(path.join(marker::NAME), &text[..length]).unwrap();
        }
        let long_ago = SystemTime::now() - Duration::from_hours(1);
        File::open(&path).unwrap().set_modified(long_ago).unwrap();
    }

    fn dead_path(&mut self) -> PathBuf {
        self.made += 1;
        self.place.path().join(format!(".fathom-{DEAD}-{:08x}", self.made))
    }

    fn recover(&self) {
        leftovers(self.place.path()).unwrap();
    }

    /// What others made is as it was.
    fn check_theirs(&self) {
        for (path, thing) in &self.theirs {
            match thing {
                Thing::File => assert_eq!(fs::read_to_string(path).unwrap(), TEXT, "{}", path.display()),
                Thing::Directory => assert_eq!(fs::read_to_string(path.join("thesis")).unwrap(), TEXT),
                Thing::Link => assert_eq!(fs::read_link(path).unwrap(), self.victim.path()),
            }
        }
        for name in ["thesis", "d0-000000", marker::NAME] {
            assert_eq!(fs::read_to_string(self.victim.path().join(name)).unwrap(), TEXT, "{name}");
        }
    }

    /// Nothing is left but what others made, and the directories that hold it.
    fn check_ours(&self) {
        for path in listing(self.place.path()) {
            let is_theirs =
                self.theirs.keys().any(|theirs| path.starts_with(theirs) || theirs.starts_with(&path));
            // Moved away by somebody, it is emptied and stays where it is.
            let is_moved = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("moved-"));
            assert!(is_theirs || is_moved, "{} stays", path.display());
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::DirBuilder::new().mode(0o700).create(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => copy(&entry.path(), &target),
            kind if kind.is_symlink() => symlink(fs::read_link(entry.path()).unwrap(), target).unwrap(),
            _ => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// Everything below, links not followed.
fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(listing(&entry.path()));
        }
        found.push(entry.path());
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn only_what_we_made_goes_and_all_of_it_does(steps in prop::collection::vec(step(), 1..40)) {
        let mut world = World::new();
        for step in steps {
            world.perform(step);
            world.check_theirs();
        }
        world.living.clear();
        world.recover();
        world.check_theirs();
        world.check_ours();
    }
}
