//! The table of settings.

use super::{prose, titled};
use fathom_model::{Operation, Setting, SettingKind};

/// The page.
pub(super) fn page() -> String {
    let mut lines = vec![
        "What an experiment can vary beside files, blocks and buffers: `fathom bench ... --set NAME=VALUE,VALUE`, or a key of `[parameters]` in an experiment's file.".to_owned(),
        String::new(),
        "| setting | what it sets | values | when left out | for |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    lines.extend(Setting::ALL.into_iter().map(row));
    titled("Settings", &lines.join("\n"))
}

fn row(setting: Setting) -> String {
    let default = setting.default_value().to_string();
    let default = if default.is_empty() { "nothing".to_owned() } else { format!("`{default}`") };
    format!(
        "| `{}` | {} | {} | {default} | {} |",
        setting.word(),
        prose(setting.sentence()),
        values(setting),
        operations(setting)
    )
}

fn values(setting: Setting) -> String {
    match setting.kind() {
        SettingKind::Count(least, most) => format!("{least} to {most}"),
        SettingKind::Size(most) => format!("a size, up to {} MiB", most >> 20),
        SettingKind::Words(words) => {
            words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        SettingKind::Text => "text".to_owned(),
    }
}

/// The operations for which it means something.
fn operations(setting: Setting) -> String {
    let (concerned, others): (Vec<_>, Vec<_>) =
        Operation::ALL.into_iter().partition(|&operation| setting.concerns(operation));
    let list = |operations: &[Operation]| {
        operations.iter().map(|operation| format!("`{}`", operation.word())).collect::<Vec<_>>().join(", ")
    };
    if others.is_empty() {
        "all".to_owned()
    } else if others.len() < concerned.len() {
        format!("all but {}", list(&others))
    } else {
        list(&concerned)
    }
}
