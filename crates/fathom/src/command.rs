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
mod entries;
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
pub(crate) mod top;
pub(crate) mod trace;
pub(crate) mod track;
pub(crate) mod verify;
pub(crate) mod what_if;

pub(crate) use crate::hinted::Hinted;
use fathom_catalog::CatalogError;
use fathom_lab::PlaceError;
use fathom_trace::TraceError;
use rustix::io::Errno;

/// Why a command could not be watched, with what to do about it.
pub(crate) fn explained(error: TraceError) -> anyhow::Error {
    let hint = match &error {
        TraceError::Start { program, .. } if program == "--fail-on" => {
            "budgets of this command stand behind `--assert` (`--help`); what is no option is taken for the program"
        }
        TraceError::Start { program, .. } if program.starts_with('-') => {
            "that is no option of this command (`--help` lists them), and so was taken for the program"
        }
        TraceError::Start { error, .. } if error.raw_os_error() == Some(Errno::AGAIN.raw_os_error()) => {
            "no more processes can be made: the limit is that of `ulimit -u`, of a service's TasksMax or of pids.max"
        }
        TraceError::Start { .. } => "the command and its words stand after `--`, as a shell would find it",
        TraceError::Forbidden { .. } => "`fathom doctor` says what this machine can measure",
        _ => return error.into(),
    };
    Hinted::error(format!("failed to {error}"), hint)
}

/// True of what a signal ended before it was done.
pub(crate) fn is_interrupt(error: &anyhow::Error) -> bool {
    error.is::<stop::Interrupted>()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_the_limit_and_the_option_that_is_meant() {
        let hint_for = |program: &str, errno: Errno| {
            let error = TraceError::Start { program: program.to_owned(), error: errno.into() };
            hint_of(&explained(error)).unwrap()
        };
        let hint = |errno| hint_for("true", errno);
        assert!(hint_for("--fail-on", Errno::NOENT).contains("behind `--assert`"));
        assert!(hint_for("--budget", Errno::NOENT).contains("no option"));
        assert!(hint(Errno::AGAIN).contains("TasksMax"));
        assert!(hint(Errno::NOENT).contains("after `--`"));
    }
}
