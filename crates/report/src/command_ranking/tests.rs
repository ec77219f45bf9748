//! The short text about several commands.

use super::*;
use crate::options::Details;
use fathom_model::{CommandArm, CommandOutput};
use fathom_stats::rank_commands;
use fathom_testkit::command_comparison;

fn output(bytes: u64) -> CommandOutput {
    let (sha256, end) = ("a".to_owned(), ProcessEnd::Exited(0));
    CommandOutput { bytes, sha256, is_repeatable: true, end }
}

/// The two of the sample, and as many more with the second one's times, the last of which writes less.
fn several(further: u32) -> CommandComparison {
    let mut measured = command_comparison();
    measured.old.output = Some(output(7));
    measured.new.output = Some(output(7));
    for index in 0..further {
        let mut command = measured.new.clone();
        command.text = format!("cat a {index}");
        command.output = Some(output(if index + 1 == further { 5 } else { 7 }));
        measured.further.push(command);
        for block in &mut measured.blocks {
            let mut run = block.run(CommandArm::New).unwrap().clone();
            run.arm = CommandArm::Further(index);
            block.runs.push(run);
        }
    }
    measured
}

fn text(measured: &CommandComparison) -> String {
    let options = TextOptions { width: 80, color: false, details: Details::Brief };
    render_ranked(measured, &rank_commands(measured), &options)
}

#[test]
fn what_writes_something_else_is_said_first_and_not_ranked() {
    let text = text(&several(2));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("4 commands, 24 blocks"), "{text}");
    assert!(lines[1].contains("output DIFFERS: `cat a 1` writes 5 bytes, the first 7; not ranked"), "{text}");
    assert!(lines[2].contains("--ignore-output"), "{text}");
    assert!(text.contains("Against the first command: slower: 2, 3."), "{text}");
    let row = lines.iter().rposition(|line| line.contains("4. cat a 1")).unwrap();
    assert!(lines[row].contains("output differs"), "{text}");
    assert!(lines[row - 1].contains("cat a"), "it stands behind the ranked ones: {text}");
    assert!(lines.iter().all(|line| width(line) <= 80), "{text}");
}

#[test]
fn many_commands_take_no_more_than_25_lines() {
    let text = text(&several(40));
    assert!(text.lines().count() <= 25, "{text}");
    assert!(text.contains("and 30 more"), "{text}");
}

#[test]
fn a_first_command_that_differs_from_itself_concludes_nothing() {
    let mut measured = several(1);
    for block in &mut measured.blocks {
        for run in block.runs.iter_mut().filter(|run| run.arm == CommandArm::Control) {
            run.wall_ns *= 2;
        }
    }
    let text = text(&measured);
    assert!(text.contains("differs from itself") && !text.contains("Against the first"), "{text}");
}

#[test]
fn a_table_has_a_row_for_each_command() {
    let csv = ranked_table(&rank_commands(&several(1)), TableForm::Csv).unwrap();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.lines().nth(3).unwrap().ends_with("\"differs: writes 5 bytes, the first 7\""), "{csv}");
}
