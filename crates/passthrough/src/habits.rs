//! What the client is to remember, and which of its requests are charged.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How the mount behaves towards the kernel's own caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
pub struct ClientHabits {
    /// How long the kernel remembers a name that was found.
    pub entry: Duration,
    /// How long it remembers a name that was not found; zero for not at all.
    pub absent: Duration,
    /// How long it remembers the attributes of a file.
    pub attributes: Duration,
    /// How long it remembers the attributes of a directory.
    pub directory_attributes: Duration,
    /// Listing a directory brings the attributes of what is in it.
    pub listing_fills: bool,
    /// Opening a file is held.
    pub open: bool,
    /// Opening a directory is held.
    pub open_directory: bool,
    /// Which closes are held.
    pub flush: FlushCharge,
    /// Questions about extended attributes are held.
    pub extended_attributes: bool,
}

/// Which closes are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FlushCharge {
    /// Each.
    Each,
    /// Those of files that were written through the descriptor's open.
    Written,
    /// None.
    None,
}
