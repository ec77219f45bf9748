//! The run of an audit, as SARIF describes that of a tool.

use super::bag;
use super::form::{Invocation, Level, Notification, Text};
use super::places::Places;
use fathom_audit::{Audit, GapKind};
use serde_json::{Value, json};

/// How the audit came about. The exit of the command that was watched is a property: the
/// form's own exit code is that of the tool.
pub(super) fn of(audit: &Audit) -> Invocation {
    let notes = audit.gaps.iter().map(|gap| {
        let message = Text::new(format!("{}: {}", gap.kind.word(), gap.text));
        Notification { level: Level::Warning, message }
    });
    let mut facts: Vec<(&str, Value)> =
        audit.about.iter().map(|fact| (fact.kind.word(), json!(fact.text))).collect();
    if let Some(command) = &audit.command {
        facts.push(("auditedCommand", json!(command.words)));
        facts.push(("auditedExitCode", json!(command.exit_code)));
        facts.push(("auditedSignal", json!(command.signal)));
    }
    let command = audit.command.as_ref();
    Invocation {
        command_line: command.map(|command| format!("fathom audit -- {}", shell_words::join(&command.words))),
        execution_successful: audit.gaps.iter().all(|gap| gap.kind != GapKind::Cut),
        properties: bag(facts),
        start_time_utc: audit.created.clone(),
        tool_execution_notifications: notes.collect(),
        working_directory: command.map(|command| Places::directory(&command.directory)),
    }
}
