//! The run of an audit, as SARIF describes that of a tool.

use super::bag;
use super::descriptors::level;
use super::places::Places;
use fathom_audit::{Audit, GapKind};
use serde_json::{Value, json};
use serde_sarif::sarif::{Invocation, Message, Notification, ResultLevel};

/// How the audit came about. The exit of the command that was watched is a property: the
/// form's own exit code is that of the tool.
pub(super) fn of(audit: &Audit) -> Invocation {
    let notes = audit.gaps.iter().map(|gap| {
        let message = Message::builder().text(format!("{}: {}", gap.kind.word(), gap.text)).build();
        Notification::builder().level(level(ResultLevel::Warning)).message(message).build()
    });
    let mut invocation = Invocation::builder()
        .execution_successful(audit.gaps.iter().all(|gap| gap.kind != GapKind::Cut))
        .tool_execution_notifications(notes.collect::<Vec<_>>())
        .build();
    invocation.start_time_utc.clone_from(&audit.created);
    let mut facts: Vec<(&str, Value)> =
        audit.about.iter().map(|fact| (fact.kind.word(), json!(fact.text))).collect();
    if let Some(command) = &audit.command {
        let shown = shell_words::join(&command.words);
        invocation.command_line = Some(format!("fathom audit -- {shown}"));
        invocation.working_directory = Some(Places::directory(&command.directory));
        facts.push(("auditedCommand", json!(command.words)));
        facts.push(("auditedExitCode", json!(command.exit_code)));
        facts.push(("auditedSignal", json!(command.signal)));
    }
    invocation.properties = Some(bag(facts));
    invocation
}
