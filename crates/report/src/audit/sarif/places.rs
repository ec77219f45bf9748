//! Where findings lie, as SARIF says it: addresses of sources relative to where the command
//! was started, so that a code host finds them in its repository.

use fathom_audit::{Audit, Finding, Frame};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_sarif::sarif::{
    ArtifactLocation, Location, LogicalLocation, Message, PhysicalLocation, Region, StackFrame,
};
use std::collections::BTreeMap;

/// What relative addresses are relative to.
const ROOT: &str = "%SRCROOT%";
/// All but what a path in an address may hold as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// Turns paths into addresses.
#[derive(Debug)]
pub(super) struct Places {
    /// The directory in which the command was started, without a slash at its end.
    root: Option<String>,
}

impl Places {
    pub(super) fn of(audit: &Audit) -> Self {
        let directory = audit.command.as_ref().map(|command| command.directory.as_str());
        let directory = directory.filter(|directory| directory.starts_with('/'));
        Self { root: directory.map(|directory| directory.trim_end_matches('/').to_owned()) }
    }

    /// What the root stands for.
    pub(super) fn bases(&self) -> Option<BTreeMap<String, ArtifactLocation>> {
        let root = self.root.as_ref()?;
        Some(BTreeMap::from([(ROOT.to_owned(), Self::directory(root))]))
    }

    /// A directory by its whole address.
    pub(super) fn directory(path: &str) -> ArtifactLocation {
        let path = path.trim_end_matches('/');
        ArtifactLocation::builder().uri(format!("file://{}/", escaped(path))).build()
    }

    /// The program's own line, where it is known; else the program.
    pub(super) fn location(&self, finding: &Finding) -> Location {
        let place = &finding.place;
        let own = place.first_of_yours();
        let source = own.and_then(|frame| Some((frame.file.as_ref()?, frame.line)));
        let physical = match (source, &place.program) {
            (Some((file, line)), _) => Some(self.physical(file, line)),
            (None, Some(program)) => Some(self.physical(program, None)),
            (None, None) => None,
        };
        let function = own.or(place.frames.first()).and_then(|frame| frame.function.as_deref());
        let mut location = Location::builder().build();
        location.physical_location = physical;
        location.logical_locations = function.map(|name| vec![logical(name, "function")]);
        location
    }

    /// The files that the calls were about. What several have in common is no address.
    pub(super) fn related(&self, finding: &Finding) -> Vec<Location> {
        let Some(paths) = &finding.place.paths else { return Vec::new() };
        let is_one = paths.starts_with('/') && finding.place.shared_paths() == paths.as_str();
        let message = Message::builder().text("what the calls were about").build();
        let mut location = Location::builder().message(message).build();
        if is_one {
            location.physical_location = Some(self.physical(paths, None));
        } else {
            location.logical_locations = Some(vec![logical(paths, "resource")]);
        }
        vec![location]
    }

    /// A frame of a stack.
    pub(super) fn frame(&self, frame: &Frame) -> StackFrame {
        let mut location = Location::builder().build();
        location.physical_location = frame.file.as_ref().map(|file| self.physical(file, frame.line));
        location.logical_locations = frame.function.as_ref().map(|name| vec![logical(name, "function")]);
        let mut shown = StackFrame::builder().location(location).build();
        shown.module.clone_from(&frame.module);
        shown
    }

    /// A file, and a line of it.
    pub(super) fn physical(&self, path: &str, line: Option<u32>) -> PhysicalLocation {
        let below = self.root.as_ref().and_then(|root| path.strip_prefix(root.as_str())?.strip_prefix('/'));
        let artifact = match below {
            Some(below) => ArtifactLocation::builder().uri(escaped(below)).uri_base_id(ROOT).build(),
            None if path.starts_with('/') => {
                ArtifactLocation::builder().uri(format!("file://{}", escaped(path))).build()
            }
            None => ArtifactLocation::builder().uri(escaped(path)).uri_base_id(ROOT).build(),
        };
        let mut physical = PhysicalLocation::builder().artifact_location(artifact).build();
        physical.region = line.filter(|&line| line > 0).map(|line| {
            let start_line: i64 = line.into();
            Region::builder().start_line(start_line).build()
        });
        physical
    }
}

fn logical(name: &str, kind: &str) -> LogicalLocation {
    LogicalLocation::builder().fully_qualified_name(name).kind(kind).build()
}

fn escaped(path: &str) -> String {
    utf8_percent_encode(path, ESCAPED).to_string()
}
