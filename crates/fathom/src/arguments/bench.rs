//! Arguments of `fathom bench`.

use super::{BenchCommands, BenchGate, BenchRanks, Redaction, Rendering, fail_on, percent, seconds};
use crate::completion;
use clap::Args;
use fathom_lab::kept_set::SetName;
use std::path::PathBuf;

/// What a run may do to the machine, each only when it is asked for.
#[derive(Debug, Args)]
pub(crate) struct MachineChanges {
    /// For cold samples, drop the whole machine's page, dentry and inode caches (root only; slows
    /// every other program for a while)
    #[arg(long)]
    pub(crate) drop_caches: bool,

    /// Let experiments change the read-ahead of devices while measuring (root only; put back after)
    #[arg(long)]
    pub(crate) set_read_ahead: bool,

    /// Make small file systems and mount them where only this run sees them (root only). Without
    /// KINDS: those of write-directory and limits. With KINDS, separated by commas, one of each to measure in:
    /// ext4, ext4-nojournal, xfs, btrfs, vfat, tmpfs, each with mount options behind a `+`
    /// (`ext4+noauto_da_alloc`)
    #[arg(long, value_name = "KINDS", value_delimiter = ',', num_args = 0..=1, value_parser = mount_kind)]
    pub(crate) mount: Option<Vec<String>>,
}

/// A kind of file system with options, as `--mount` has it.
fn mount_kind(word: &str) -> Result<String, String> {
    if fathom_lab::is_mountable(word) {
        return Ok(word.to_owned());
    }
    let known = fathom_lab::mountable_kinds().join(", ");
    Err(format!("known are {known}; without kinds, --mount stands last or before another option"))
}

/// Arguments of `fathom bench`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub(crate) struct Bench {
    /// Catalog entries, paths of experiment files (*.toml), one operation (see `fathom list`), or files
    /// with functions of your own (*.c, *.cpp, *.go, *.java, *.mjs, *.py, *.rs, *.zig), each of which reads
    /// the file at the path it is given
    #[arg(add = completion::measurable())]
    pub(crate) what: Vec<String>,

    /// Run every catalog entry
    #[arg(long, conflicts_with = "what")]
    pub(crate) all: bool,

    /// Use each entry's quick form
    #[arg(long)]
    pub(crate) quick: bool,

    /// Methods as driver:name, separated by commas; driver:* for all of a driver
    #[arg(long, value_name = "METHODS", value_delimiter = ',', add = completion::methods())]
    pub(crate) methods: Vec<String>,

    /// The method that ratios refer to
    #[arg(long, value_name = "METHOD", add = completion::methods())]
    pub(crate) baseline: Option<String>,

    /// Page-cache states: warm, cold
    #[arg(long, value_name = "STATES", value_delimiter = ',')]
    pub(crate) cache: Vec<String>,

    /// A directory to measure in, or the word memfd; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Vec<String>,

    /// Sizes of the files, separated by commas: 128, 4KiB, 1GiB
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub(crate) size: Vec<String>,

    /// Block sizes of open-read-close and read-block, separated by commas
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    pub(crate) block: Vec<String>,

    /// Read this file of yours, instead of making one; may be repeated. It is opened for reading
    /// only, and evicted from the page cache only for --cache cold. /dev/null, zero, full, random and
    /// urandom are opened and closed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tree", "data", "dir", "size", "content", "files"])]
    pub(crate) file: Vec<PathBuf>,

    /// Read files of yours below this directory, drawn with --seed: --files of them, else 100
    #[arg(long, value_name = "DIR", conflicts_with_all = ["data", "dir", "size", "content"])]
    pub(crate) tree: Option<PathBuf>,

    /// How many files
    #[arg(long, value_name = "COUNT")]
    pub(crate) files: Option<u32>,

    /// What the files hold: random, pattern, log-lines, log-borders, config-json, config-yaml, config-toml
    #[arg(long, value_name = "KIND")]
    pub(crate) content: Option<String>,

    /// Read the files of this data set (see `fathom data`), instead of making some
    #[arg(long, value_name = "NAME")]
    pub(crate) data: Option<SetName>,

    /// Threads that share the work of search, read-whole or read-block, separated by commas
    #[arg(long, value_name = "COUNTS")]
    pub(crate) threads: Option<String>,

    /// A setting and its values, as NAME=VALUE,VALUE; may be repeated (see `fathom list`)
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) set: Vec<String>,

    /// Order of blocks: random, sequential
    #[arg(long, value_name = "ORDER")]
    pub(crate) access: Option<String>,

    /// Where blocks start: aligned, unaligned
    #[arg(long, value_name = "ALIGNMENT")]
    pub(crate) alignment: Option<String>,

    /// Buffers: reused, fresh, stack (an array of constant size, where a driver has it)
    #[arg(long, value_name = "USE", value_delimiter = ',')]
    pub(crate) buffer: Vec<String>,

    /// Time for the time pass of each entry, in seconds [default: 3 for each comparison and at least
    /// 10; 8 for `fathom bench` alone and for each file of functions; 10 for --commands]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<f64>,

    /// Count system calls and take no time: the record then has counts alone, and with --why the
    /// kernel's counters
    #[arg(long, conflicts_with_all = ["time", "precision"])]
    pub(crate) counts_only: bool,

    /// Say why: the kernel's counters of each method (faults, switches, page cache, block requests),
    /// and where its time goes by this machine's prices of calls (see `fathom prices`)
    #[arg(long)]
    pub(crate) why: bool,

    /// Sample the stacks of each method (see `fathom flame-graph`)
    #[arg(long, conflicts_with = "counts_only")]
    pub(crate) profile: bool,

    /// Take every operation's own time in a run of its own: percentiles
    #[arg(long, conflicts_with = "counts_only")]
    pub(crate) latencies: bool,

    /// Stop early when every ratio is known to this, in percent of it
    #[arg(long, value_name = "PERCENT", default_value_t = 0.5, value_parser = percent)]
    pub(crate) precision: f64,

    #[command(flatten)]
    pub(crate) machine: MachineChanges,

    /// Seed of every random choice; drawn and recorded when not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,

    /// Fail (exit 1) on 'answers' that differ between functions of yours (or outputs of --commands),
    /// on 'calls A > B' when method A makes more calls than B, or on 'time A > B +5%' when it is surely
    /// slower by more; may be repeated
    #[arg(long, value_name = "GATE", value_parser = fail_on::gate)]
    pub(crate) fail_on: Vec<BenchGate>,

    #[command(flatten)]
    pub(crate) commands: BenchCommands,

    #[command(flatten)]
    pub(crate) ranks: BenchRanks,

    /// A driver program of your own, used under the name it gives itself; may be repeated
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) driver: Vec<PathBuf>,

    /// Write the record here
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) redaction: Redaction,

    #[command(flatten)]
    pub(crate) rendering: Rendering,
}
