//! The words of `fathom man` and `fathom completions`.

use clap::{Args, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// Shown by `fathom man --help`.
pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  fathom man
  fathom man driver check
  fathom man -o man/man1
  fathom man --format markdown

Each command has a page of its own: fathom-bench(1), fathom-driver-check(1), ... `man -l FILE` shows
one. For `man fathom`, write them to a man1 directory of the manual's path, for example
~/.local/share/man/man1.";

/// Shown by `fathom completions --help`.
pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  fathom completions bash > fathom.bash
  fathom completions zsh > _fathom
  fathom completions fish > fathom.fish

bash reads ~/.local/share/bash-completion/completions/fathom by itself where the package
bash-completion is installed; elsewhere `source` the file. zsh takes _fathom from a directory of
$fpath, fish takes fathom.fish from ~/.config/fish/completions.";

/// Arguments of `fathom man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The command whose page is printed, as `bench` or `driver check`; fathom's own when left out
    #[arg(conflicts_with = "output")]
    pub(crate) command: Vec<String>,

    /// Pages for man, or the same as Markdown
    #[arg(long, value_enum, default_value_t = ManFormat::Man)]
    pub(crate) format: ManFormat,

    /// Write every page into this directory, which is made when it is not there
    #[arg(short, long, alias = "out", value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// Forms of the manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ManFormat {
    /// fathom.1, fathom-bench.1, ... for man
    Man,
    /// commands.md and exit-codes.md, as docs/reference/ has them
    Markdown,
}

/// Arguments of `fathom completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}
