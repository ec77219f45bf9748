//! How an audit came about: what was watched and how, how it ended, where prices come from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One fact on an audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditFact {
    /// What it is about.
    pub kind: FactKind,
    /// What there is to say, in a sentence or less.
    pub text: String,
}

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// What was watched: the command, the process, the log.
    Subject,
    /// The container or control group, by name, id, engine and processes.
    Container,
    /// From which layers of an overlay the container's files came.
    Layers,
    /// The directory below which files were judged, where not all were.
    Under,
    /// How it ended.
    Ended,
    /// How it was watched.
    Capture,
    /// The time on CPUs that it took.
    Cpu,
    /// For how long a running process was watched.
    Window,
    /// What call stacks do not show.
    Stacks,
    /// What the capture did to the program.
    Stops,
    /// That another capture would slow the command less.
    Faster,
    /// How much of a log was read.
    Read,
    /// The file that kept the events.
    Kept,
    /// Where prices come from, or why there are none.
    Prices,
    /// The project's file.
    Project,
    /// A suppression that nothing falls under.
    Unused,
    /// A wrapper of the program's name that started it.
    Shim,
    /// That many programs are started, which makes most of the calls.
    Starts,
    /// How long threads waited in calls, and for what most.
    Waited,
    /// How long calls of one kind took, in powers of two.
    Latency,
    /// Variables that change how programs start or run, and were set.
    Variables,
    /// What was replaced before it was written.
    Redacted,
}

impl FactKind {
    const ALL: [Self; 22] = [
        Self::Subject,
        Self::Container,
        Self::Layers,
        Self::Under,
        Self::Ended,
        Self::Capture,
        Self::Cpu,
        Self::Window,
        Self::Stacks,
        Self::Stops,
        Self::Faster,
        Self::Read,
        Self::Kept,
        Self::Prices,
        Self::Project,
        Self::Unused,
        Self::Shim,
        Self::Starts,
        Self::Waited,
        Self::Latency,
        Self::Variables,
        Self::Redacted,
    ];

    /// The word for it, in output and in kept traces.
    pub fn word(self) -> &'static str {
        match self {
            Self::Subject => "audit",
            Self::Container => "container",
            Self::Layers => "layers",
            Self::Under => "under",
            Self::Ended => "ended",
            Self::Capture => "capture",
            Self::Cpu => "cpu",
            Self::Window => "window",
            Self::Stacks => "stacks",
            Self::Stops => "stops",
            Self::Faster => "faster",
            Self::Read => "read",
            Self::Kept => "kept",
            Self::Prices => "prices",
            Self::Project => "project",
            Self::Unused => "unused",
            Self::Shim => "wrapper",
            Self::Starts => "starts",
            Self::Waited => "waited",
            Self::Latency => "latency",
            Self::Variables => "variables",
            Self::Redacted => "redacted",
        }
    }

    /// The one with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl AuditFact {
    /// One of this kind.
    pub fn new(kind: FactKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_known_by_its_word() {
        for kind in FactKind::ALL {
            assert_eq!(FactKind::from_word(kind.word()), Some(kind));
        }
        assert_eq!(FactKind::from_word("lost"), None, "that is a gap");
    }
}
