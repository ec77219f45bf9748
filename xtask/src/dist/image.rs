//! The container image of /Containerfile as an OCI archive, by the first builder that works here.

use super::{VERSION, sh, stage::Tree, stage::top};
use crate::static_build::find_program;
use anyhow::Context;
use std::path::{Path, PathBuf};

/// A program that builds images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Builder {
    Podman,
    Buildah,
    Docker,
}

impl Builder {
    const ALL: [Self; 3] = [Self::Buildah, Self::Podman, Self::Docker];

    fn name(self) -> &'static str {
        match self {
            Self::Podman => "podman",
            Self::Buildah => "buildah",
            Self::Docker => "docker",
        }
    }

    /// Why it cannot be used.
    fn missing(self) -> Option<String> {
        let name = self.name();
        if find_program(name).is_none() {
            return Some(format!("{name} is missing"));
        }
        // A client without its server answers, but with an error.
        let ask = match self {
            Self::Docker => "timeout 20 docker version >/dev/null".to_owned(),
            _ => format!("timeout 60 {name} --version >/dev/null"),
        };
        let error = sh(&ask, &[]).err()?.to_string();
        Some(format!("{name} does not work here: {}", error.lines().last().unwrap_or_default()))
    }

    /// `$1` the Containerfile, `$2` the tree, `$3` the file, `$4` a folder for its storage, `$5` the
    /// architecture, `$6` the name.
    fn script(self) -> &'static str {
        match self {
            // Storage of its own, with the driver that needs neither mounts nor a user's settings.
            Self::Buildah => {
                r#"
buildah() { command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
work=$4
buildah build --isolation chroot --format oci --timestamp "$SOURCE_DATE_EPOCH" --platform "linux/$5" \
    --file "$1" --tag "$6" "$2" >&2
buildah push --quiet --compression-format zstd --compression-level 19 "$6" "oci-archive:$3:$6" >&2
"#
            }
            Self::Podman => {
                r#"
podman() { command podman --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
work=$4
podman build --isolation chroot --format oci --timestamp "$SOURCE_DATE_EPOCH" --platform "linux/$5" \
    --file "$1" --tag "$6" "$2" >&2
podman save --quiet --format oci-archive --output "$3" "$6" >&2
"#
            }
            Self::Docker => {
                r#"
docker build --platform "linux/$5" --file "$1" --tag "$6" "$2" >&2
docker save --output "$3" "$6" >&2
docker rmi "$6" >&2
"#
            }
        }
    }
}

/// Why no image can be built here: what is wrong with each builder.
pub(super) fn missing() -> Option<String> {
    let mut reasons = Vec::new();
    for builder in Builder::ALL {
        reasons.push(builder.missing()?);
    }
    Some(reasons.join("; "))
}

/// Builds it for the tree's architecture and saves it to a file.
pub(super) fn make(tree: &Tree, out: &Path) -> anyhow::Result<PathBuf> {
    let builder = Builder::ALL.into_iter().find(|builder| builder.missing().is_none());
    let builder = builder.context("there was a builder")?;
    let debian = tree.architecture.debian();
    let file = out.join(format!("fathom-{VERSION}-{}.image.tar", tree.architecture.rust()));
    let name = format!("fathom:{VERSION}-{debian}");
    let work = tempfile::tempdir()?;
    let containerfile = top().join("Containerfile");
    let words = [&containerfile, &tree.path(), &file, work.path(), Path::new(debian), Path::new(&name)];
    sh(builder.script(), &words)?;
    Ok(file)
}
