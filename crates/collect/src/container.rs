//! Containers and control groups: which processes belong to one, found by what the kernel says of
//! processes, and by what engines keep of their containers.

mod engines;

use rustix::fs::statfs;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A container that runs, or a control group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// Its id, as its engine has it; `None` of a control group that somebody named.
    pub id: Option<String>,
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Who made it: `docker`.
    pub engine: Option<&'static str>,
    /// By what its processes are known.
    pub membership: Membership,
}

/// By what processes are known to belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Membership {
    /// A control group's directory, of cgroup v2: the kernel says of each thread whether it is in it.
    Unified(PathBuf),
    /// The same of cgroup v1: whoever comes in later is seen only if a member made it.
    Legacy(PathBuf),
    /// The process namespace of a container without a control group of its own, with its first process.
    Namespace {
        /// The first process.
        first: u32,
        /// Its namespace, as `/proc/PID/ns/pid` links to it.
        namespace: PathBuf,
    },
}

const V2_MAGIC: i64 = 0x6367_7270;
const V1_MAGIC: i64 = 0x0027_e0eb;
/// Ids of engines are longer; shorter runs of these letters are words.
const SHORTEST_ID: usize = 12;

/// The control group of this directory, or of this path below where cgroup v2 is mounted.
pub fn find_cgroup(path: &Path) -> Result<Container, String> {
    let below = || {
        let path = path.strip_prefix("/").unwrap_or(path);
        // `.` is where somebody is, not a control group.
        let is_name = path.components().all(|part| matches!(part, Component::Normal(_)));
        let root = mount_point("cgroup2", None).filter(|_| is_name)?;
        Some(root.join(path)).filter(|path| path.is_dir())
    };
    let own = Some(path.to_owned()).filter(|path| path.join("cgroup.procs").exists());
    let directory = own.or_else(below).ok_or_else(|| format!("{} is no control group", path.display()))?;
    let directory = fs::canonicalize(&directory).unwrap_or(directory);
    let membership = membership(directory)?;
    Ok(Container { id: None, name: None, engine: None, membership })
}

fn membership(directory: PathBuf) -> Result<Membership, String> {
    let shown = directory.display();
    #[expect(clippy::useless_conversion, reason = "a word of another size on some machines")]
    match statfs(&directory).map(|facts| i64::from(facts.f_type)) {
        Ok(V2_MAGIC) => Ok(Membership::Unified(directory)),
        Ok(V1_MAGIC) => Ok(Membership::Legacy(directory)),
        Ok(_) => Err(format!("{shown} is no control group")),
        Err(error) => Err(format!("{shown}: {error}")),
    }
}

/// The container of this id, the beginning of one, or this name.
pub fn find_container(asked: &str) -> Result<Container, String> {
    let known = engines::containers();
    let by_name: BTreeSet<_> = known.iter().filter(|one| one.name.as_deref() == Some(asked)).collect();
    if by_name.len() > 1 {
        return Err(ambiguous(asked, by_name.iter().map(|one| format!("{} ({})", one.id, one.engine))));
    }
    let named = by_name.first().copied();
    let id = named.map_or(asked, |one| one.id.as_str());
    let found: BTreeSet<PathBuf> = processes().filter_map(|process| cgroup_named(process, id)).collect();
    let found: Vec<PathBuf> = found.into_iter().collect();
    // Below a container's control group there may be others.
    let outermost = |one: &&PathBuf| !found.iter().any(|other| other != *one && one.starts_with(other));
    let outer: Vec<&PathBuf> = found.iter().filter(outermost).collect();
    let listed = named.or_else(|| {
        let mut alike = known.iter().filter(|one| one.id.starts_with(id));
        alike.next().filter(|_| alike.next().is_none())
    });
    let described = |component: Option<&str>, membership| {
        let whole = component.and_then(|name| id_in(name, id));
        Container {
            id: listed.map(|one| one.id.clone()).or(whole).or_else(|| Some(asked.to_owned())),
            name: listed.and_then(|one| one.name.clone()),
            engine: listed.map(|one| one.engine).or_else(|| component.and_then(engine_of)),
            membership,
        }
    };
    match outer[..] {
        [one] => {
            let component = one.file_name().and_then(|name| name.to_str());
            Ok(described(component, membership(one.clone())?))
        }
        [] => {
            let first = engines::first_process(id);
            let namespace = first.and_then(|first| fs::read_link(format!("/proc/{first}/ns/pid")).ok());
            match (first, namespace) {
                (Some(first), Some(namespace)) => {
                    Ok(described(None, Membership::Namespace { first, namespace }))
                }
                _ if listed.is_some() => Err(format!("the container {asked} does not run")),
                _ => Err(format!("no container of that name or id runs here: {asked}")),
            }
        }
        _ => Err(ambiguous(asked, outer.iter().map(|path| path.display().to_string()))),
    }
}

fn ambiguous(asked: &str, all: impl Iterator<Item = String>) -> String {
    format!("{asked} names several: {}", all.collect::<Vec<_>>().join(", "))
}

impl Membership {
    /// The processes that belong to it now: the first one of a process namespace of its own before the others,
    /// which go by number.
    pub fn processes(&self) -> Vec<u32> {
        let mut found = Vec::new();
        match self {
            Self::Unified(directory) | Self::Legacy(directory) => add_members(directory, &mut found),
            Self::Namespace { namespace, .. } => {
                let is_inside = |process: &u32| {
                    fs::read_link(format!("/proc/{process}/ns/pid")).is_ok_and(|link| link == *namespace)
                };
                found.extend(processes().filter(is_inside));
            }
        }
        found.sort_by_cached_key(|process| (!is_first_inside(*process), *process));
        found.dedup();
        found
    }

    /// Whether anybody belongs to it.
    pub fn is_populated(&self) -> bool {
        match self {
            Self::Unified(directory) => fs::read_to_string(directory.join("cgroup.events"))
                .is_ok_and(|events| events.lines().any(|line| line == "populated 1")),
            Self::Legacy(_) | Self::Namespace { .. } => !self.processes().is_empty(),
        }
    }
}

/// True of a process that is number 1 of a namespace which is not this one.
fn is_first_inside(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap_or_default();
    let numbers: Vec<_> = numbers.split_whitespace().collect();
    numbers.len() > 1 && numbers.last() == Some(&"1")
}

/// With those of the control groups below.
fn add_members(directory: &Path, found: &mut Vec<u32>) {
    let listed = fs::read_to_string(directory.join("cgroup.procs")).unwrap_or_default();
    // 0 is one that this process namespace has no number for.
    found.extend(listed.lines().filter_map(|line| line.parse::<u32>().ok()).filter(|process| *process != 0));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            add_members(&entry.path(), found);
        }
    }
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The directory of the control group of a process that is called by this id, of cgroup v2 if it is there
/// too.
fn cgroup_named(process: u32, id: &str) -> Option<PathBuf> {
    let text = fs::read_to_string(format!("/proc/{process}/cgroup")).ok()?;
    let mut legacy = None;
    for line in text.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let Some(path) = path_to(path, id) else { continue };
        if controllers.is_empty() {
            let mounted = mount_point("cgroup2", None)?;
            return Some(mounted.join(path));
        }
        let mounted = || mount_point("cgroup", Some(controllers)).map(|point| point.join(path));
        legacy = legacy.or_else(mounted);
    }
    legacy
}

/// The beginning of a control group's path, without its first `/`, up to the part that is called by this id.
fn path_to<'a>(path: &'a str, id: &str) -> Option<&'a str> {
    let path = path.strip_prefix('/')?;
    let mut end = 0;
    for part in path.split('/') {
        end += part.len();
        if is_called(part, id) {
            return Some(&path[..end]);
        }
        end += 1;
    }
    None
}

fn is_called(part: &str, id: &str) -> bool {
    // What watches over a container of podman's is called by its id too.
    if id.is_empty() || part.contains("conmon") {
        return false;
    }
    let name = part.strip_suffix(".scope").or_else(|| part.strip_suffix(".service")).unwrap_or(part);
    let ends = |separator: &str| name.strip_suffix(id).is_some_and(|before| before.ends_with(separator));
    name == id || ends("-") || ends(".") || ends(":") || id_in(part, id).is_some()
}

/// The whole id in a part of a path that begins so.
fn id_in(part: &str, beginning: &str) -> Option<String> {
    let mut runs = part.split(|letter: char| !letter.is_ascii_hexdigit());
    let id = runs.find(|run| run.len() >= SHORTEST_ID && run.starts_with(beginning))?;
    Some(id.to_owned())
}

/// Who names control groups so.
fn engine_of(part: &str) -> Option<&'static str> {
    let engines = [
        ("docker", "docker"),
        ("libpod", "podman"),
        ("nerdctl", "containerd (nerdctl)"),
        ("cri-containerd", "containerd (Kubernetes)"),
        ("crio", "CRI-O"),
        ("lxc.payload", "LXC"),
        ("machine-", "systemd-nspawn"),
    ];
    engines.into_iter().find(|(word, _)| part.starts_with(word)).map(|(_, engine)| engine)
}

/// Where a file system of this type is mounted, of cgroup v1 the one with these controllers.
fn mount_point(file_system: &str, controllers: Option<&str>) -> Option<PathBuf> {
    let text = fs::read_to_string("/proc/self/mountinfo").ok()?;
    text.lines().find_map(|line| mount_of(line, file_system, controllers).map(PathBuf::from))
}

fn mount_of<'a>(line: &'a str, file_system: &str, controllers: Option<&str>) -> Option<&'a str> {
    let (mount, rest) = line.split_once(" - ")?;
    let mut rest = rest.split(' ');
    let (name, options) = (rest.next()?, rest.nth(1)?);
    let has = |controller: &str| options.split(',').any(|option| option == controller);
    let is_meant = controllers.is_none_or(|all| all.split(',').all(has));
    (name == file_system && is_meant).then(|| mount.split(' ').nth(4)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "da0ee08b29de1942ecc1d512478fcd70deb6fc30f65a3a658c20c8fb6d3ecd4a";

    #[test]
    fn engines_paths_are_known_by_the_id() {
        for (path, expected) in [
            (format!("/libpod_parent/libpod-{ID}"), format!("libpod_parent/libpod-{ID}")),
            (
                format!("/machine.slice/libpod-{ID}.scope/container"),
                format!("machine.slice/libpod-{ID}.scope"),
            ),
            (format!("/system.slice/docker-{ID}.scope"), format!("system.slice/docker-{ID}.scope")),
            (format!("/docker/{ID}"), format!("docker/{ID}")),
            (
                format!("/kubepods.slice/kubepods-pod1.slice/cri-containerd-{ID}.scope"),
                format!("kubepods.slice/kubepods-pod1.slice/cri-containerd-{ID}.scope"),
            ),
        ] {
            assert_eq!(path_to(&path, ID), Some(expected.as_str()));
            assert_eq!(path_to(&path, "da0ee08b"), Some(expected.as_str()), "by its beginning");
        }
        assert_eq!(path_to(&format!("/machine.slice/libpod-conmon-{ID}.scope"), ID), None);
        assert_eq!(path_to("/system.slice/ssh.service", "da0e"), None);
        assert_eq!(path_to(&format!("/docker/{ID}"), "0ee08b"), None, "an id is named from its beginning");
    }

    #[test]
    fn names_of_machines_and_of_plain_runtimes_are_found_whole() {
        assert_eq!(
            path_to("/machine.slice/machine-web.scope/payload", "web"),
            Some("machine.slice/machine-web.scope")
        );
        assert_eq!(path_to("/lxc.payload.web/init.scope", "web"), Some("lxc.payload.web"));
        assert_eq!(path_to("/mybox", "mybox"), Some("mybox"));
        assert_eq!(path_to("/mybox", "box"), None);
    }

    #[test]
    fn hierarchies_are_told_apart_by_their_controllers() {
        let line = "30 29 0:26 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct";
        assert_eq!(mount_of(line, "cgroup", Some("cpu,cpuacct")), Some("/sys/fs/cgroup/cpu"));
        assert_eq!(mount_of(line, "cgroup", Some("memory")), None);
        assert_eq!(mount_of(line, "cgroup2", None), None);
    }

    #[test]
    fn what_is_no_control_group_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find_cgroup(folder.path()).unwrap_err().ends_with("is no control group"));
        assert!(find_container("no-such-container").unwrap_err().contains("no container of that name"));
    }
}
