//! Where findings lie, as SARIF says it: addresses of sources relative to where the command
//! was started, so that a code host finds them in its repository.

use super::form::{ArtifactLocation, Location, LogicalLocation, PhysicalLocation, Region, StackFrame, Text};
use crate::audit::words;
use fathom_audit::{Audit, FactKind, Finding, Frame};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::BTreeMap;

/// What relative addresses are relative to.
const ROOT: &str = "%SRCROOT%";
/// The home directory, which a redacted audit does not name.
const HOME: &str = "%HOME%";
/// Where a project keeps its budgets.
const PROJECT_FILE: &str = ".fathom.toml";
/// All but what a path in an address may hold as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_').remove(b'~');

/// Turns paths into addresses.
#[derive(Debug)]
pub(super) struct Places {
    /// The directory in which the command was started, without a slash at its end; empty, which is
    /// the whole file system, where it is not known.
    root: String,
    /// The project's file, or where it would be.
    project: String,
    is_redacted: bool,
}

impl Places {
    pub(super) fn of(audit: &Audit) -> Self {
        let directory = audit.command.as_ref().map(|command| command.directory.as_str());
        let directory = directory.filter(|directory| directory.starts_with('/') || is_in_home(directory));
        let project = audit.fact(FactKind::Project).unwrap_or(PROJECT_FILE).to_owned();
        Self {
            root: directory.unwrap_or_default().trim_end_matches('/').to_owned(),
            project,
            is_redacted: audit.fact(FactKind::Redacted).is_some(),
        }
    }

    /// What the root stands for; where names are left out, also what stands for the home directory.
    pub(super) fn bases(&self) -> BTreeMap<String, ArtifactLocation> {
        let mut bases = BTreeMap::from([(ROOT.to_owned(), Self::directory(&self.root))]);
        if self.is_redacted {
            let home = Text::new("the home directory of the user who ran the command");
            let home = ArtifactLocation { description: Some(home), ..ArtifactLocation::default() };
            bases.insert(HOME.to_owned(), home);
        }
        bases
    }

    /// The directory that relative addresses are relative to.
    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// A directory by its whole address, or by where it lies in the home directory.
    pub(super) fn directory(path: &str) -> ArtifactLocation {
        let path = path.trim_end_matches('/');
        if is_in_home(path) {
            return in_home(&format!("{path}/"));
        }
        at(format!("file://{}/", escaped(path)), None)
    }

    /// The program's own line, where it is known; else the program; else the project's file:
    /// hosts of code take no result without an address and a line.
    pub(super) fn location(&self, finding: &Finding) -> Location {
        let place = &finding.place;
        let own = place.first_of_yours();
        let own = own.filter(|frame| !frame.file.as_deref().is_some_and(is_no_file));
        let source = own.and_then(|frame| Some((frame.file.as_ref()?, frame.line)));
        let physical = match (source, &place.program) {
            (Some((file, line)), _) => self.region(file, line),
            (None, Some(program)) => self.region(program, None),
            (None, None) => self.region(&self.project, None),
        };
        let function = own.or(place.frames.first()).and_then(|frame| frame.function.as_deref());
        Location { logical_locations: function.map(|name| [logical(name)]), ..Location::of(physical) }
    }

    /// The project's file, which gives budgets.
    pub(super) fn of_project(&self) -> Location {
        Location::of(self.region(&self.project, None))
    }

    /// The file that the calls were about, or the first of them.
    pub(super) fn related(&self, finding: &Finding) -> Vec<Location> {
        let Some(paths) = &finding.place.paths else { return Vec::new() };
        let what = match paths.single() {
            Some(_) => "what the calls were about".to_owned(),
            None => format!("the first of {} that the calls were about", words::many_paths(paths)),
        };
        vec![Location { message: Some(Text::new(what)), ..Location::of(self.physical(&paths.first, None)) }]
    }

    /// A frame of a stack.
    pub(super) fn frame(&self, frame: &Frame) -> StackFrame {
        let location = Location {
            logical_locations: frame.function.as_ref().map(|name| [logical(name)]),
            message: None,
            physical_location: frame
                .file
                .as_ref()
                .filter(|file| !is_no_file(file))
                .map(|file| self.physical(file, frame.line)),
        };
        StackFrame { location, module: frame.module.clone() }
    }

    /// A file and a line of it, the first where none is known.
    fn region(&self, path: &str, line: Option<u32>) -> PhysicalLocation {
        self.physical(path, line.filter(|&line| line > 0).or(Some(1)))
    }

    /// A file, and a line of it.
    pub(super) fn physical(&self, path: &str, line: Option<u32>) -> PhysicalLocation {
        let below = path.strip_prefix(self.root.as_str()).and_then(|below| below.strip_prefix('/'));
        let artifact = match below {
            None if path.starts_with('/') => at(format!("file://{}", escaped(path)), None),
            None if is_in_home(path) => in_home(path),
            below => at(escaped(below.unwrap_or(path)), Some(ROOT)),
        };
        let line = line.filter(|&line| line > 0);
        PhysicalLocation { artifact_location: artifact, region: line.map(|start_line| Region { start_line }) }
    }
}

/// True of code that lies in no file: `<string>`, `<frozen importlib._bootstrap>`.
fn is_no_file(name: &str) -> bool {
    name.starts_with('<') && name.ends_with('>')
}

/// True of a path whose home directory was left out.
fn is_in_home(path: &str) -> bool {
    path == "~" || path.starts_with("~/")
}

fn in_home(path: &str) -> ArtifactLocation {
    let below = path.trim_start_matches('~').trim_start_matches('/');
    at(escaped(below), Some(HOME))
}

fn at(uri: String, base: Option<&'static str>) -> ArtifactLocation {
    ArtifactLocation { description: None, uri: Some(uri), uri_base_id: base }
}

fn logical(name: &str) -> LogicalLocation {
    LogicalLocation { fully_qualified_name: name.to_owned(), kind: "function" }
}

fn escaped(path: &str) -> String {
    utf8_percent_encode(path, ESCAPED).to_string()
}
