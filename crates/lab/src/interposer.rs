//! A library that stands between a driver and the C library, as `LD_PRELOAD`
//! tools do: compiled on first use, kept in the user's cache.

use crate::driver_build::cache_directory;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The sources, by kind: every call is passed on unchanged; the same, but that
/// the fstat behind an open for writing is answered without a system call.
const SOURCES: [(&str, &str); 2] = [
    ("pass-on", include_str!("../../../drivers/interposer/pass_on.c")),
    ("elide-fstat", include_str!("../../../drivers/interposer/elide_fstat.c")),
];

/// The path of the library of this kind; the error is a reason why there is none.
pub(crate) fn library(kind: &str) -> Result<PathBuf, String> {
    let known = SOURCES.iter().find(|(word, _)| *word == kind);
    let Some((_, source)) = known else { return Err(format!("there is no library `{kind}`")) };
    let cache = cache_directory().map_err(|error| error.to_string())?;
    let hash = Sha256::digest(source.as_bytes());
    let version = hash.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
    let directory = cache.join(format!("interposer-{kind}-{version:016x}"));
    let library = directory.join("library.so");
    if library.exists() {
        return Ok(library);
    }
    let failed = |what: &str, error: std::io::Error| format!("{what} {}: {error}", directory.display());
    fs::create_dir_all(&directory).map_err(|error| failed("mkdir", error))?;
    let work = tempfile::tempdir_in(&directory).map_err(|error| failed("mkdir in", error))?;
    let (from, to) = (work.path().join("source.c"), work.path().join("library.so"));
    fs::write(&from, source).map_err(|error| failed("write in", error))?;
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let output = Command::new(&compiler)
        .args(["-shared", "-fPIC", "-O2", "-o"])
        .args([&to, &from])
        .arg("-ldl")
        .output()
        .map_err(|error| format!("no C compiler `{}`: {error}", compiler.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the C compiler refused it: {}", said.lines().next().unwrap_or_default()));
    }
    // Whoever else built it meanwhile built the same.
    fs::rename(&to, &library).map_err(|error| failed("rename in", error))?;
    Ok(library)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_model::{Setting, SettingKind};

    #[test]
    fn every_word_of_the_setting_but_none_has_a_source() {
        let SettingKind::Words(words) = Setting::Preload.kind() else { panic!("words") };
        let kinds: Vec<&str> = SOURCES.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(words[0], "none");
        assert_eq!(words[1..], kinds);
        assert_eq!(library("other"), Err("there is no library `other`".to_owned()));
    }
}
