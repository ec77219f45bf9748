//! The wheel: made by maturin from pyproject.toml, which finds what cargo has already built.

use super::{sh, stage::Tree, stage::top};
use crate::static_build::find_program;
use anyhow::Context;
use std::path::{Path, PathBuf};

/// Why no wheel can be made here.
pub(super) fn missing() -> Option<String> {
    find_program("maturin").is_none().then(|| "maturin is missing: `pip install maturin`".to_owned())
}

/// A static program runs beside any C library, so that one wheel is for glibc and for musl.
const MAKE: &str = r#"
cd "$1"
maturin build --quiet --locked --profile dist --target "$2" --compatibility manylinux2014 musllinux_1_1 \
    --out "$3" >&2
"#;

/// The wheel of a tree's program.
pub(super) fn make(tree: &Tree, out: &Path) -> anyhow::Result<PathBuf> {
    let fresh = tempfile::tempdir_in(out)?;
    sh(MAKE, &[top(), Path::new(&tree.architecture.triple()), fresh.path()])?;
    let file = std::fs::read_dir(fresh.path())?.flatten().map(|entry| entry.path()).next();
    let file = file.context("maturin left no wheel")?;
    let kept = out.join(file.file_name().context("a wheel has a name")?);
    std::fs::rename(&file, &kept)?;
    Ok(kept)
}
