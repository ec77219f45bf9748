//! A container that was watched, and the layers that its files come from.

use fathom_audit::{AuditedContainer, ContainerFile, ContainerLayer};
use fathom_collect::{FileLayer, FileView};
use std::path::Path;

/// What was watched, and how its files can be looked at while it is there.
#[derive(Debug)]
pub(in crate::command) struct WatchedContainer {
    pub(super) container: AuditedContainer,
    pub(super) view: Option<FileView>,
}

impl WatchedContainer {
    /// What is known of it, with the layers that opened files come from.
    pub(super) fn described(self, opens: Vec<(String, u64)>) -> AuditedContainer {
        let Self { mut container, view } = self;
        if let Some(view) = &view {
            let (upper, lower) = view.layers_of_root();
            let upper = upper.map(|directory| (layer_name(&FileLayer::Upper), directory));
            let lower = lower.iter().zip(1..);
            let lower = lower.map(|(directory, at)| (layer_name(&FileLayer::Lower(at)), directory.as_path()));
            let layer = |(layer, directory): (String, &Path)| ContainerLayer {
                layer,
                directory: directory.to_string_lossy().into_owned(),
            };
            container.layers = upper.into_iter().chain(lower).map(layer).collect();
        }
        let files = opens.into_iter().map(|(path, opens)| {
            let layer = match &view {
                // Of other mounts than the container's own.
                Some(_) if is_elsewhere(&path) => FileLayer::Unknown("it is of other mounts"),
                Some(view) if path.starts_with('/') => view.layer_of(&path),
                _ => FileLayer::Unknown("it cannot be looked up"),
            };
            ContainerFile { path, opens, layer: layer_name(&layer) }
        });
        container.files = files.collect();
        container.files.sort_by(|one, other| one.path.cmp(&other.path));
        container
    }
}

/// True of `/proc/PID/root/…`, as paths of a process are called that sees other mounts.
fn is_elsewhere(path: &str) -> bool {
    let rest = path.strip_prefix("/proc/").and_then(|rest| rest.split_once('/'));
    rest.is_some_and(|(process, rest)| process.parse::<u32>().is_ok() && rest.starts_with("root"))
}

fn layer_name(layer: &FileLayer) -> String {
    match layer {
        FileLayer::Upper => "upper".to_owned(),
        FileLayer::Lower(number) => format!("lower {number}"),
        FileLayer::Mount(file_system) => format!("mount: {file_system}"),
        FileLayer::Unknown(reason) => format!("unknown: {reason}"),
    }
}
