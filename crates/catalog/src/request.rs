//! What the command line asks for.

use fathom_model::{Access, Alignment, BufferUse, CacheState, Content, Explain, Place};

/// What the command line asks for. An empty list and `None` leave the
/// experiment's choice, or the default of an ad-hoc plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Take the experiment's `[quick]` choices.
    pub quick: bool,
    /// `--why`, `--profile`, `--latencies`: beside what the experiment asks for.
    pub explain: Vec<Explain>,
    /// `--methods`: names and wildcards.
    pub methods: Vec<String>,
    /// `--baseline`: one of the compared things, in its own words.
    pub baseline: Option<String>,
    /// `--cache`.
    pub caches: Vec<CacheState>,
    /// `--dir`: stand for `directory` in an experiment's places, or for all of
    /// them where it does not say `directory`.
    pub places: Vec<Place>,
    /// `--size`, in bytes.
    pub sizes: Vec<u64>,
    /// `--block`, in bytes.
    pub blocks: Vec<u64>,
    /// `--access`.
    pub accesses: Vec<Access>,
    /// `--alignment`.
    pub alignments: Vec<Alignment>,
    /// `--buffer`.
    pub buffers: Vec<BufferUse>,
    /// `--files`.
    pub files: Option<u32>,
    /// `--content`.
    pub content: Option<Content>,
    /// `--set`: settings and their values, separated by commas.
    pub settings: Vec<(String, String)>,
}
