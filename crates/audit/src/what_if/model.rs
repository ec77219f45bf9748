//! What the client of a file system remembers, and what it asks for: data, `file_systems.toml`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const TEXT: &str = include_str!("file_systems.toml");

/// The client of a file system, as far as round trips depend on it. The keys are those of the file, where
/// each is described.
#[expect(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileSystemModel {
    /// The word that names it on the command line.
    pub name: String,
    /// What it stands for.
    pub title: String,
    /// What it was made from.
    pub basis: String,
    /// How long a name that was found is remembered.
    pub entry_s: Lifetime,
    /// How long a name that was not found is remembered.
    pub absent_s: Lifetime,
    /// How long attributes of a file are remembered.
    pub attributes_s: Lifetime,
    /// How long attributes of a directory are remembered.
    pub directory_attributes_s: Lifetime,
    /// One question about a directory renews all names in it.
    pub entries_follow_directory: bool,
    /// What going through a directory asks.
    pub permission: PermissionCheck,
    /// What opening a file asks.
    pub open: OpenRequest,
    /// Opening a directory is a request, too.
    pub open_directory: bool,
    /// What closing a file asks.
    pub close: CloseRequest,
    /// When written data goes to the server.
    pub write: WritePolicy,
    /// The size of a regular file is a question of its own.
    pub size_apart: bool,
    /// What one read request brings at most, in bytes.
    pub read_bytes: u64,
    /// What one write request takes at most, in bytes.
    pub write_bytes: u64,
    /// Listing a directory brings the attributes of what is in it.
    pub listing_fills: bool,
    /// A listing is remembered as long as the directory's attributes.
    pub listing_cached: bool,
    /// Where a link leads is remembered as long as its attributes.
    pub links_cached: bool,
    /// A name that this client removed is remembered as absent.
    pub removed_known: bool,
    /// Extended attributes are asked of the server.
    pub extended_attributes: bool,
    /// Locks are asked of the server.
    pub locks: bool,
    /// A path is one question, however many names it has.
    pub whole_paths: bool,
}

/// How long something is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Lifetime {
    /// For so many seconds.
    Seconds(f64),
    /// As long as the run.
    Word(LifetimeWord),
}

/// A lifetime that is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LifetimeWord {
    /// As long as the run.
    Forever,
}

/// What going through a directory asks, or `access`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PermissionCheck {
    /// A request of its own, once for each lifetime of attributes.
    Request,
    /// The attributes, where they ran out.
    Attributes,
    /// Nothing.
    None,
}

/// What opening a file asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpenRequest {
    /// One request, which also finds the last name.
    WithLookup,
    /// One request.
    Request,
    /// The attributes, whether they are remembered or not.
    Attributes,
    /// Nothing.
    None,
}

/// What closing a file asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CloseRequest {
    /// One request at each `close`, of whichever descriptor.
    Each,
    /// One request, at the last of an open file.
    Request,
    /// One request at each `close`, where the file was written.
    Written,
    /// Nothing.
    None,
}

/// When written data goes to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WritePolicy {
    /// At each call.
    Through,
    /// At close and fsync.
    Back,
}

/// What Linux reads ahead of a file on FUSE, and the most that it writes with one request.
const MOUNTED_READ_BYTES: u64 = 128 << 10;
const MOUNTED_WRITE_BYTES: u64 = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    file_system: Vec<FileSystemModel>,
}

impl Lifetime {
    /// When something ends that is learned now, in ns; `now_ns` itself where nothing is remembered.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "lifetimes are short and positive"
    )]
    pub(super) fn end(self, now_ns: u64) -> u64 {
        match self {
            Self::Seconds(seconds) => now_ns.saturating_add((seconds * 1e9) as u64),
            Self::Word(LifetimeWord::Forever) => u64::MAX,
        }
    }

    /// In seconds; a year where it is as long as the run.
    pub fn seconds(self) -> f64 {
        match self {
            Self::Seconds(seconds) => seconds,
            Self::Word(LifetimeWord::Forever) => 365.0 * 86_400.0,
        }
    }
}

impl FileSystemModel {
    /// Every file system that is known.
    ///
    /// # Panics
    ///
    /// Never: a test reads the file.
    pub fn all() -> Vec<Self> {
        toml::from_str::<File>(TEXT).expect("a test reads it").file_system
    }

    /// What is left of it on a FUSE mount whose server imitates it: the kernel's FUSE decides what is asked,
    /// lifetimes and what is held for are the model's.
    #[must_use]
    pub fn as_mounted(&self) -> Self {
        let permission = match self.permission {
            PermissionCheck::None => PermissionCheck::None,
            PermissionCheck::Request | PermissionCheck::Attributes => PermissionCheck::Attributes,
        };
        let open = if self.open == OpenRequest::None { OpenRequest::None } else { OpenRequest::Request };
        let close = if self.close == CloseRequest::Request { CloseRequest::Each } else { self.close };
        Self {
            permission,
            open,
            close,
            write: WritePolicy::Through,
            entries_follow_directory: false,
            size_apart: false,
            read_bytes: MOUNTED_READ_BYTES,
            write_bytes: MOUNTED_WRITE_BYTES,
            listing_cached: false,
            links_cached: false,
            removed_known: false,
            locks: false,
            whole_paths: false,
            ..self.clone()
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|model| model.name == name)
    }
}
