//! Other programs' opinions of a form, and programs that install it themselves.

use super::Verdict;
use crate::dist::{Made, VERSION, sh, unpack};
use crate::static_build::{Architecture, find_program, target_folder};
use std::path::Path;
use std::time::Instant;

/// Debian's own checks of packages.
pub(super) fn lintian(file: &Path) -> Verdict {
    opinion("lintian", "lintian --fail-on error --tag-display-limit 0 \"$1\"", file)
}

/// Whether an index would take it.
pub(super) fn twine(file: &Path) -> Verdict {
    opinion("twine", "twine check --strict \"$1\"", file)
}

/// Which C libraries it runs beside.
pub(super) fn auditwheel(file: &Path) -> Verdict {
    opinion("auditwheel", "auditwheel show \"$1\"", file)
}

fn opinion(name: &str, script: &str, file: &Path) -> Verdict {
    if find_program(name).is_none() {
        return Verdict::NotRun(format!("{name} is missing"));
    }
    match sh(script, &[file]) {
        Ok(said) => Verdict::Works(match said.trim().lines().last() {
            Some(last) => last.trim().to_owned(),
            None => "nothing to say".to_owned(),
        }),
        Err(error) => Verdict::Fails(error),
    }
}

/// Runs a script with the file as `$1` and a folder that is removed as `$2`; says what it printed last.
fn in_a_folder(name: &str, script: &str, file: &Path) -> Verdict {
    if find_program(name).is_none() {
        return Verdict::NotRun(format!("{name} is missing"));
    }
    let start = Instant::now();
    let said = tempfile::tempdir().map_err(Into::into).and_then(|folder| sh(script, &[file, folder.path()]));
    match said {
        Ok(said) => Verdict::Works(format!("{} ({:.1} s)", said.trim(), start.elapsed().as_secs_f64())),
        Err(error) => Verdict::Fails(error),
    }
}

/// No index is asked, and nothing is kept.
pub(super) fn uvx(file: &Path) -> Verdict {
    let script = r#"
export UV_CACHE_DIR="$2/cache" UV_TOOL_DIR="$2/tools"
uvx --quiet --offline --no-index --from "$1" fathom-io --version
code=0; uvx --quiet --offline --no-index --from "$1" fathom audit -- ls / >"$2/said" || code=$?
if [ "$code" -gt 1 ] || ! grep -q 'file calls' "$2/said"; then
    echo "fathom audit ended with $code and said:" >&2; cat "$2/said" >&2; exit 1
fi
"#;
    in_a_folder("uvx", script, file)
}

/// As a container; the image has nothing but Fathom, which audits itself.
pub(super) fn buildah(file: &Path) -> Verdict {
    let script = r#"
buildah() { command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
work=$2
container=$(buildah from --quiet "oci-archive:$1")
buildah run --isolation chroot "$container" -- /usr/bin/fathom --version
code=0
buildah run --isolation chroot "$container" -- /usr/bin/fathom audit -- /usr/bin/fathom --version >"$2/said" ||
    code=$?
if [ "$code" -gt 1 ] || ! grep -q 'file calls' "$2/said"; then
    echo "fathom audit ended with $code and said:" >&2; cat "$2/said" >&2; exit 1
fi
buildah rm --all >/dev/null
"#;
    in_a_folder("buildah", script, file)
}

/// What `cargo install` does; the program is the one that is built, for another build takes minutes.
pub(super) fn cargo_install(architecture: Architecture) -> Verdict {
    let script = r#"
cargo install --quiet --locked --path crates/fathom --root "$2" --no-track \
    --features parquet --profile dist --target "$(cat "$2/target")" --target-dir "$1"
"$2/bin/fathom" --version
"#;
    let said = tempfile::tempdir().map_err(Into::into).and_then(|folder| {
        std::fs::write(folder.path().join("target"), architecture.triple())?;
        sh(script, &[&target_folder(), folder.path()])
    });
    match said {
        Ok(said) if said.trim() == format!("fathom {VERSION}") => Verdict::Works(said.trim().to_owned()),
        Ok(said) => Verdict::Fails(anyhow::anyhow!("`fathom --version` said {said}")),
        Err(error) => Verdict::Fails(error),
    }
}

/// Another architecture's program; qemu's user mode has no ptrace, and so no audit.
pub(super) fn emulated(made: &Made) -> Verdict {
    let name = format!("qemu-{}-static", made.architecture.rust());
    if find_program(&name).is_none() {
        return Verdict::NotRun(format!("{name} is missing (Debian: qemu-user-static)"));
    }
    let script = r#"
timeout 60 "$1" "$2" --version
timeout 120 "$1" "$2" show docs/samples/open-go.json --brief | grep native:open >&2
"#;
    let said = tempfile::tempdir().map_err(Into::into).and_then(|folder| {
        let program = unpack::unpack(made.form, &made.file, folder.path())?;
        sh(script, &[&unpack::runner(&program)?, &program])
    });
    match said {
        Ok(said) => Verdict::Works(format!(
            "{} and `show`; qemu has no ptrace: audit and bench were not run",
            said.trim()
        )),
        Err(error) => Verdict::Fails(error),
    }
}
