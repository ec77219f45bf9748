//! Ctrl-C and its kin: a flag that the lab looks at.

use crate::output;
use fathom_sys::signals::is_ignored;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// A flag that the first SIGINT, SIGTERM or SIGHUP raises. The run then ends in
/// order: drivers are killed, files removed, the partial record kept. Another one ends a removal
/// that takes long and was announced.
pub(crate) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let (stop, again) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    for signal in heeded() {
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&again))?;
    }
    fathom_lab::announce_removals(output::note, again);
    Ok(stop)
}

/// Where the number of such a signal is put, for a command that is to get it.
pub(crate) fn number() -> anyhow::Result<Arc<AtomicUsize>> {
    let number = Arc::new(AtomicUsize::new(0));
    for signal in heeded() {
        signal_hook::flag::register_usize(signal, Arc::clone(&number), usize::try_from(signal)?)?;
    }
    Ok(number)
}

/// A file that grows past the limit of the user (`ulimit -f`) is an error like others and does not
/// kill us. A handler, so that commands which are run have the default action.
pub(crate) fn survive_file_limit() -> std::io::Result<()> {
    if !is_ignored(SIGXFSZ) {
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(())
}

/// What was ignored when Fathom began stays so (`nohup`), for Fathom and for the
/// commands it runs: a handler would be the default action after their exec.
fn heeded() -> impl Iterator<Item = i32> {
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal))
}
