//! What a form holds, without installing it: the files that it must have, and a program of the right
//! architecture that needs no library.

use super::{Form, sh};
use crate::static_build::{Architecture, find_program};
use anyhow::{Context, ensure};
use object::{Object, ObjectKind};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Files that are in the tree of every form, below `bin` or `share`.
const PAGES: [&str; 4] = [
    "bash-completion/completions/fathom",
    "fish/vendor_completions.d/fathom.fish",
    "man/man1/fathom.1",
    "zsh/site-functions/_fathom",
];
const NOTICES: [&str; 4] = [
    "doc/fathom/CHANGELOG.md",
    "doc/fathom/LICENSE-APACHE",
    "doc/fathom/LICENSE-MIT",
    "doc/fathom/THIRD-PARTY.txt",
];
/// As Debian's policy names and packs them.
const DEBIAN: [&str; 6] = [
    "man/man1/fathom.1.gz",
    "zsh/vendor-completions/_fathom",
    "doc/fathom-io/CHANGELOG.md.gz",
    "doc/fathom-io/THIRD-PARTY.txt.gz",
    "doc/fathom-io/changelog.gz",
    "doc/fathom-io/copyright",
];

/// Takes a form apart in an empty folder; says where the program is.
pub(super) fn unpack(form: Form, file: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let tree = match form {
        Form::Tarball => {
            sh("tar -xf \"$1\" -C \"$2\" --strip-components=1", &[file, folder])?;
            folder.to_owned()
        }
        Form::Deb => {
            sh("dpkg-deb -x \"$1\" \"$2\"", &[file, folder])?;
            folder.join("usr")
        }
        Form::Wheel => {
            sh("python3 -m zipfile -e \"$1\" \"$2\"", &[file, folder])?;
            let data = find(folder, ".data")?;
            // zipfile loses the modes; pip makes scripts executable.
            sh(
                "mv \"$1/data/share\" \"$1\"; mv \"$1/scripts\" \"$1/bin\"; chmod 755 \"$1\"/bin/*",
                &[&data],
            )?;
            data
        }
        Form::Image => {
            unpack_layers(file, folder)?;
            folder.join("usr")
        }
    };
    Ok(tree.join("bin/fathom"))
}

/// Holds a form against what it must have; an error is the first thing that is not so.
pub(super) fn check(form: Form, architecture: Architecture, file: &Path) -> anyhow::Result<String> {
    let folder = tempfile::tempdir()?;
    let program = unpack(form, file, folder.path())?;
    let tree = program.ancestors().nth(2).context("a program lies in a tree")?;
    let share = tree.join("share");
    let names: Vec<&str> = match form {
        Form::Tarball | Form::Wheel => PAGES.iter().chain(&NOTICES).copied().collect(),
        Form::Deb => PAGES[..2].iter().chain(&DEBIAN).copied().collect(),
        Form::Image => NOTICES.to_vec(),
    };
    for name in &names {
        let length = fs::metadata(share.join(name)).map_or(0, |file| file.len());
        ensure!(length > 0, "share/{name} is missing or empty");
    }
    if form == Form::Wheel {
        ensure!(tree.join("bin/fathom-io").is_file(), "there is no fathom-io, which uvx looks for");
    }
    if form == Form::Deb {
        let said = sh("dpkg-deb --field \"$1\" Architecture Version", &[file])?;
        let expected = format!("Architecture: {}\nVersion: {}\n", architecture.debian(), super::VERSION);
        ensure!(said == expected, "its fields say {said}");
    }
    if form == Form::Image {
        check_configuration(&configuration(&unpacked(file)?)?, architecture)?;
    }
    let megabytes = check_program(&program, architecture)?;
    Ok(format!(
        "{} files that must be there are; a static {} program of {megabytes:.1} MB",
        names.len(),
        architecture.rust()
    ))
}

/// Its size in megabytes.
fn check_program(program: &Path, architecture: Architecture) -> anyhow::Result<f64> {
    let mode = fs::metadata(program).context("there is no program in it")?.permissions().mode();
    ensure!(mode & 0o111 == 0o111, "the program's mode is {mode:o}");
    let bytes = fs::read(program)?;
    let parsed = object::File::parse(&*bytes).context("the program is no ELF file")?;
    let expected = elf(architecture);
    let found = parsed.architecture();
    ensure!(found == expected, "the program is of {found:?}");
    ensure!(matches!(parsed.kind(), ObjectKind::Executable | ObjectKind::Dynamic), "it is no program");
    ensure!(is_static(program), "the program is not static: it names an interpreter");
    Ok(bytes.len() as f64 / 1e6)
}

/// What runs a program here: `env`, or qemu where it is of another architecture.
pub(super) fn runner(program: &Path) -> anyhow::Result<PathBuf> {
    let bytes = fs::read(program).with_context(|| format!("failed to read {}", program.display()))?;
    let parsed = object::File::parse(&*bytes);
    let parsed = parsed.with_context(|| format!("{} is no ELF file", program.display()))?;
    let found = Architecture::ALL.into_iter().find(|each| parsed.architecture() == elf(*each));
    let architecture = found.with_context(|| format!("{} is of another architecture", program.display()))?;
    if architecture.is_native() {
        return Ok(PathBuf::from("env"));
    }
    let name = format!("qemu-{}-static", architecture.rust());
    find_program(&name).with_context(|| format!("{name} is missing (Debian: qemu-user-static)"))
}

fn elf(architecture: Architecture) -> object::Architecture {
    match architecture {
        Architecture::X86 => object::Architecture::X86_64,
        Architecture::Arm => object::Architecture::Aarch64,
    }
}

/// Whether this is a program that needs no library.
pub(super) fn is_static(program: &Path) -> bool {
    let Ok(bytes) = fs::read(program) else { return false };
    object::File::parse(&*bytes).is_ok_and(|parsed| parsed.section_by_name(".interp").is_none())
}

fn find(folder: &Path, end: &str) -> anyhow::Result<PathBuf> {
    let mut entries = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    let found = entries.find(|path| path.to_string_lossy().ends_with(end));
    found.with_context(|| format!("nothing ends in {end}"))
}

/// An OCI archive's parts.
struct Archive {
    folder: tempfile::TempDir,
    manifest: Value,
}

fn unpacked(file: &Path) -> anyhow::Result<Archive> {
    let folder = tempfile::tempdir()?;
    sh("tar -xf \"$1\" -C \"$2\"", &[file, folder.path()])?;
    let index = fs::read(folder.path().join("index.json")).context("it is no OCI archive")?;
    let mut manifest: Value = serde_json::from_slice(&index)?;
    // An index may name another index.
    while let Some(digest) = manifest["manifests"][0]["digest"].as_str() {
        manifest = serde_json::from_slice(&fs::read(blob(folder.path(), digest)?)?)?;
    }
    Ok(Archive { folder, manifest })
}

fn blob(folder: &Path, digest: &str) -> anyhow::Result<PathBuf> {
    let (kind, sum) = digest.split_once(':').context("a digest has a kind")?;
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    ensure!(is_plain(kind) && is_plain(sum), "{digest} is no digest");
    Ok(folder.join("blobs").join(kind).join(sum))
}

fn configuration(archive: &Archive) -> anyhow::Result<Value> {
    let digest =
        archive.manifest["config"]["digest"].as_str().context("the manifest names no configuration")?;
    Ok(serde_json::from_slice(&fs::read(blob(archive.folder.path(), digest)?)?)?)
}

fn check_configuration(configuration: &Value, architecture: Architecture) -> anyhow::Result<()> {
    let found = &configuration["architecture"];
    ensure!(found == architecture.debian(), "the image is for {found}");
    let starts = &configuration["config"]["Entrypoint"];
    ensure!(*starts == serde_json::json!(["/usr/bin/fathom"]), "the image starts {starts}");
    Ok(())
}

/// The image's files, as a container has them before anything is mounted.
fn unpack_layers(file: &Path, folder: &Path) -> anyhow::Result<()> {
    let archive = unpacked(file)?;
    let layers = archive.manifest["layers"].as_array().context("the manifest names no layers")?;
    for layer in layers {
        let digest = layer["digest"].as_str().context("a layer has no digest")?;
        let layer = blob(archive.folder.path(), digest)?;
        sh("tar -xf \"$1\" -C \"$2\"", &[&layer, folder])?;
    }
    Ok(())
}
