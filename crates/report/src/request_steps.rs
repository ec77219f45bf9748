//! Which of the block layer's events say no more than others do, and are left out of
//! a text that is not to show everything.

/// Steps on a request's way that say no more than its beginning, and what happens in an
/// interrupt, whosever turn it is.
const STEPS: [&str; 8] = [
    "block_bio_complete",
    "block_getrq",
    "block_io_done",
    "block_io_start",
    "block_plug",
    "block_rq_complete",
    "block_rq_insert",
    "block_unplug",
];

/// True of the name of such an event's counter.
pub(crate) fn is_request_step(name: &str) -> bool {
    STEPS.contains(&name)
}
