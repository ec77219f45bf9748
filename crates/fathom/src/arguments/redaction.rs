//! The words by which names and secrets are left out of what is written.

use clap::{Args, ValueEnum};

/// Whether to redact.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Redaction {
    /// Replace the home directory, the user's and the host's name, and words that look like passwords,
    /// tokens or keys, in what is written to files and pages; `--redact` alone means always
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = RedactChoice::Auto,
        default_missing_value = "always"
    )]
    pub(crate) redact: RedactChoice,
}

/// When to redact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RedactChoice {
    /// What is made to be published: pages, Markdown, SARIF
    Auto,
    /// Always, also records, traces, JSON and text
    Always,
    /// Never
    Never,
}
