//! The Debian package: the staged tree below /usr, packed by dpkg-deb. cargo-deb would do the same
//! with a build of its own of some minutes.

use super::{VERSION, sh, stage::Tree};
use crate::static_build::find_program;
use std::path::{Path, PathBuf};

/// Why no package can be made here.
pub(super) fn missing() -> Option<String> {
    find_program("dpkg-deb").is_none().then(|| "dpkg-deb is missing (Debian: dpkg)".to_owned())
}

/// `$1` the tree, `$2` an empty folder, `$3` the file, `$4` version, `$5` architecture.
const MAKE: &str = r#"
umask 022
mkdir -p "$2/usr" "$2/DEBIAN" "$2/usr/share/lintian/overrides"
cp -r "$1/." "$2/usr"
share=$2/usr/share
doc=$share/doc/fathom-io
mv "$share/doc/fathom" "$doc"
mv "$share/zsh/site-functions" "$share/zsh/vendor-completions"
gzip -9n "$share"/man/man1/*.1 "$doc/CHANGELOG.md" "$doc/THIRD-PARTY.txt"
date=$(date -R -u -d "@$SOURCE_DATE_EPOCH")
owner='Fathom maintainers <fathom@packages.invalid>'
{
    printf 'fathom-io (%s) unstable; urgency=medium\n\n' "$4"
    printf '  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' "$owner" "$date"
} | gzip -9n >"$doc/changelog.gz"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n'
    printf 'Files: *\nCopyright: Fathom contributors\nLicense: Expat or Apache-2.0\n\n'
    printf 'License: Apache-2.0\n See /usr/share/common-licenses/Apache-2.0\n\nLicense: Expat\n'
    sed 's/^$/./; s/^/ /' "$doc/LICENSE-MIT"
    printf '\nComment:\n The notices of the libraries that are linked in are in THIRD-PARTY.txt.gz.\n'
} >"$doc/copyright"
rm "$doc/LICENSE-MIT" "$doc/LICENSE-APACHE"
# One file that runs without any library is the point of it.
echo 'fathom-io: statically-linked-binary [usr/bin/fathom]' >"$share/lintian/overrides/fathom-io"
cat >"$2/DEBIAN/control" <<END
Package: fathom-io
Version: $4
Architecture: $5
Section: utils
Priority: optional
Maintainer: $owner
Installed-Size: $(du -sk "$2/usr" | cut -f 1)
Description: measures what file access costs, and audits what a program wastes
 Fathom measures what it costs to open, read and write files on this machine,
 in several languages, with exact system calls and intervals of times, and
 audits the file calls of any program.
END
(cd "$2" && find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums)
dpkg-deb --build --root-owner-group -Zxz "$2" "$3" >/dev/null
"#;

/// The package of a tree.
pub(super) fn make(tree: &Tree, out: &Path) -> anyhow::Result<PathBuf> {
    let debian = tree.architecture.debian();
    let file = out.join(format!("fathom-io_{VERSION}_{debian}.deb"));
    let folder = tempfile::tempdir()?;
    sh(MAKE, &[&tree.path(), folder.path(), &file, Path::new(VERSION), Path::new(debian)])?;
    Ok(file)
}
