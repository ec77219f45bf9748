//! The words of `fathom prices`.

use super::{Format, seconds};
use clap::Args;
use std::path::PathBuf;

/// Shown by `fathom prices --help`.
pub(crate) const PRICES_EXAMPLES: &str = "\
Examples:
  fathom prices --quick
  fathom prices --dir . --dir /dev/shm --seconds 20
  fathom prices --quick --format json -o prices.json
  fathom prices --quick --only fstat,openat
  fathom prices --show prices.json
  fathom prices --kept
  fathom prices --list

A list is kept below $XDG_DATA_HOME/fathom/prices (~/.local/share/...). It is used
by `fathom bench --why` while kernel, CPU, file system, mount options and device
are the same; docs/prices.md says how each price is taken.";

/// Arguments of `fathom prices`.
#[derive(Debug, Args)]
pub(crate) struct Prices {
    /// A directory of the file system to price; may be repeated
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: Vec<PathBuf>,

    /// 10 processes in about 10 seconds, instead of 20 in 40
    #[arg(long)]
    pub(crate) quick: bool,

    /// Time for each directory
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) seconds: Option<f64>,

    /// Price these calls alone, by the kernel's names; the list is not kept, since nothing else could use it
    #[arg(long, value_name = "CALL,...", value_delimiter = ',', conflicts_with_all = ["kept", "show", "list"])]
    pub(crate) only: Vec<String>,

    /// Measure nothing: print the newest kept list that fits each --dir
    #[arg(long, conflicts_with_all = ["quick", "seconds", "show", "list"])]
    pub(crate) kept: bool,

    /// Measure nothing: print the list in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "seconds", "dir", "list"])]
    pub(crate) show: Option<PathBuf>,

    /// Say which lists are kept
    #[arg(long, conflicts_with_all = ["quick", "seconds", "dir", "output", "format"])]
    pub(crate) list: bool,

    /// Text for people, or the list itself (docs/price-list.schema.json)
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Write the list here too
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
