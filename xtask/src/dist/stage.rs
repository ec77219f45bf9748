//! The files that every form has, laid out below `bin` and `share`, and the tarball of them.

use super::{VERSION, licences, sh, unpack};
use crate::static_build::{Architecture, ROOT};
use anyhow::Context;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Manual pages, completions and licences: the same for every architecture.
pub(super) struct Pages {
    folder: TempDir,
}

/// A tree as a prefix such as /usr/local has it: `bin/fathom` and `share`.
pub(super) struct Tree {
    pub(super) architecture: Architecture,
    folder: TempDir,
}

impl Pages {
    /// Writes them by this program, or one that is built to run here.
    pub(super) fn write(program: Option<&Path>) -> anyhow::Result<Self> {
        let native = Architecture::ALL.into_iter().find(|target| target.is_native());
        let program = match (program, native.filter(|target| target.missing().is_none())) {
            (Some(program), _) => program.to_owned(),
            (None, Some(native)) => native.build()?,
            (None, None) => crate::calibrate::programs::build_fathom()?,
        };
        let folder = tempfile::tempdir()?;
        let runner = unpack::runner(&program)?;
        sh(WRITE_PAGES, &[&program, folder.path(), &runner]).context("failed to write the pages")?;
        let text = licences::third_party()?;
        std::fs::write(folder.path().join("doc/fathom/THIRD-PARTY.txt"), text)?;
        Ok(Self { folder })
    }
}

/// `$1` the program, `$2` becomes `share`, `$3` what runs it.
const WRITE_PAGES: &str = r#"
fathom() { "$runner" "$program" "$@"; }
program=$1 runner=$3
cd "$2"
mkdir -p bash-completion/completions zsh/site-functions fish/vendor_completions.d doc/fathom
fathom man --output man/man1 >/dev/null
fathom completions bash >bash-completion/completions/fathom
fathom completions zsh >zsh/site-functions/_fathom
fathom completions fish >fish/vendor_completions.d/fathom.fish
cd "$OLDPWD"
cp LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md "$2/doc/fathom"
"#;

impl Tree {
    /// Lays this program, or one that is built, beside the pages; an error is why it cannot be built.
    pub(super) fn new(
        architecture: Architecture,
        pages: &Pages,
        program: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let program = program.map_or_else(|| architecture.build(), |program| Ok(program.to_owned()))?;
        let folder = tempfile::tempdir()?;
        let tree = Self { architecture, folder };
        let script = "mkdir -p \"$3/bin\"; cp \"$1\" \"$3/bin/fathom\"; chmod 755 \"$3/bin/fathom\"; cp -r \"$2\" \"$3/share\"; \
                      chmod -R u=rwX,go=rX \"$3\"";
        sh(script, &[&program, pages.folder.path(), &tree.path()]).context("failed to lay out the files")?;
        Ok(tree)
    }

    /// The program.
    pub(super) fn program(&self) -> PathBuf {
        self.path().join("bin/fathom")
    }

    /// Where it lies; its name is that of the tarball.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(format!("fathom-{VERSION}-{}", self.architecture.triple()))
    }
}

/// `$1` the tree, `$2` the file.
const PACK: &str = r#"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=ustar \
    -C "$(dirname "$1")" -cf - "$(basename "$1")" | xz -6 -T1 >"$2"
"#;

/// The tree in a tarball. By gzip it would be larger than 10 MB.
pub(super) fn tarball(tree: &Tree, out: &Path) -> anyhow::Result<PathBuf> {
    let path = tree.path();
    let name = path.file_name().context("the tree has a name")?.to_string_lossy().into_owned();
    let file = out.join(format!("{name}.tar.xz"));
    sh(PACK, &[&path, &file])?;
    Ok(file)
}

/// The top of the source tree, for scripts.
pub(super) fn top() -> &'static Path {
    Path::new(ROOT)
}
