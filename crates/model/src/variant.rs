//! Variants: what is compared.

use crate::{CacheState, Content, MethodId, Operation, Settings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The files of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct DataSet {
    /// How many files.
    pub files: u32,
    /// Bytes in each.
    pub size_bytes: u64,
    /// What they hold.
    pub content: Content,
}

/// The order in which blocks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// At offsets drawn by the protocol's generator.
    Random,
    /// One after the other, from the start again at the end.
    Sequential,
}

/// Whether a block starts at a multiple of its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Alignment {
    /// At a multiple of the block size.
    Aligned,
    /// At any byte (random) or one byte past a multiple (sequential).
    Unaligned,
}

/// Whether an operation reads into memory of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BufferUse {
    /// One buffer for all operations, page-aligned and touched beforehand.
    Reused,
    /// A new buffer of the heap for each operation.
    Fresh,
    /// An array in the operation's own frame; its size is a constant of the program.
    Stack,
}

/// What a variant sets beside method, place and cache state.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Parameters {
    /// The files.
    pub data: DataSet,
    /// Bytes read by one `open-read-close` or `read-block`; also the size of
    /// the piece in which a method with a caller's buffer reads a whole file.
    pub block_bytes: u64,
    /// The order of blocks.
    pub access: Access,
    /// The alignment of blocks.
    pub alignment: Alignment,
    /// The buffer.
    pub buffer: BufferUse,
    /// Everything else that is not as usual.
    #[serde(default, skip_serializing_if = "Settings::is_empty")]
    pub settings: Settings,
}

impl Parameters {
    /// Blocks of this many bytes of these files, the rest as usual: random,
    /// aligned, into one buffer.
    pub fn new(data: DataSet, block_bytes: u64) -> Self {
        Self {
            data,
            block_bytes,
            access: Access::Random,
            alignment: Alignment::Aligned,
            buffer: BufferUse::Reused,
            settings: Settings::default(),
        }
    }
}

/// One thing to measure: method × place × cache state × parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Variant {
    /// The method.
    pub method: MethodId,
    /// The operation it performs.
    pub operation: Operation,
    /// Index into the record's places.
    pub place: usize,
    /// The page cache's state.
    pub cache: CacheState,
    /// The rest.
    pub parameters: Parameters,
}
