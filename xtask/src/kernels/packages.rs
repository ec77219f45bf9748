//! Debian's archive through apt, with lists and packages in a folder of our own: what this machine
//! has installed stays as it is.

use super::Kernel;
use crate::static_build::Architecture;
use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Suites from old to new; those that are gone from the mirror have nothing to offer.
const SUITES: [&str; 5] = ["bullseye", "bookworm", "trixie", "sid", "experimental"];
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// What a guest needs beside its kernel, of one suite, since libraries and programs must fit.
const TOOLS_SUITE: &str = "bookworm";

/// Files of a kernel's packages by their paths, as grep takes them: itself, and what mounts NFS.
const IMAGE: &str = "/vmlinu[xz]";
const NFS_MODULES: &str = r"/kernel/(fs/(nfs|nfsd|nfs_common|lockd|netfs|fscache)|net/(sunrpc|dns_resolver))/.*\.ko(\.(xz|gz|zst))?$";

/// Packages as they were fetched.
pub(super) struct Archive {
    folder: PathBuf,
}

/// What boots.
pub(super) struct KernelFiles {
    pub(super) image: PathBuf,
    /// Modules that NFS takes, unpacked, in no order.
    pub(super) modules: Vec<PathBuf>,
    /// Where they were unpacked, unless it stays.
    _unpacked: Option<TempDir>,
}

impl KernelFiles {
    /// A kernel of no package of Debian's, and what stands in its folder of modules.
    pub(super) fn at_hand(image: &Path, modules: Option<&Path>) -> anyhow::Result<Self> {
        anyhow::ensure!(image.is_file(), "there is no kernel {}", image.display());
        let unpacked = tempfile::tempdir()?;
        let mut found = Vec::new();
        if let Some(modules) = modules {
            let script = "find \"$1\" -regextype posix-extended -regex \".*$2\" -exec cp -t . {} +; \
                          find . -name '*.xz' -exec xz -d {} +; find . -name '*.gz' -exec gzip -d {} +; \
                          find . -name '*.zst' -exec zstd -q -d --rm {} +";
            let mut shell = Command::new("sh");
            shell.args(["-ec", script, "sh"]).arg(std::path::absolute(modules)?).arg(NFS_MODULES);
            let status = shell.current_dir(&unpacked).status().context("failed to start sh")?;
            anyhow::ensure!(status.success(), "failed to unpack {}", modules.display());
            all(unpacked.path(), ".ko", &mut found);
        }
        Ok(Self { image: image.to_owned(), modules: found, _unpacked: Some(unpacked) })
    }
}

impl Archive {
    /// The archive whose lists are kept in this folder, fetched where they are not.
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        let archive = Self { folder: folder.to_owned() };
        for name in ["state/lists/partial", "cache/archives/partial", "packages"] {
            fs::create_dir_all(folder.join(name))
                .with_context(|| format!("failed to make {}", folder.display()))?;
        }
        let _alone = archive.lock()?;
        let at = folder.display();
        let sources: String = SUITES
            .map(|suite| format!("deb [signed-by={KEYRING}] http://deb.debian.org/debian {suite} main\n"))
            .concat();
        let is_known = fs::read_to_string(folder.join("fetched")).is_ok_and(|known| known == sources);
        fs::write(folder.join("sources.list"), &sources)?;
        fs::write(folder.join("state/status"), "")?;
        let settings = format!(
            "Dir::State \"{at}/state\";\nDir::State::status \"{at}/state/status\";\nDir::Cache \"{at}/cache\";\n\
             Dir::Etc::SourceList \"{at}/sources.list\";\nDir::Etc::SourceParts \"/dev/null\";\n\
             APT::Architecture \"amd64\";\nAPT::Architectures {{\"amd64\";\"arm64\";}};\n\
             APT::Sandbox::User \"root\";\nAcquire::Languages \"none\";\n"
        );
        fs::write(folder.join("apt.conf"), settings)?;
        if !is_known {
            archive.apt("apt-get", &["update", "-qq"])?;
            fs::write(folder.join("fetched"), sources)?;
        }
        Ok(archive)
    }

    /// The kernel itself and its modules for NFS.
    pub(super) fn kernel(&self, kernel: &Kernel) -> anyhow::Result<KernelFiles> {
        let debian = kernel.architecture.debian();
        let listed = self.apt("apt-cache", &["pkgnames", kernel.package])?;
        let package = newest(&listed, kernel)
            .with_context(|| format!("Debian has no package {}…{debian}{}", kernel.package, kernel.flavor))?;
        // The newest ones have their modules in a package of their own.
        let apart = package.strip_prefix("linux-binary-").map(|rest| format!("linux-modules-{rest}"));
        let mut image = None;
        let mut modules = Vec::new();
        for package in [Some(package.clone()), apart].into_iter().flatten() {
            let wanted = format!("{IMAGE}|{NFS_MODULES}");
            let folder = self.unpacked(&format!("{package}:{debian}"), Some(&wanted))?;
            image = image.or_else(|| find(&folder, "vmlinu"));
            all(&folder, ".ko", &mut modules);
        }
        let image = image.with_context(|| format!("{package} has no kernel"))?;
        Ok(KernelFiles { image, modules, _unpacked: None })
    }

    /// The folders of what else a guest needs: a shell, and strace with its libraries.
    pub(super) fn tools(&self, architecture: Architecture) -> anyhow::Result<Vec<PathBuf>> {
        let libraries: &[&str] = match architecture {
            Architecture::X86 => &["libunwind8", "liblzma5", "libgcc-s1"],
            Architecture::Arm => &[],
        };
        let names = ["busybox-static", "strace", "libc6"].iter().chain(libraries);
        names
            .map(|name| self.unpacked(&format!("{name}:{}/{TOOLS_SUITE}", architecture.debian()), None))
            .collect()
    }

    /// A package's files, or those whose paths have this in them, fetched and unpacked where they are not yet.
    fn unpacked(&self, package: &str, wanted: Option<&str>) -> anyhow::Result<PathBuf> {
        let folder = self.folder.join("packages").join(package.replace(['/', ':'], "_"));
        let wanted = wanted.unwrap_or("");
        let _alone = self.lock()?;
        if fs::read_to_string(folder.join("whole")).is_ok_and(|whole| whole == wanted) {
            return Ok(folder);
        }
        fs::create_dir_all(&folder)?;
        self.apt_in(&folder, "apt-get", &["download", "-qq", package])?;
        let file = find(&folder, ".deb").with_context(|| format!("apt-get left no file of {package}"))?;
        let script = "dpkg-deb --fsys-tarfile \"$1\" | tar -t | grep -E -- \"$2\" | grep -v '/$' >files; \
                      dpkg-deb --fsys-tarfile \"$1\" | tar -x -T files; \
                      find . -name '*.ko.xz' -exec xz -d {} +; rm \"$1\"; printf %s \"$2\" >whole";
        let status = Command::new("sh")
            .args(["-ec", script, "sh"])
            .arg(file)
            .arg(wanted)
            .current_dir(&folder)
            .status()
            .context("failed to start sh")?;
        anyhow::ensure!(status.success(), "failed to unpack {package}");
        Ok(folder)
    }

    /// Held while lists or packages are fetched: apt refuses a second one in a folder, and guests may be
    /// tried side by side.
    fn lock(&self) -> anyhow::Result<fs::File> {
        let file = fs::File::create(self.folder.join("lock"))?;
        file.lock().context("failed to wait for another xtask that fetches packages")?;
        Ok(file)
    }

    fn apt(&self, program: &str, words: &[&str]) -> anyhow::Result<String> {
        self.apt_in(&self.folder, program, words)
    }

    fn apt_in(&self, folder: &Path, program: &str, words: &[&str]) -> anyhow::Result<String> {
        let output = Command::new(program)
            .args(words)
            .env("APT_CONFIG", self.folder.join("apt.conf"))
            .current_dir(folder)
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| {
                format!("failed to start {program}: the packages are fetched by Debian's apt")
            })?;
        anyhow::ensure!(output.status.success(), "{program} {} failed", words.join(" "));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The newest plain kernel of those that begin so: the one whose numbers are the largest.
fn newest(listed: &str, kernel: &Kernel) -> Option<String> {
    let beginning = kernel.package;
    let ending = format!("{}{}", kernel.architecture.debian(), kernel.flavor);
    let of = |name: &str| {
        let rest = name.strip_prefix(beginning)?;
        let rest = rest.strip_suffix("-unsigned").unwrap_or(rest);
        let version = rest.strip_suffix(&ending)?.trim_end_matches('-');
        // Neither for the cloud nor for real time; each has a word of its own.
        let is_plain = version.split(['+', '-']).all(|word| !matches!(word, "cloud" | "rt" | "unsigned"));
        let numbers =
            version.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse::<u64>().ok());
        let is_unpacked_kernel = name.ends_with("-unsigned") || beginning.starts_with("linux-binary");
        (is_plain && is_unpacked_kernel).then(|| numbers.collect::<Vec<_>>())
    };
    let found = listed.lines().filter_map(|name| Some((of(name)?, name)));
    found.max().map(|(_, name)| name.to_owned())
}

/// The first file below a folder whose name has this in it.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.into_iter().find_map(|path| {
        if path.is_dir() && !path.is_symlink() {
            find(&path, name)
        } else {
            path.file_name()?.to_str()?.contains(name).then_some(path)
        }
    })
}

/// All files below a folder whose names end so.
fn all(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            all(&path, ending, found);
        } else if path.to_str().is_some_and(|path| path.ends_with(ending)) {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_plain_kernel_is_taken() {
        let listed = "linux-image-6.1.0-9-amd64-unsigned\nlinux-image-6.1.0-50-amd64-unsigned\n\
                      linux-image-6.1.0-50-cloud-amd64-unsigned\nlinux-image-6.1.0-51-rt-amd64-unsigned\n\
                      linux-image-6.1.0-52-amd64\nlinux-image-6.1.0-60-arm64-unsigned\n";
        let x86 = |beginning| Kernel::new("one", Architecture::X86, beginning);
        let of = |beginning| newest(listed, &x86(beginning));
        assert_eq!(of("linux-image-6.1.0-").as_deref(), Some("linux-image-6.1.0-50-amd64-unsigned"));
        assert_eq!(of("linux-image-6.12."), None);
        let listed = "linux-binary-7.2.13+deb14-amd64\nlinux-binary-7.3-amd64\nlinux-binary-7.3-rt-amd64\n\
                      linux-binary-unsigned-7.3-amd64\n";
        assert_eq!(newest(listed, &x86("linux-binary-")).as_deref(), Some("linux-binary-7.3-amd64"));
    }

    #[test]
    fn a_kernel_has_the_pages_that_its_flavor_names() {
        let listed = "linux-image-6.12.9+deb13-arm64-unsigned\nlinux-image-6.12.10+deb13-arm64-16k-unsigned\n\
                      linux-image-6.12.10+deb13-arm64-16k-dbg\n";
        let kernel = Kernel::new("one", Architecture::Arm, "linux-image-6.12.");
        assert_eq!(newest(listed, &kernel).as_deref(), Some("linux-image-6.12.9+deb13-arm64-unsigned"));
        let expected = Some("linux-image-6.12.10+deb13-arm64-16k-unsigned");
        assert_eq!(newest(listed, &kernel.with_flavor("-16k")).as_deref(), expected);
    }
}
