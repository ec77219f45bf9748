//! The words of `fathom flame-graph`.

use crate::completion;
use clap::Args;
use std::path::PathBuf;

pub(crate) const FLAME_GRAPH_EXAMPLES: &str = "\
Examples:
  fathom bench hash-go --quick --profile -o hash.json
  fathom flame-graph hash.json -o graphs
  fathom flame-graph hash.json --method go:io.Copy --folded -o graphs

One file per method with stacks, named after experiment, comparison and method. A picture
opens in any browser: a click on a function zooms in, Ctrl-F searches. Frames of the kernel
end in _[k], those of code that was compiled at run time in _[j].";

/// Arguments of `fathom flame-graph`.
#[derive(Debug, Args)]
pub(crate) struct FlameGraph {
    /// A record written by `fathom bench --profile`
    #[arg(add = completion::records())]
    pub(crate) record: PathBuf,

    /// Only this experiment of the record
    #[arg(long, value_name = "NAME")]
    pub(crate) experiment: Option<String>,

    /// Only this method, as driver:name; may be repeated
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Vec<String>,

    /// Write the folded stacks as text instead, for other tools
    #[arg(long)]
    pub(crate) folded: bool,

    /// Replace files that are there
    #[arg(long)]
    pub(crate) force: bool,

    /// The directory to write into; made when it is not there
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}
