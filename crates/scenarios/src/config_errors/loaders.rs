//! The loaders of other languages, on files that do not change meanwhile.

use super::layers::{Format, Loaded};
use super::{Fault, make_file, told};
use crate::Interrupted;
use crate::go_program::{self, toolchain_of};
use crate::ground::Ground;
use crate::performer::Trouble;
use crate::rows::{Found, Rows};
use fathom_lab::{BuildSystem, find_toolchain};
use std::ffi::OsString;

/// Who loads, the language, and what its program is told.
const LOADERS: [(&str, &str, &str, Format); 8] = [
    ("Go: os.ReadFile, json.Unmarshal", "go", "unmarshal", Format::Json),
    ("Go: json.Decoder on the file", "go", "decoder", Format::Json),
    ("Node: readFileSync as utf8, JSON.parse", "node", "whole", Format::Json),
    ("Node: createReadStream as utf8, JSON.parse", "node", "pieces", Format::Json),
    ("Python: json.load of a text file", "python", "text", Format::Json),
    ("Python: json.loads of bytes", "python", "bytes", Format::Json),
    ("Python: tomllib.load", "python", "bytes", Format::Toml),
    ("Python: yaml.safe_load", "python", "bytes", Format::Yaml),
];

const PYTHON: &str = include_str!("programs/load.py");
const NODE: &str = include_str!("programs/load.mjs");

/// Tries every loader of a format on a fault.
pub(super) fn try_case(
    ground: &Ground<'_>,
    (fault, format): (Fault, Format),
    case: &str,
    rows: &mut Rows<'_>,
) -> Result<(), Interrupted> {
    for (setting, language, way, of) in LOADERS {
        if of == format && !matches!(fault, Fault::Shrinks | Fault::Unreadable) {
            rows.attempt(case, setting, || load(ground, (fault, format), language, way))?;
        }
    }
    Ok(())
}

fn load(
    ground: &Ground<'_>,
    (fault, format): (Fault, Format),
    language: &str,
    way: &str,
) -> Result<Found, Trouble> {
    let directory = ground.fresh()?;
    make_file(&directory, fault, format)?;
    let loaded: Loaded = match language {
        "go" => go_program::start(ground, &["load", way], &directory)?.answer()?,
        "node" => {
            let words = ["--input-type=module", "-e", NODE, "--", way];
            ground.start_program(&interpreter(language, &words)?, &directory)?.answer()?
        }
        _ => {
            let words = ["-I", "-c", PYTHON, format.word(), way];
            ground.start_program(&interpreter(language, &words)?, &directory)?.answer()?
        }
    };
    let mut meaning = told(&loaded, None);
    if loaded.layer == super::layers::NOBODY {
        meaning = format!("No layer names it; loaded: {}.", loaded.text);
    }
    Ok(Found::meaning(meaning).count("tries", 1).count(format!("named by: {}", loaded.layer), 1))
}

fn interpreter(language: &str, words: &[&str]) -> Result<Vec<OsString>, Trouble> {
    let toolchain = toolchain_of(language)?;
    // What finds an interpreter is the same for all that are not compiled.
    let found = find_toolchain(BuildSystem::Cpp, &toolchain, None).ok_or_else(|| {
        Trouble::Failed(format!("no `{}` found (set {} to name one)", toolchain.program, toolchain.variable))
    })?;
    Ok(found.words.into_iter().chain(words.iter().map(OsString::from)).collect())
}
