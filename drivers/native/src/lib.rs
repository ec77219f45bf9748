//! The native driver: what Rust's std, the C library and raw system calls cost.
//!
//! It owns the entry and the exit codes. The protocol's words are in
//! `arguments`, `session` and `describe`; the clock's region is in `batch`;
//! each operation has a file of its own. No module names the crate, only
//! `super`, because the program includes this file as a module.

mod arguments;
mod batch;
mod buffer;
mod clock;
mod crc32;
mod describe;
mod errno;
mod failure;
mod ffi;
mod methods;
mod null;
mod offsets;
mod open_close;
mod open_read_close;
mod posix;
mod read_block;
mod read_whole;
mod session;
mod sink;
mod stdio;
mod support;

use arguments::{Command, parse_command};
use failure::Refusal;
use std::ffi::OsString;
use std::io::{self, Write};

/// Runs the driver with the arguments that follow the program's name, on the
/// process's standard input, output and error. The result is the exit code:
/// 0 done, 2 wrong arguments or a broken pipe, 77 not supported here.
pub fn main_with(arguments: impl Iterator<Item = OsString>) -> u8 {
    let Err(refusal) = obey(arguments) else { return 0 };
    let (code, message) = match refusal {
        Refusal::Usage(message) => (2, message),
        Refusal::Unsupported(reason) => (77, reason),
    };
    // Nobody is left to hear of a standard error that cannot be written.
    let _ = writeln!(io::stderr(), "native driver: {message}");
    code
}

fn obey(arguments: impl Iterator<Item = OsString>) -> Result<(), Refusal> {
    let talk = match parse_command(arguments)? {
        Command::Describe => describe::write_description(&mut io::stdout().lock()),
        Command::Run(plan) => {
            let mut seats = methods::seat_methods(&plan)?;
            session::converse(&plan, &mut seats, io::stdin().lock(), io::stdout().lock())
        }
    };
    talk.map_err(|error| Refusal::Usage(format!("failed to talk over standard input and output: {error}")))
}
