//! A library that stands between a driver and the C library, as `LD_PRELOAD`
//! tools do: compiled on first use, kept in the user's cache.

use crate::drivers::driver_build::{BuildWatch, build, cache_directory};
use crate::drivers::driver_source::{BuildSystem, DriverSource};
use fathom_catalog::Toolchain;
use std::path::PathBuf;

const fn library_source(name: &'static str, files: &'static [(&'static str, &'static str)]) -> DriverSource {
    DriverSource { name, manifest_path: "", manifest: "", files, build_system: BuildSystem::SharedLibrary }
}

/// The sources, by kind: every call is passed on unchanged; the same, but that
/// the fstat behind an open for writing is answered without a system call.
const SOURCES: [(&str, DriverSource); 2] = [
    (
        "pass-on",
        library_source(
            "interposer-pass-on",
            &[("pass_on.c", include_str!("../../../../drivers/interposer/pass_on.c"))],
        ),
    ),
    (
        "elide-fstat",
        library_source(
            "interposer-elide-fstat",
            &[("elide_fstat.c", include_str!("../../../../drivers/interposer/elide_fstat.c"))],
        ),
    ),
];

/// The path of the library of this kind; the error is a reason why there is none.
pub(crate) fn library(kind: &str) -> Result<PathBuf, String> {
    let known = SOURCES.iter().find(|(word, _)| *word == kind);
    let Some((_, source)) = known else { return Err(format!("there is no library `{kind}`")) };
    let compiler =
        Toolchain { program: "cc".into(), variable: "CC".into(), version: vec!["--version".into()] };
    let built = cache_directory().and_then(|cache| {
        build(source, &compiler, &cache, &mut BuildWatch { tell: &mut |_| {}, stop: None })
    });
    built.map(|built| built.seal.product().to_owned()).map_err(|error| error.to_string())
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
