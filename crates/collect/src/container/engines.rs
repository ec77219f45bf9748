//! What engines keep of their containers: ids, names, first processes. Files that are not there or in
//! another form say nothing.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A container that an engine knows, whether it runs or not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) engine: &'static str,
}

/// All that can be read of docker, podman and nerdctl.
pub(super) fn containers() -> Vec<Listed> {
    let mut found = Vec::new();
    for directory in children(Path::new("/var/lib/docker/containers")) {
        let name = json(&directory.join("config.v2.json"))
            .and_then(|config| Some(config.get("Name")?.as_str()?.trim_start_matches('/').to_owned()));
        if let Some(id) = file_name(&directory) {
            found.push(Listed { id, name, engine: "docker" });
        }
    }
    let homes = children(Path::new("/home")).into_iter().chain([PathBuf::from("/root")]);
    let stores = homes.map(|home| home.join(".local/share/containers/storage"));
    for store in stores.chain([PathBuf::from("/var/lib/containers/storage")]) {
        for kind in ["overlay-containers", "vfs-containers"] {
            let listed = json(&store.join(kind).join("containers.json"));
            let listed = listed.as_ref().and_then(Value::as_array).into_iter().flatten();
            found.extend(listed.filter_map(of_podman));
        }
    }
    for address in children(Path::new("/var/lib/nerdctl")) {
        for namespace in children(&address.join("names")) {
            for path in children(&namespace) {
                let id = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
                if !id.is_empty() {
                    found.push(Listed { id, name: file_name(&path), engine: "containerd (nerdctl)" });
                }
            }
        }
    }
    found
}

fn of_podman(listed: &Value) -> Option<Listed> {
    let id = listed.get("id")?.as_str()?.to_owned();
    let name = listed.get("names").and_then(|names| names.get(0)?.as_str()).map(str::to_owned);
    Some(Listed { id, name, engine: "podman" })
}

/// The first process of a container, by what the programs that start containers keep while it runs.
pub(super) fn first_process(id: &str) -> Option<u32> {
    // It becomes part of paths.
    if id.is_empty() || id.contains('/') || id.starts_with('.') {
        return None;
    }
    let users = children(Path::new("/run/user"));
    let bases = [PathBuf::from("/run"), PathBuf::from("/run/docker/runtime-runc")].into_iter().chain(users);
    let mut stores: Vec<PathBuf> =
        bases.flat_map(|base| ["runc", "crun", "moby", "youki"].map(|name| base.join(name))).collect();
    stores.extend(children(Path::new("/run/containerd/runc")));
    stores.extend(children(Path::new("/run/containerd/io.containerd.runtime.v2.task")));
    stores.iter().find_map(|store| {
        let directory = store.join(id);
        let number = |file: &str, field: &str| json(&directory.join(file))?.get(field)?.as_u64();
        let plain = || fs::read_to_string(directory.join("init.pid")).ok()?.trim().parse().ok();
        let process = number("state.json", "init_process_pid").or_else(|| number("status", "pid"));
        let process = process.or_else(plain)?;
        u32::try_from(process).ok().filter(|process| Path::new(&format!("/proc/{process}")).exists())
    })
}

fn children(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn file_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}

fn json(path: &Path) -> Option<Value> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn podmans_list_gives_id_and_name() {
        let listed = serde_json::json!({"id": "da0e", "names": ["web"], "image": "x"});
        let expected = Listed { id: "da0e".to_owned(), name: Some("web".to_owned()), engine: "podman" };
        assert_eq!(of_podman(&listed), Some(expected));
        assert_eq!(of_podman(&serde_json::json!({"names": []})), None);
    }

    #[test]
    fn an_id_is_no_path() {
        assert_eq!(first_process("../1"), None);
        assert_eq!(first_process(""), None);
    }
}
