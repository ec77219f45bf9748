//! The container or control group that was watched, as data: whose processes they were, and from which
//! layers of an overlay their files came.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A container that was watched, or a control group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditedContainer {
    /// Its id, as its engine has it; `None` of a control group that somebody named.
    pub id: Option<String>,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Who made it: `docker`, `podman`.
    pub engine: Option<String>,
    /// Its control group's directory; `None` where it has none of its own.
    pub cgroup: Option<String>,
    /// Its processes, in the order of their numbers here.
    pub processes: Vec<ContainerProcess>,
    /// The layers of the overlay at its root, the one that it writes to first; empty where there is none.
    pub layers: Vec<ContainerLayer>,
    /// Each file that was opened, by its path in the container.
    pub files: Vec<ContainerFile>,
}

/// A process of a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerProcess {
    /// Its number here.
    pub process: u32,
    /// Its number in the container; `None` where it ended before that could be read.
    pub inside: Option<u32>,
    /// The program that it ran last, by its path in the container.
    pub program: Option<String>,
}

/// A layer of an overlay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerLayer {
    /// `upper`, or `lower 1` and so on, the uppermost first.
    pub layer: String,
    /// Its directory on this machine.
    pub directory: String,
}

/// A file that a container opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContainerFile {
    /// Its path in the container.
    pub path: String,
    /// How often it was opened.
    pub opens: u64,
    /// From which layer it came when the watch ended: `upper`, `lower 1`; `mount: proc` of one on no overlay;
    /// `unknown: ` and the reason.
    pub layer: String,
}

impl AuditedContainer {
    /// Who it is: `web (da0ee08b29de), podman`.
    pub fn subject(&self) -> String {
        let id = self.id.as_deref().map(|id| id.get(..12).unwrap_or(id));
        let name = match (&self.name, id) {
            (Some(name), Some(id)) if name != id => format!("container {name} ({id})"),
            (_, Some(id)) => format!("container {id}"),
            (_, None) => format!("control group {}", self.cgroup.as_deref().unwrap_or("?")),
        };
        let engine = self.engine.as_deref().map(|engine| format!(", {engine}"));
        name + &engine.unwrap_or_default()
    }

    /// Its processes in words, at most so many: `4704 is 1 inside (/bin/sh)`.
    pub fn processes_in_words(&self, most: usize) -> String {
        let one = |process: &ContainerProcess| {
            let inside = process.inside.map_or("of unknown number".to_owned(), |inside| inside.to_string());
            let program = process.program.as_deref().map(|program| format!(" ({program})"));
            format!("{} is {inside} inside{}", process.process, program.unwrap_or_default())
        };
        let mut all: Vec<String> = self.processes.iter().take(most).map(one).collect();
        let more = self.processes.len().saturating_sub(most);
        if more > 0 {
            all.push(format!("{more} more in the JSON"));
        }
        all.join(", ")
    }

    /// How many files came from where, the most first; `None` where none was opened.
    pub fn layers_in_words(&self) -> Option<String> {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for file in &self.files {
            *counts.entry(&file.layer).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(layer, files)| (Reverse(*files), *layer));
        let one = |(layer, files): (&str, u64)| {
            let known = self.layers.iter().find(|known| known.layer == layer);
            let directory = known.map(|known| format!(" ({})", known.directory)).unwrap_or_default();
            format!("{files} {} {layer}{directory}", if files == 1 { "file from" } else { "files from" })
        };
        let all: Vec<String> = counts.into_iter().map(one).collect();
        (!all.is_empty()).then(|| format!("{}, as of the end of the watch", all.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container() -> AuditedContainer {
        let file = |path: &str, layer: &str| ContainerFile {
            path: path.to_owned(),
            opens: 1,
            layer: layer.to_owned(),
        };
        AuditedContainer {
            id: Some("da0ee08b29de1942".to_owned()),
            name: Some("web".to_owned()),
            engine: Some("podman".to_owned()),
            cgroup: Some("/sys/fs/cgroup/x".to_owned()),
            processes: vec![
                ContainerProcess { process: 70, inside: Some(1), program: Some("/bin/sh".to_owned()) },
                ContainerProcess { process: 71, inside: None, program: None },
            ],
            layers: vec![ContainerLayer { layer: "upper".to_owned(), directory: "/u".to_owned() }],
            files: vec![file("/a", "upper"), file("/b", "lower 1"), file("/c", "lower 1")],
        }
    }

    #[test]
    fn a_container_is_told_by_name_id_and_engine() {
        assert_eq!(container().subject(), "container web (da0ee08b29de), podman");
        let group = AuditedContainer { cgroup: Some("/g".to_owned()), ..AuditedContainer::default() };
        assert_eq!(group.subject(), "control group /g");
    }

    #[test]
    fn both_numbers_of_a_process_are_told() {
        let words = container().processes_in_words(5);
        assert_eq!(words, "70 is 1 inside (/bin/sh), 71 is of unknown number inside");
        assert_eq!(container().processes_in_words(1), "70 is 1 inside (/bin/sh), 1 more in the JSON");
    }

    #[test]
    fn layers_are_counted_by_file() {
        let words = container().layers_in_words().unwrap();
        assert_eq!(words, "2 files from lower 1, 1 file from upper (/u), as of the end of the watch");
        assert_eq!(AuditedContainer::default().layers_in_words(), None);
    }
}
