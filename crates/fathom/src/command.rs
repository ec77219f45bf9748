//! One file per subcommand.

pub(crate) mod audit;
pub(crate) mod bench;
pub(crate) mod bisect;
pub(crate) mod ci;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod count;
mod counted_run;
pub(crate) mod data;
pub(crate) mod decide;
pub(crate) mod doctor;
pub(crate) mod driver;
pub(crate) mod export;
pub(crate) mod flame_graph;
pub(crate) mod gate;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod prices;
mod project_command;
pub(crate) mod report;
mod repository;
pub(crate) mod show;
mod stop;
pub(crate) mod trace;
pub(crate) mod track;
pub(crate) mod verify;
pub(crate) mod what_if;

use fathom_catalog::CatalogError;
use fathom_lab::PlaceError;
use fathom_trace::TraceError;

/// An error that knows what to do next.
#[derive(Debug)]
pub(crate) struct Hinted {
    message: String,
    hint: String,
}

impl Hinted {
    /// An error with its hint.
    pub(crate) fn error(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        Self { message: message.into(), hint: hint.into() }.into()
    }
}

impl std::fmt::Display for Hinted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Hinted {}

/// Why a command could not be watched, with what to do about it.
pub(crate) fn explained(error: TraceError) -> anyhow::Error {
    let hint = match &error {
        TraceError::Start { program, .. } if program.starts_with('-') => {
            "that is no option of this command (`--help` lists them), and so was taken for the program"
        }
        TraceError::Start { .. } => "the command and its words stand after `--`, as a shell would find it",
        TraceError::Forbidden { .. } => "`fathom doctor` says what this machine can measure",
        _ => return error.into(),
    };
    Hinted::error(format!("failed to {error}"), hint)
}

/// The next step that an error carries, wherever it is in the chain.
pub(crate) fn hint_of(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        let hinted = cause.downcast_ref::<Hinted>().map(|hinted| hinted.hint.clone());
        hinted
            .or_else(|| cause.downcast_ref::<CatalogError>().and_then(CatalogError::hint).map(str::to_owned))
            .or_else(|| cause.downcast_ref::<PlaceError>().and_then(PlaceError::hint).map(str::to_owned))
    })
}
