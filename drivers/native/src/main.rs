//! The native driver as a program. Everything is in lib.rs, which is included
//! here as a module: `rustc src/main.rs` builds it with nothing beside it.

#[path = "lib.rs"]
pub mod driver;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(driver::main_with(std::env::args_os().skip(1)))
}
