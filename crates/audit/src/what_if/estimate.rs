//! Round trips by what they are for and where, as data: what comes of the arithmetic.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a round trip is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RequestClass {
    /// To find a name in a directory.
    Lookup,
    /// What a file is, and whether it may be used.
    Attributes,
    /// To open a file, or to make it.
    Open,
    /// To read data, or where a link leads.
    Read,
    /// To write data.
    Write,
    /// To have written data on the device.
    Commit,
    /// To close a file.
    Close,
    /// To list a directory.
    List,
    /// To make, remove or rename names, and to set attributes.
    Change,
    /// Extended attributes, locks, the state of the file system.
    Other,
}

impl RequestClass {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 10] = [
        Self::Lookup,
        Self::Attributes,
        Self::Open,
        Self::Read,
        Self::Write,
        Self::Commit,
        Self::Close,
        Self::List,
        Self::Change,
        Self::Other,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Lookup => "lookup",
            Self::Attributes => "attributes",
            Self::Open => "open",
            Self::Read => "read",
            Self::Write => "write",
            Self::Commit => "commit",
            Self::Close => "close",
            Self::List => "list",
            Self::Change => "change",
            Self::Other => "other",
        }
    }
}

/// Round trips of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassTrips {
    /// What they are for.
    pub class: RequestClass,
    /// How many.
    pub round_trips: u64,
}

/// Round trips about one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PathTrips {
    /// The path.
    pub path: String,
    /// How many.
    pub round_trips: u64,
}

/// What a program's calls would be on another file system, by arithmetic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TripEstimate {
    /// Calls on files below the directories.
    pub calls: u64,
    /// Those of them that name a path.
    pub path_calls: u64,
    /// Calls on other files, which stay where they are.
    pub calls_elsewhere: u64,
    /// All round trips.
    pub round_trips: u64,
    /// The same by what they are for; classes without one are left out.
    pub by_class: Vec<ClassTrips>,
    /// Round trips that follow each other: the longest chain along threads and those that they made.
    pub longest_chain: u64,
    /// Threads that wait for a round trip.
    pub threads: u64,
    /// Time that is added where threads overlap as they did in this run, in ns.
    pub added_ns_min: u64,
    /// Time that is added where every round trip is waited for alone, in ns.
    pub added_ns_max: u64,
    /// Paths with the most round trips.
    pub paths: Vec<PathTrips>,
    /// Directories with the most round trips about what is in them.
    pub directories: Vec<PathTrips>,
    /// What is not known.
    pub unknown: Vec<UnknownTrips>,
}

/// Something that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownTrips {
    /// What, in a few words.
    pub what: String,
    /// What that means for the answer, and in which direction it errs.
    pub meaning: String,
}
