//! The program that a tool's name stands for, found without starting it. A start costs up to 0.1 s of
//! CPU time (Java, Node, a shim of pyenv), and each run would pay for it.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const ELF: [u8; 4] = *b"\x7fELF";

/// The path of the program that the first word names, where it is that program and no wrapper of a
/// version manager: those are scripts (pyenv, rbenv), or one program under many names (mise, Volta).
pub(super) fn real_program(words: &[OsString]) -> Option<PathBuf> {
    let [named] = words else { return None };
    let named = Path::new(named);
    let found = program_of_name(named)?;
    let target = found.canonicalize().ok()?;
    let is_itself = target.file_name()?.to_str()?.starts_with(named.file_name()?.to_str()?);
    let mut begin = [0; 4];
    File::open(&target).and_then(|mut file| file.read_exact(&mut begin)).ok()?;
    // Relative to where it was called, and tools are called from `/`.
    (is_itself && begin == ELF && found.is_absolute()).then_some(found)
}

/// The path of a program, looked up where its name has no folder.
pub(crate) fn program_of_name(named: &Path) -> Option<PathBuf> {
    if named.components().count() > 1 {
        return Some(named.to_owned());
    }
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search).map(|folder| folder.join(named)).find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_program_is_itself_and_a_wrapper_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let found = |name| real_program(&[file(name).into_os_string()]);
        std::fs::copy("/proc/self/exe", file("tool3.11")).unwrap();
        symlink("tool3.11", file("tool3")).unwrap();
        symlink("tool3.11", file("other")).unwrap();
        std::fs::write(file("script"), "#!/bin/sh\nexec tool3\n").unwrap();
        std::fs::set_permissions(file("script"), PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(found("tool3.11"), Some(file("tool3.11")));
        // A virtual environment is known by the link that was called.
        assert_eq!(found("tool3"), Some(file("tool3")));
        assert_eq!(found("other"), None);
        assert_eq!(found("script"), None);
        assert_eq!(found("missing"), None);
        assert_eq!(real_program(&[file("tool3").into(), "-m".into()]), None);
    }

    #[test]
    fn a_bare_name_is_looked_up_in_path() {
        let found = real_program(&["ls".into()]);
        assert!(found.is_some_and(|path| path.is_absolute() && path.ends_with("ls")));
    }
}
