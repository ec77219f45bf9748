//! What differs between two records beside their results: the machine, its
//! state, the programs, the places, the run. Said before any number.

use fathom_model::{DeviceFacts, DriverFacts, Environment, Floor, Floors, PlaceFacts, Reading, Record};
use serde::Serialize;
use std::fmt::Display;

/// What a difference means for times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConditionWeight {
    /// Another machine: its times are not compared unless that is asked for.
    Machine,
    /// The machine in another state, or with other software: times differ by it too.
    State,
    /// What changes from run to run.
    Run,
}

/// One thing that is not the same in both records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConditionDifference {
    /// Its weight.
    pub weight: ConditionWeight,
    /// What: `kernel`, `driver go: runtime`.
    pub what: String,
    /// In the old record.
    pub old: String,
    /// In the new record.
    pub new: String,
}

/// Why times are not compared, when the machines differ.
pub(super) fn withheld(differences: &[ConditionDifference]) -> Option<String> {
    let machine = differences.iter().filter(|found| found.weight == ConditionWeight::Machine);
    let what: Vec<_> = machine.map(|found| found.what.as_str()).collect();
    (!what.is_empty()).then(|| format!("the records are of different machines ({})", what.join(", ")))
}

/// The differences, the heaviest first. `places` leads from places of the old
/// record to those of the new one.
pub(super) fn differences(old: &Record, new: &Record, places: &[Option<usize>]) -> Vec<ConditionDifference> {
    let mut found = Found::default();
    found.environment(&old.environment, &new.environment);
    found.floors(&old.floors, &new.floors);
    found.drivers(&old.drivers, &new.drivers);
    for (place, partner) in old.places.iter().zip(places) {
        if let Some(other) = partner.and_then(|index| new.places.get(index)) {
            found.place(place, other);
        }
    }
    let own = [own_files(old), own_files(new)];
    found.plain(ConditionWeight::State, "files of your own", &own[0], &own[1]);
    let versions = [&old.fathom_version, &new.fathom_version];
    found.plain(ConditionWeight::State, "Fathom", versions[0], versions[1]);
    let run = ConditionWeight::Run;
    found.plain(run, "seed", &old.seed, &new.seed);
    found.plain(run, "complete", &yes(old.complete), &yes(new.complete));
    found.0.sort_by_key(|difference| difference.weight);
    found.0
}

/// The user's files that a record read: the same paths with other bytes are other files.
fn own_files(record: &Record) -> String {
    let Some(own) = &record.own_files else { return "none".to_owned() };
    let each = own
        .files
        .iter()
        .map(|file| format!("{}, {} B, modified {}", file.path.display(), file.size_bytes, file.modified));
    each.collect::<Vec<_>>().join("; ")
}

/// What differs between two builds of one driver.
pub(super) fn builds(old: &DriverFacts, new: &DriverFacts) -> Vec<ConditionDifference> {
    let mut found = Found::default();
    found.driver("", old, new);
    found.plain(ConditionWeight::Run, "program", &old.program, &new.program);
    found.0
}

/// What was found so far.
#[derive(Debug, Default)]
struct Found(Vec<ConditionDifference>);

impl Found {
    fn add(&mut self, weight: ConditionWeight, what: &str, old: String, new: String) {
        self.0.push(ConditionDifference { weight, what: what.to_owned(), old, new });
    }

    fn plain<T: PartialEq + Display>(&mut self, weight: ConditionWeight, what: &str, old: &T, new: &T) {
        if old != new {
            self.add(weight, what, old.to_string(), new.to_string());
        }
    }

    /// Two absences are no difference, whatever their reasons.
    fn reading<T: PartialEq>(
        &mut self,
        weight: ConditionWeight,
        what: &str,
        [old, new]: [&Reading<T>; 2],
        text: impl Fn(&T) -> String,
    ) {
        if old.value() == new.value() {
            return;
        }
        let said = |reading: &Reading<T>| match reading {
            Reading::Value(value) => text(value),
            Reading::Unavailable(reason) => format!("unknown ({reason})"),
        };
        self.add(weight, what, said(old), said(new));
    }

    fn environment(&mut self, old: &Environment, new: &Environment) {
        use ConditionWeight::{Machine, State};
        let both = |of: fn(&Environment) -> &Reading<String>| [of(old), of(new)];
        self.plain(Machine, "architecture", &old.architecture, &new.architecture);
        self.reading(Machine, "CPU model", both(|e| &e.cpu_model), String::clone);
        self.reading(Machine, "hypervisor", both(|e| &e.virtualization), String::clone);
        self.plain(Machine, "bytes in a page", &old.page_bytes, &new.page_bytes);
        self.plain(State, "kernel", &old.kernel, &new.kernel);
        self.plain(State, "Fathom's CPUs", &listed(&old.cpus), &listed(&new.cpus));
        self.reading(State, "governor", both(|e| &e.governor), String::clone);
        self.reading(State, "clock source", both(|e| &e.clock_source), String::clone);
        let resolution = [old.clock_resolution_ns, new.clock_resolution_ns].map(|ns| format!("{ns} ns"));
        self.plain(State, "clock resolution", &resolution[0], &resolution[1]);
        self.reading(State, "mitigations", [&old.mitigations, &new.mitigations], |lines| lines.join("; "));
        self.reading(State, "huge pages", both(|e| &e.transparent_huge_pages), String::clone);
        self.reading(State, "page-out by DAMON", [&old.damon_page_out, &new.damon_page_out], |schemes| {
            if schemes.is_empty() { "none".to_owned() } else { schemes.join("; ") }
        });
        self.reading(State, "bytes of memory", [&old.memory_bytes, &new.memory_bytes], u64::to_string);
        self.reading(State, "container", both(|e| &e.container), String::clone);
        self.reading(State, "tracers of others", [&old.foreign_tracers, &new.foreign_tracers], |tracers| {
            match tracers.len() {
                0 => "none".to_owned(),
                _ => listed(tracers.iter().map(|tracer| &tracer.source)),
            }
        });
        self.plain(State, "user id", &old.uid, &new.uid);
    }

    /// Floors whose ranges have nothing in common.
    fn floors(&mut self, old: &Reading<Floors>, new: &Reading<Floors>) {
        let (Some(old), Some(new)) = (old.value(), new.value()) else { return };
        for (what, old, new) in [
            ("lower bound: an empty call", old.null_call_ns, new.null_call_ns),
            ("lower bound: fstat", old.fstat_ns, new.fstat_ns),
            ("lower bound: pread of 512 B", old.pread_ns, new.pread_ns),
        ] {
            if old.most < new.least || new.most < old.least {
                let text =
                    |floor: Floor| format!("{:.0} ns ({:.0}–{:.0})", floor.median, floor.least, floor.most);
                self.add(ConditionWeight::State, what, text(old), text(new));
            }
        }
    }

    fn drivers(&mut self, old: &[DriverFacts], new: &[DriverFacts]) {
        for driver in old {
            let Some(other) = new.iter().find(|other| other.driver == driver.driver) else {
                let what = format!("driver {}", driver.driver);
                self.add(ConditionWeight::Run, &what, driver.runtime.clone(), "not used".to_owned());
                continue;
            };
            self.driver(&format!("driver {}: ", driver.driver), driver, other);
        }
        for driver in new.iter().filter(|driver| old.iter().all(|other| other.driver != driver.driver)) {
            let what = format!("driver {}", driver.driver);
            self.add(ConditionWeight::Run, &what, "not used".to_owned(), driver.runtime.clone());
        }
    }

    fn driver(&mut self, prefix: &str, old: &DriverFacts, new: &DriverFacts) {
        let state = ConditionWeight::State;
        let what = |part: &str| format!("{prefix}{part}");
        self.plain(state, &what("runtime"), &old.runtime, &new.runtime);
        self.plain(state, &what("toolchain"), &old.toolchain, &new.toolchain);
        let digests = [&old.source_sha256, &new.source_sha256];
        self.reading(state, &what("source"), digests, |digest| digest.chars().take(12).collect());
        let words = [old, new].map(|driver| {
            let set = driver.environment.iter().map(|(name, value)| format!("{name}={value}"));
            listed(set)
        });
        self.plain(state, &what("environment"), &words[0], &words[1]);
    }

    fn place(&mut self, old: &PlaceFacts, new: &PlaceFacts) {
        let state = ConditionWeight::State;
        let what = |part: &str| format!("place {}: {part}", new.place);
        self.plain(ConditionWeight::Run, &what("path"), &old.place, &new.place);
        self.plain(state, &what("file system"), &old.file_system, &new.file_system);
        let options = [&old.mount_options, &new.mount_options];
        self.reading(state, &what("mount options"), options, |options| options.join(","));
        self.reading(state, &what("journal"), [&old.journal, &new.journal], String::clone);
        self.plain(state, &what("block"), &old.block_bytes, &new.block_bytes);
        self.reading(state, &what("path depth"), [&old.path_depth, &new.path_depth], u32::to_string);
        match (&old.device, &new.device) {
            (Reading::Value(old), Reading::Value(new)) => self.device(&what, old, new),
            (old, new) => self.reading(state, &what("device"), [old, new], |device| device.name.clone()),
        }
    }

    fn device(&mut self, what: &dyn Fn(&str) -> String, old: &DeviceFacts, new: &DeviceFacts) {
        let state = ConditionWeight::State;
        self.plain(state, &what("device"), &old.name, &new.name);
        self.reading(state, &what("device model"), [&old.model, &new.model], String::clone);
        self.reading(state, &what("I/O scheduler"), [&old.scheduler, &new.scheduler], String::clone);
        let read_ahead = [&old.read_ahead_kib, &new.read_ahead_kib];
        self.reading(state, &what("read-ahead"), read_ahead, |kib| format!("{kib} KiB"));
        let request = [&old.max_sectors_kib, &new.max_sectors_kib];
        self.reading(state, &what("largest request"), request, |kib| format!("{kib} KiB"));
    }
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn listed(words: impl IntoIterator<Item = impl Display>) -> String {
    words.into_iter().map(|word| word.to_string()).collect::<Vec<_>>().join(" ")
}
