//! As much of SARIF 2.1.0 as is written: its objects by their names in the form's section 3, their
//! properties in the order of the alphabet. A test holds what is written against the form's schema.

use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// `sarifLog`.
#[derive(Debug, Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) runs: Vec<Run>,
    pub(super) version: &'static str,
}

/// `run`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run {
    pub(super) invocations: Vec<Invocation>,
    pub(super) original_uri_base_ids: BTreeMap<String, ArtifactLocation>,
    pub(super) properties: PropertyBag,
    pub(super) results: Vec<Found>,
    pub(super) tool: Tool,
}

/// `tool`.
#[derive(Debug, Serialize)]
pub(super) struct Tool {
    pub(super) driver: ToolComponent,
}

/// `toolComponent`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolComponent {
    pub(super) information_uri: &'static str,
    pub(super) name: &'static str,
    pub(super) rules: Vec<ReportingDescriptor>,
    pub(super) semantic_version: String,
    pub(super) version: String,
}

/// `reportingDescriptor`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReportingDescriptor {
    pub(super) default_configuration: ReportingConfiguration,
    pub(super) full_description: Text,
    pub(super) help: Text,
    pub(super) id: String,
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<PropertyBag>,
    pub(super) short_description: Text,
}

/// `reportingConfiguration`.
#[derive(Debug, Serialize)]
pub(super) struct ReportingConfiguration {
    pub(super) level: Level,
}

/// `message` and `multiformatMessageString`, in plain text.
#[derive(Debug, Serialize)]
pub(super) struct Text {
    pub(super) text: String,
}

/// How bad: `level`.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Error,
    Warning,
    Note,
    None,
}

/// What became of a check: `kind`; a finding has none, which stands for `fail`.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Pass,
    Fail,
    Open,
}

/// `result`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Found {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<Kind>,
    pub(super) level: Level,
    pub(super) locations: Vec<Location>,
    pub(super) message: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) occurrence_count: Option<u64>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<PropertyBag>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) stacks: Vec<Stack>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) suppressions: Vec<Suppression>,
}

/// `stack`.
#[derive(Debug, Serialize)]
pub(super) struct Stack {
    pub(super) frames: Vec<StackFrame>,
}

/// `stackFrame`.
#[derive(Debug, Serialize)]
pub(super) struct StackFrame {
    pub(super) location: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) module: Option<String>,
}

/// `suppression`.
#[derive(Debug, Serialize)]
pub(super) struct Suppression {
    pub(super) justification: String,
    pub(super) kind: &'static str,
    pub(super) location: Location,
}

/// `location`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the form calls them so")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) logical_locations: Option<[LogicalLocation; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) physical_location: Option<PhysicalLocation>,
}

/// `logicalLocation`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogicalLocation {
    pub(super) fully_qualified_name: String,
    pub(super) kind: &'static str,
}

/// `physicalLocation`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

/// `artifactLocation`.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

/// `region`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: u32,
}

/// `invocation`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) command_line: Option<String>,
    pub(super) execution_successful: bool,
    pub(super) properties: PropertyBag,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_time_utc: Option<String>,
    pub(super) tool_execution_notifications: Vec<Notification>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) working_directory: Option<ArtifactLocation>,
}

/// `notification`.
#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub(super) level: Level,
    pub(super) message: Text,
}

/// `propertyBag`: what the form has no place for.
#[derive(Debug, Serialize)]
pub(super) struct PropertyBag {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<&'static str>,
    #[serde(flatten)]
    pub(super) others: BTreeMap<String, Value>,
}

impl Text {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

impl Location {
    pub(super) fn of(physical: PhysicalLocation) -> Self {
        Self { physical_location: Some(physical), ..Self::default() }
    }
}
