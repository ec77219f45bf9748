//! The system calls of Go's `os.Open`, as sample counts and recipe.

use crate::parts::{call, failed_call, step};
use fathom_model::{CallCount, RecipeStep};

/// The seven calls of one `os.Open` and its `Close`.
pub(crate) fn os_open_calls() -> Vec<CallCount> {
    vec![call("fcntl", 4), call("openat", 1), failed_call("epoll_ctl", "EPERM", 1), call("close", 1)]
}

/// The same in order.
pub(crate) fn os_open_recipe() -> Vec<RecipeStep> {
    vec![
        step("openat", "AT_FDCWD, FILE, O_RDONLY|O_CLOEXEC", "7"),
        step("fcntl", "7, F_GETFL", "0x8000"),
        step("fcntl", "7, F_SETFL, O_RDONLY|O_NONBLOCK|O_LARGEFILE", "0"),
        step("epoll_ctl", "4, EPOLL_CTL_ADD, 7", "EPERM"),
        step("fcntl", "7, F_GETFL", "0x8800"),
        step("fcntl", "7, F_SETFL, O_RDONLY|O_LARGEFILE", "0"),
        step("close", "7", "0"),
    ]
}

/// What the Go runtime does beside: a number that varies.
pub(crate) fn go_background() -> Vec<CallCount> {
    vec![CallCount { differences: vec![3, 1, 4], ..call("nanosleep", 0) }]
}
