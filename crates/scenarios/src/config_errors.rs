//! Configuration files with something wrong, loaded in three ways: which layer
//! names the error (open, map, read, decode, parse), or that none does.

pub(super) mod layers;
mod loaders;

use super::Interrupted;
use super::ground::{Ground, make_directory, set_mode, write};
use super::lines::{Failure, say};
use super::performer::{Account, Trouble};
use super::rows::{Found, Rows};
use layers::{Format, Loaded, Way};
use std::fs::OpenOptions;
use std::path::Path;

/// How often each is tried.
const TRIES: u64 = 3;
/// The configuration's name.
const NAME: &str = "config";
/// Entries of the file that shrinks: more than a buffer of a stream holds.
const ENTRIES: u32 = 2000;

/// What is wrong with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Missing,
    Unreadable,
    Directory,
    Shrinks,
    InvalidUtf8,
    Syntax,
    /// Right but for the three bytes EF BB BF before it.
    ByteOrderMark,
    /// Cut at the end of a line.
    Cut,
}

/// Tries every fault, format and way in one place.
pub(super) fn run(ground: &Ground<'_>, rows: &mut Rows<'_>) -> Result<(), Interrupted> {
    // What the file holds does not matter where it is not read.
    let cases = [
        (Fault::Missing, Format::Json, "missing"),
        (Fault::Unreadable, Format::Json, "unreadable"),
        (Fault::Directory, Format::Json, "a directory"),
        (Fault::Shrinks, Format::Json, "shrinks while it is read, JSON"),
        (Fault::Shrinks, Format::Toml, "shrinks to whole lines while it is read, TOML"),
        (Fault::InvalidUtf8, Format::Json, "not UTF-8, JSON"),
        (Fault::InvalidUtf8, Format::Toml, "not UTF-8, TOML"),
        (Fault::Syntax, Format::Json, "a syntax error, JSON"),
        (Fault::Syntax, Format::Toml, "a syntax error, TOML"),
        (Fault::ByteOrderMark, Format::Json, "a byte order mark first, JSON"),
        (Fault::ByteOrderMark, Format::Toml, "a byte order mark first, TOML"),
    ];
    for (fault, format, case) in cases {
        for way in Way::ALL {
            rows.attempt(case, way.word(), || load_often(ground, fault, format, way))?;
        }
        loaders::try_case(ground, (fault, format), case, rows)?;
    }
    // No parser of YAML is built into Fathom.
    let yaml = [
        (Fault::InvalidUtf8, Format::Yaml, "not UTF-8, YAML"),
        (Fault::Syntax, Format::Yaml, "a syntax error, YAML"),
        (Fault::ByteOrderMark, Format::Yaml, "a byte order mark first, YAML"),
        (Fault::Cut, Format::Yaml, "cut at the end of a line, YAML"),
    ];
    yaml.into_iter()
        .try_for_each(|(fault, format, case)| loaders::try_case(ground, (fault, format), case, rows))
}

fn load_often(ground: &Ground<'_>, fault: Fault, format: Format, way: Way) -> Result<Found, Trouble> {
    let mut all = Vec::new();
    for _ in 0..TRIES {
        let directory = ground.fresh()?;
        let size = make_file(&directory, fault, format)?;
        all.push(load(ground, &directory, (fault, format, way), size)?);
    }
    let first = &all[0];
    let alike = all.iter().filter(|loaded| loaded.layer == first.layer).count() as u64;
    let mut found = Found::meaning(told(first, size_of(fault, format))).count("tries", TRIES);
    found = found.count(format!("named by: {}", first.layer), alike);
    if alike < TRIES {
        found = found.count("named otherwise", TRIES - alike);
    }
    Ok(found)
}

/// One load by a process of its own.
fn load(
    ground: &Ground<'_>,
    directory: &Path,
    (fault, format, way): (Fault, Format, Way),
    size: u64,
) -> Result<Loaded, Trouble> {
    // Root may read everything, so another user has to try.
    let account = if fault == Fault::Unreadable { Account::nobody() } else { None };
    let pause = if fault == Fault::Shrinks { "pause" } else { "no-pause" };
    let mut loader = ground.start_as(account, &["load", way.word(), format.word(), pause], directory)?;
    if fault == Fault::Shrinks {
        loader.expect("opened")?;
        let to = half(format, size);
        ground.start(&["shrink", &to.to_string()], directory)?.expect("shrunk")?;
        loader.tell("go on")?;
    }
    match loader.answer() {
        Err(Trouble::Killed(signal)) => Ok(Loaded::killed(signal)),
        other => other,
    }
}

fn told(loaded: &Loaded, size: Option<u64>) -> String {
    let short = match (size, loaded.bytes) {
        (Some(size), Some(bytes)) if bytes < size => {
            format!(" The read itself was short ({bytes} of {size} bytes) and no error.")
        }
        _ => String::new(),
    };
    match loaded.layer.as_str() {
        layers::NOBODY => format!("No layer names it: {} entries are taken for all.{short}", loaded.entries),
        layers::SIGNAL => format!("No layer can name it: {}.", loaded.text),
        layer => format!("{layer} says \"{}\".{short}", loaded.text),
    }
}

/// The size that the loader was told, where the file does not keep it.
fn size_of(fault: Fault, format: Format) -> Option<u64> {
    (fault == Fault::Shrinks).then(|| format.text(ENTRIES).len() as u64)
}

/// Half of it; of TOML whole lines, so that what is left can be parsed.
fn half(format: Format, size: u64) -> u64 {
    let text = format.text(ENTRIES);
    let middle = usize::try_from(size / 2).unwrap_or(text.len() / 2);
    match format {
        Format::Json => size / 2,
        Format::Toml | Format::Yaml => text[..middle].rfind('\n').map_or(0, |end| end as u64 + 1),
    }
}

/// Makes the file with its fault; its size.
fn make_file(directory: &Path, fault: Fault, format: Format) -> Result<u64, Trouble> {
    let path = directory.join(NAME);
    let bytes = match fault {
        Fault::Missing => return Ok(0),
        Fault::Directory => return make_directory(&path).map(|()| 0),
        Fault::Unreadable => format.text(4).into_bytes(),
        Fault::Shrinks => format.text(ENTRIES).into_bytes(),
        Fault::InvalidUtf8 => format.invalid_utf8(),
        Fault::Syntax => format.syntax_error().into_bytes(),
        Fault::ByteOrderMark => [b"\xEF\xBB\xBF", format.text(4).as_bytes()].concat(),
        Fault::Cut => {
            let text = format.text(ENTRIES).into_bytes();
            let end = half(format, text.len() as u64);
            text[..usize::try_from(end).unwrap_or(text.len())].to_vec()
        }
    };
    write(&path, &bytes)?;
    if fault == Fault::Unreadable {
        // Ours to read when another user tries, and not even ours otherwise.
        set_mode(&path, if Account::nobody().is_some() { 0o600 } else { 0 })?;
    }
    Ok(bytes.len() as u64)
}

/// Plays whoever cuts the file short: `SIZE`.
pub(super) fn shrink(words: &[&str]) -> Result<(), Failure> {
    let [size] = words else { return Err("to what size?".into()) };
    OpenOptions::new().write(true).open(NAME)?.set_len(size.parse()?)?;
    say("shrunk")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_toml_ends_with_a_line_and_half_of_json_does_not_parse() {
        let toml_text = Format::Toml.text(ENTRIES);
        let end = usize::try_from(half(Format::Toml, toml_text.len() as u64)).unwrap();
        assert!(toml_text[..end].ends_with('\n') && end > 8192 && end < toml_text.len());
        assert!(toml_text[..end].parse::<toml::Table>().is_ok());
        let json = Format::Json.text(ENTRIES);
        let end = usize::try_from(half(Format::Json, json.len() as u64)).unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(&json[..end]).is_err());
    }

    #[test]
    fn an_error_that_nobody_names_is_told_so() {
        let loaded =
            Loaded { layer: layers::NOBODY.to_owned(), text: String::new(), bytes: Some(5), entries: 2 };
        let text = told(&loaded, Some(9));
        assert!(text.starts_with("No layer names it: 2 entries") && text.contains("5 of 9 bytes"), "{text}");
    }
}
