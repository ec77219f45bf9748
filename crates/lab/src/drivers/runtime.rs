//! What the method has to know of a driver's runtime: whether it compiles as it
//! goes, and how long its warm-up may take (METHOD.md, steps 2 and 7).

use std::time::Duration;

/// The warm-up and batches that a runtime needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Runtime {
    /// Compiles as it goes: batches have more operations.
    pub(crate) jit: bool,
    /// Time allowed for the warm-up of two arms.
    pub(crate) warm_up_cap: Duration,
}

/// The runtime of a driver, by its name without a toolchain (`java@25` is `java`), or by the ending
/// of the file whose functions it performs.
pub(crate) fn of(driver: &str) -> Runtime {
    let of_file = crate::drivers::own_functions::language_of(driver)
        .map(crate::drivers::own_functions::Language::driver);
    match of_file.or(driver.split('@').next()) {
        Some("java") => Runtime { jit: true, warm_up_cap: Duration::from_secs(3) },
        Some("node") => Runtime { jit: true, warm_up_cap: Duration::from_secs(1) },
        Some("python") => Runtime { jit: false, warm_up_cap: Duration::from_millis(200) },
        _ => Runtime { jit: false, warm_up_cap: Duration::from_millis(50) },
    }
}
