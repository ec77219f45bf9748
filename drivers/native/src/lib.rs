//! The native driver: what Rust's std, the C library and raw system calls cost.
//!
//! It owns the entry and the exit codes. The protocol's words are in
//! `arguments`, `session` and `describe`; the clock's region is in `batch`;
//! each operation has a file of its own. No module names the crate, only
//! `super`, because the program includes this file as a module.

mod arguments;
mod batch;
mod beside_directory;
mod buffer;
mod clock;
mod copy;
mod crc32;
mod create;
mod crew;
mod describe;
mod elision;
mod facts;
mod failure;
mod ffi;
mod ffi_ring;
mod ffi_write;
mod find;
mod hash;
mod known;
mod lines;
mod makers;
mod md5;
mod methods;
mod null;
mod null_crew;
mod offsets;
mod open_close;
mod open_missing;
mod open_read_close;
mod open_write_close;
mod parts;
mod pool;
mod posix;
mod posix_write;
mod read_block;
mod read_parts;
mod read_whole;
mod reload;
mod ring;
mod ring_readers;
mod ring_reads;
mod search;
mod session;
mod sink;
mod spread;
mod stage;
mod stdio;
mod support;
mod table;
mod template;
mod watch;
mod write_block;
mod writers;
mod writing;
mod xxh64;

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
        Command::Describe => describe::write_description(&mut io::stdout().lock()).map(|()| None),
        Command::Run(plan) => {
            let mut seats = methods::seat_methods(&plan)?;
            session::converse(&plan, &mut seats, io::stdin().lock(), io::stdout().lock())
        }
    };
    match talk {
        Ok(None) => Ok(()),
        Ok(Some(reason)) => Err(Refusal::Unsupported(reason)),
        Err(error) => Err(Refusal::Usage(format!("failed to talk over standard input and output: {error}"))),
    }
}
