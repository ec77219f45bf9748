//! The answer of `describe`. Names and phrases are plain ASCII without quotes
//! or backslashes, so the JSON needs no escapes; a test holds them to it.

use super::methods;
use super::table::{Described, METHODS};
use std::io::{self, Write};

/// Writes the JSON object, one method a line.
pub(crate) fn write_description(output: &mut impl Write) -> io::Result<()> {
    writeln!(output, r#"{{"protocol": 1, "driver": "native", "language": "Rust and C library","#)?;
    // With them std makes calls of its own: such a build is no measure of std.
    let build = if cfg!(debug_assertions) { ", debug assertions on" } else { "" };
    writeln!(output, r#" "runtime": "{}, {}{build}","#, compiler(), c_library())?;
    writeln!(output, r#" "methods": ["#)?;
    for (index, method) in METHODS.iter().enumerate() {
        write_method(output, method)?;
        writeln!(output, "{}", if index + 1 < METHODS.len() { "," } else { "" })?;
    }
    writeln!(output, "]}}")?;
    output.flush()
}

fn write_method(output: &mut impl Write, method: &Described) -> io::Result<()> {
    let Described { name, operations, does, takes } = method;
    let operations: Vec<String> = operations.iter().map(|o| format!(r#""{}""#, o.word())).collect();
    let operations = operations.join(", ");
    write!(output, r#"  {{"name": "{name}", "operations": [{operations}], "does": "{does}""#)?;
    if !takes.is_empty() {
        let takes: Vec<String> = takes.iter().map(|setting| format!(r#""{setting}""#)).collect();
        write!(output, r#", "takes": [{}]"#, takes.join(", "))?;
    }
    if let Some(reason) = methods::unavailable(name) {
        write!(output, r#", "unavailable": "{reason}""#)?;
    }
    write!(output, "}}")
}

/// The compiler, from what its builder says: `rustc 1.95.0 (…)` or `1.95.0`.
fn compiler() -> String {
    let said = option_env!("FATHOM_RUSTC_VERSION").unwrap_or_default();
    let version = said.trim_start_matches("rustc ").split(' ').next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if version.is_empty() || !version.chars().all(plain) {
        return "rustc (version unknown)".to_owned();
    }
    format!("rustc {version}")
}

#[cfg(target_env = "gnu")]
fn c_library() -> String {
    // SAFETY: the C library answers a constant string.
    let version = unsafe { std::ffi::CStr::from_ptr(super::ffi::gnu_get_libc_version()) };
    format!("glibc {}", version.to_string_lossy())
}

#[cfg(not(target_env = "gnu"))]
fn c_library() -> String {
    if cfg!(target_env = "musl") { "musl" } else { "C library (unknown)" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_stands_in_json_as_it_is() {
        let plain = |text: &str| text.chars().all(|c| (' '..='~').contains(&c) && c != '"' && c != '\\');
        for method in METHODS {
            assert!(
                plain(method.name) && plain(method.does) && method.takes.iter().all(|takes| plain(takes)),
                "{}",
                method.name
            );
        }
    }
}
