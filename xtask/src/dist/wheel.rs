//! The wheel: made by maturin from pyproject.toml, around the program that the other forms have too.

use super::{sh, stage::Tree, stage::top};
use crate::static_build::find_program;
use anyhow::Context;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

/// More take longer and save a thousandth; a program of 23 MB takes a minute or two.
const ITERATIONS: NonZeroU64 = NonZeroU64::new(5).expect("not 0");

/// Why no wheel can be made here.
pub(super) fn missing() -> Option<String> {
    find_program("maturin").is_none().then(|| "maturin is missing: `pip install maturin`".to_owned())
}

/// maturin has cargo build what it packs. This stands in for cargo there and answers with the program
/// that is already built, so that every form has the same one and none is built a second time.
/// `$FATHOM_PROGRAM` is the program, `$FATHOM_CARGO` the real cargo, which still describes the package.
const CARGO: &str = r#"#!/bin/sh
[ "$1" = rustc ] || exec "$FATHOM_CARGO" "$@"
id=$("$FATHOM_CARGO" pkgid --quiet --package fathom-io)
printf '{"reason":"compiler-artifact","package_id":"%s","manifest_path":"%s/crates/fathom/Cargo.toml",' "$id" "$PWD"
printf '"target":{"kind":["bin"],"crate_types":["bin"],"name":"fathom","src_path":"%s/crates/fathom/src/main.rs",' "$PWD"
printf '"edition":"2024","doc":true,"doctest":false,"test":true},'
printf '"profile":{"opt_level":"s","debuginfo":0,"debug_assertions":false,"overflow_checks":false,"test":false},'
printf '"features":[],"filenames":["%s"],"executable":"%s","fresh":true}\n' "$FATHOM_PROGRAM" "$FATHOM_PROGRAM"
printf '{"reason":"build-finished","success":true}\n'
"#;

/// `$1` the top, `$2` the target, `$3` where the wheel goes, `$4` the stand-in, `$5` the program.
/// A static program runs beside any C library, so that one wheel is for glibc and for musl.
const MAKE: &str = r#"
cd "$1"
chmod +x "$4"
FATHOM_CARGO=$(command -v "${CARGO:-cargo}") FATHOM_PROGRAM=$5 CARGO=$4 \
maturin build --quiet --locked --profile dist --target "$2" --compatibility manylinux2014 musllinux_1_1 \
    --out "$3" >&2
"#;

/// maturin adds what lies in the source tree; manual pages and notices are made by the program.
const ADD_SHARE: &str = include_str!("add_share.py");

/// A wheel has no better compression than DEFLATE, and zlib's is 4 % larger than it has to be.
fn deflated(program: &Path) -> anyhow::Result<Vec<u8>> {
    let options = zopfli::Options { iteration_count: ITERATIONS, ..Default::default() };
    let content = std::fs::read(program).with_context(|| format!("failed to read {}", program.display()))?;
    let mut packed = Vec::new();
    zopfli::compress(options, zopfli::Format::Deflate, &*content, &mut packed)?;
    Ok(packed)
}

/// The wheel of a tree's program.
pub(super) fn make(tree: &Tree, out: &Path) -> anyhow::Result<PathBuf> {
    let work = tempfile::tempdir()?;
    let cargo = work.path().join("cargo");
    std::fs::write(&cargo, CARGO)?;
    let wheels = out.join("wheel");
    let target = tree.architecture.triple();
    sh(MAKE, &[top(), Path::new(&target), &wheels, &cargo, &tree.program()])?;
    let file = std::fs::read_dir(&wheels)?.flatten().map(|entry| entry.path()).next();
    let file = file.context("maturin left no wheel")?;
    let whole = out.join(file.file_name().context("a wheel has a name")?);
    let (script, packed) = (work.path().join("add_share.py"), work.path().join("packed"));
    std::fs::write(&script, ADD_SHARE)?;
    std::fs::write(&packed, deflated(&tree.program())?)?;
    sh("python3 \"$@\"", &[&script, &file, &whole, &tree.path().join("share"), &packed])?;
    Ok(whole)
}
