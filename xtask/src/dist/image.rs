//! The container image of /Containerfile, with whichever builder is here.

use super::{VERSION, sh, stage::Tree, stage::top};
use crate::static_build::find_program;
use anyhow::Context;
use std::path::{Path, PathBuf};

const BUILDERS: [&str; 3] = ["podman", "buildah", "docker"];

/// Why no image can be built here.
pub(super) fn missing() -> Option<String> {
    let Some(builder) = builder() else {
        return Some("no podman, buildah or docker is here".to_owned());
    };
    let error = sh(&format!("{builder} info >/dev/null"), &[]).err()?;
    let error = error.to_string();
    Some(format!("{builder} does not work here: {}", error.lines().last().unwrap_or_default()))
}

fn builder() -> Option<&'static str> {
    BUILDERS.into_iter().find(|builder| find_program(builder).is_some())
}

/// Builds it for the tree's architecture and saves it to a file.
pub(super) fn make(tree: &Tree, out: &Path) -> anyhow::Result<PathBuf> {
    let builder = builder().context("there was a builder")?;
    let debian = tree.architecture.debian();
    let file = out.join(format!("fathom-{VERSION}-{}.image.tar", tree.architecture.rust()));
    let name = format!("fathom:{VERSION}-{debian}");
    let save = match builder {
        "buildah" => format!("rm -f \"$3\"; buildah push {name} docker-archive:\"$3\":{name}"),
        _ => format!("{builder} save --output \"$3\" {name}"),
    };
    let script = format!(
        "{builder} build --platform linux/{debian} --file \"$1/Containerfile\" --tag {name} \"$2\" >&2; {save} >&2"
    );
    sh(&script, &[top(), &tree.path(), &file])?;
    Ok(file)
}
