//! Hints that this process runs in a container or in a process namespace of its own.

use crate::source;
use fathom_model::Reading;
use std::path::Path;

/// The hints, joined, or `none`.
pub(super) fn hint() -> Reading<String> {
    let mut hints = Vec::new();
    for (file, name) in [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")] {
        if Path::new(file).exists() {
            hints.push(name.to_owned());
        }
    }
    if let Reading::Value(name) = source::text("/run/systemd/container") {
        hints.push(name);
    }
    match (source::text("/proc/self/cgroup"), source::text("/proc/self/status")) {
        (Reading::Value(cgroup), Reading::Value(status)) => {
            hints.extend(of_cgroup(&cgroup).map(str::to_owned));
            hints.extend(of_namespaces(&status));
        }
        (Reading::Unavailable(reason), _) | (_, Reading::Unavailable(reason)) => {
            if hints.is_empty() {
                return Reading::Unavailable(reason);
            }
        }
    }
    hints.dedup();
    Reading::Value(if hints.is_empty() { "none".to_owned() } else { hints.join(", ") })
}

fn of_cgroup(text: &str) -> Option<&'static str> {
    ["kubepods", "docker", "containerd", "libpod", "crio", "lxc"].into_iter().find(|name| text.contains(name))
}

/// Seen from its own namespace alone a process has one number; an outer
/// namespace that can be seen adds another.
fn of_namespaces(status: &str) -> Option<String> {
    let depth = source::field(status, "NSpid")?.split_whitespace().count();
    (depth > 1).then(|| format!("process namespace of depth {depth}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cgroup_paths_of_container_engines_are_known() {
        assert_eq!(of_cgroup("0::/system.slice/docker-0123.scope\n"), Some("docker"));
        assert_eq!(
            of_cgroup("0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-1.scope\n"),
            Some("kubepods")
        );
        assert_eq!(of_cgroup("0::/user.slice/session-1.scope\n"), None);
    }

    #[test]
    fn two_numbers_are_two_namespaces() {
        assert_eq!(of_namespaces("NSpid:\t4711\t1\n"), Some("process namespace of depth 2".into()));
        assert_eq!(of_namespaces("NSpid:\t4711\n"), None);
    }
}
