//! The wheel: made by maturin from pyproject.toml, around the program that the other forms have too.

use super::{sh, share, stage::Tree, stage::top};
use crate::static_build::find_program;
use anyhow::Context;
use std::path::{Path, PathBuf};

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
maturin build --quiet --locked --profile dist --features parquet --target "$2" --compatibility manylinux2014 musllinux_1_1 \
    --out "$3" >&2
"#;

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
    share::add(&file, &tree.path().join("share"), &whole)?;
    Ok(whole)
}
