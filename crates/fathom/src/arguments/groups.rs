//! The commands of `fathom --help` by what somebody wants to do.

use super::Arguments;
use clap::CommandFactory;
use std::fmt::Write;

/// Headings with their commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Your program", &["audit", "ci", "track", "bisect", "count", "top", "trace", "what-if"]),
    ("Measure", &["bench", "compare", "verify", "decide", "gate", "prices"]),
    ("Results", &["show", "report", "export", "flame-graph"]),
    ("Set up", &["doctor", "list", "data", "driver", "man", "completions", "help"]),
];

/// The command line, its help in groups.
pub(crate) fn command_line() -> clap::Command {
    let command = Arguments::command();
    let width = command.get_subcommands().map(|each| each.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _infallible = writeln!(text, "{heading}:");
        for name in names {
            let about = match command.find_subcommand(name).and_then(clap::Command::get_about) {
                Some(about) => about.to_string(),
                None => "Print this message or the help of a command".to_owned(),
            };
            let _infallible = writeln!(text, "  {name:width$}  {about}");
        }
        text.push('\n');
    }
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_stands_in_one_group_on_one_line() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let command = Arguments::command();
        let known: BTreeSet<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let named: BTreeSet<&str> = grouped.iter().copied().filter(|name| *name != "help").collect();
        assert_eq!((named.len() + 1, &named), (grouped.len(), &known));
        let help = command_line().render_help().to_string();
        let commands = help.split("Your program:").nth(1).and_then(|rest| rest.split("Options:").next());
        let commands = commands.unwrap_or_else(|| panic!("{help}"));
        assert!(commands.lines().all(|line| line.len() <= 100), "{help}");
    }
}
