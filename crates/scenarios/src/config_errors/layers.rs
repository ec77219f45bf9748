//! The part that loads a configuration layer by layer, and says which of them
//! named the error, in its own words.

use super::NAME;
use crate::errno_name::error_name;
use crate::lines::{Failure, say, say_all, wait_for_word};
use fathom_sys::region::Region;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// Said of a load that succeeds.
pub(super) const NOBODY: &str = "nobody";
/// Said of a load whose process died.
pub(super) const SIGNAL: &str = "nobody, a signal";

/// How a file is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Read to its end, then decoded, then parsed.
    Whole,
    /// Read through a buffer; JSON is parsed as it comes, TOML has no such parser.
    Stream,
    /// Mapped, then decoded, then parsed.
    Mapped,
}

/// What the file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Toml,
    Yaml,
}

/// What came of a load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Loaded {
    /// The layer that named the error.
    pub(super) layer: String,
    /// In its words.
    pub(super) text: String,
    /// Bytes that were read, where reading was a step of its own.
    pub(super) bytes: Option<u64>,
    /// Entries that the parser delivered.
    pub(super) entries: u64,
}

impl Way {
    pub(super) const ALL: [Self; 3] = [Self::Whole, Self::Stream, Self::Mapped];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Whole => "read whole",
            Self::Stream => "read as a stream",
            Self::Mapped => "mapped",
        }
    }
}

impl Format {
    const ALL: [Self; 2] = [Self::Json, Self::Toml];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
        }
    }

    /// A right configuration of so many entries.
    pub(super) fn text(self, entries: u32) -> String {
        let mut text = String::new();
        for number in 0..entries {
            let written = match self {
                Self::Json => {
                    let comma = if number + 1 < entries { "," } else { "" };
                    writeln!(text, "  \"key{number:05}\": {{\"value\": {number}}}{comma}")
                }
                Self::Toml => writeln!(text, "key{number:05} = {{ value = {number} }}"),
                Self::Yaml => writeln!(text, "key{number:05}: {{value: {number}}}"),
            };
            written.expect("a string takes everything");
        }
        match self {
            Self::Json => format!("{{\n{text}}}\n"),
            Self::Toml | Self::Yaml => text,
        }
    }

    /// One with a byte in a string that is no UTF-8.
    pub(super) fn invalid_utf8(self) -> Vec<u8> {
        match self {
            Self::Json => b"{\n  \"name\": \"caf\xE9\"\n}\n".to_vec(),
            Self::Toml => b"name = \"caf\xE9\"\n".to_vec(),
            Self::Yaml => b"name: caf\xE9\n".to_vec(),
        }
    }

    /// One with a mistake of the kind that people make.
    pub(super) fn syntax_error(self) -> String {
        match self {
            Self::Json => "{\n  \"threads\": 4,\n}\n".to_owned(),
            Self::Toml => "threads = 4\nname = unquoted\n".to_owned(),
            Self::Yaml => "threads: 4\n\tname: indented by a tab\n".to_owned(),
        }
    }

    fn parse(self, text: &str) -> Result<u64, String> {
        let entries = match self {
            Self::Json => serde_json::from_str(text).map(|map| entries_of(&map)).map_err(|e| e.to_string()),
            Self::Toml => {
                text.parse::<toml::Table>().map(|map| map.len()).map_err(|e| e.message().to_owned())
            }
            Self::Yaml => Err("there is no parser of YAML here".to_owned()),
        };
        entries.map(|count| count as u64)
    }
}

impl Loaded {
    /// The process died of a signal.
    pub(super) fn killed(signal: i32) -> Self {
        let name = if signal == libc_sigbus() { "SIGBUS" } else { "a signal" };
        let text = format!("the process is killed by {name} ({signal}) when it touches what is gone");
        Self { layer: SIGNAL.to_owned(), text, bytes: None, entries: 0 }
    }

    fn by(layer: &str, text: impl Into<String>) -> Self {
        Self { layer: layer.to_owned(), text: text.into(), bytes: None, entries: 0 }
    }

    fn by_kernel(layer: &str, error: &io::Error) -> Self {
        Self::by(layer, format!("{}: {error}", error_name(error)))
    }

    fn all_right(entries: u64) -> Self {
        Self { entries, ..Self::by(NOBODY, "") }
    }
}

fn libc_sigbus() -> i32 {
    rustix::process::Signal::BUS.as_raw()
}

/// Plays it: `WAY FORMAT pause|no-pause`. With a pause, the lab has the file
/// changed after it was opened and its size asked for.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [way, format, pause] = words else { return Err("load how, what?".into()) };
    let way = Way::ALL.into_iter().find(|known| known.word() == *way).ok_or("no such way")?;
    let format = Format::ALL.into_iter().find(|known| known.word() == *format).ok_or("no such format")?;
    let pause = || if *pause == "pause" { say("opened").and_then(|()| wait_for_word()) } else { Ok(()) };
    let loaded = match way {
        Way::Whole => load_whole(format, pause)?,
        Way::Stream => load_stream(format, pause)?,
        Way::Mapped => load_mapped(format, pause)?,
    };
    say_all(&loaded)
}

/// As `std::fs::read` does: open, fstat for the size, read until the end.
fn load_whole(format: Format, pause: impl Fn() -> Result<(), Failure>) -> Result<Loaded, Failure> {
    let mut file = match File::open(NAME) {
        Ok(file) => file,
        Err(error) => return Ok(Loaded::by_kernel("open", &error)),
    };
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata()?.len())?);
    pause()?;
    if let Err(error) = file.read_to_end(&mut bytes) {
        return Ok(Loaded::by_kernel("read", &error));
    }
    Ok(Loaded { bytes: Some(bytes.len() as u64), ..decode_and_parse(format, bytes) })
}

/// The file changes when the first buffer is full.
fn load_stream(format: Format, pause: impl Fn() -> Result<(), Failure>) -> Result<Loaded, Failure> {
    let file = match File::open(NAME) {
        Ok(file) => file,
        Err(error) => return Ok(Loaded::by_kernel("open", &error)),
    };
    let mut stream = BufReader::new(file);
    if let Err(error) = stream.fill_buf() {
        return Ok(Loaded::by_kernel("read", &error));
    }
    pause()?;
    if format == Format::Json {
        return Ok(match serde_json::from_reader(stream) {
            Ok(map) => Loaded::all_right(entries_of(&map) as u64),
            Err(error) if error.is_io() => Loaded::by("read", error.to_string()),
            Err(error) => Loaded::by("parse", error.to_string()),
        });
    }
    let mut text = String::new();
    Ok(match stream.read_to_string(&mut text) {
        Ok(length) => {
            let parsed =
                format.parse(&text).map_or_else(|words| Loaded::by("parse", words), Loaded::all_right);
            Loaded { bytes: Some(length as u64), ..parsed }
        }
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Loaded::by("decode", error.to_string()),
        Err(error) => Loaded::by_kernel("read", &error),
    })
}

/// The file changes after it was mapped.
fn load_mapped(format: Format, pause: impl Fn() -> Result<(), Failure>) -> Result<Loaded, Failure> {
    let file = match File::open(NAME) {
        Ok(file) => file,
        Err(error) => return Ok(Loaded::by_kernel("open", &error)),
    };
    let mapping = match Region::of_file(&file, usize::try_from(file.metadata()?.len())?) {
        Ok(mapping) => mapping,
        Err(error) => {
            let errno = error.errno().map(io::Error::from);
            return Ok(
                errno.map_or_else(|| Loaded::by("map", error.to_string()), |e| Loaded::by_kernel("map", &e))
            );
        }
    };
    pause()?;
    Ok(decode_and_parse(format, mapping.copy()))
}

fn decode_and_parse(format: Format, bytes: Vec<u8>) -> Loaded {
    match String::from_utf8(bytes) {
        Ok(text) => format.parse(&text).map_or_else(|words| Loaded::by("parse", words), Loaded::all_right),
        Err(error) => Loaded::by("decode", error.utf8_error().to_string()),
    }
}

fn entries_of(map: &serde_json::Map<String, serde_json::Value>) -> usize {
    map.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_right_parses_and_what_is_wrong_is_named() {
        for format in Format::ALL {
            assert_eq!(format.parse(&format.text(7)), Ok(7), "{format:?}");
            assert!(format.parse(&format.syntax_error()).is_err(), "{format:?}");
            let loaded = decode_and_parse(format, format.invalid_utf8());
            assert_eq!(loaded.layer, "decode", "{format:?}");
        }
    }

    #[test]
    fn a_death_is_named_by_its_signal() {
        assert!(Loaded::killed(7).text.contains("SIGBUS (7)"));
        assert!(Loaded::killed(9).text.contains("a signal (9)"));
    }
}
