//! What a call is on.

use super::attribution::Asker;
use crate::world::PlaceId;

/// What a call is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum About {
    /// A path, and who asks for it.
    Place(PlaceId, Asker),
    /// No file: memory, pipes.
    NoFile(&'static str),
    /// It is not known.
    Unknown(&'static str),
}
