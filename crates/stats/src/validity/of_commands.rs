//! What counts and a look at files say of two commands.

use super::{FileDeeds, SharedConditions, SideSeen, judge_validity};
use fathom_model::{Reading, RunCounts, ValidityFlag};

/// One of two commands.
#[derive(Debug, Clone, Copy)]
pub struct CommandSeen<'a> {
    /// The words that were executed.
    pub words: &'a [String],
    /// True where a shell runs them: what is run stands in the last word.
    pub shell: bool,
    /// The program's SHA-256, and its arguments with files of programs replaced by theirs.
    pub program: Option<&'a (String, Vec<String>)>,
    /// Its calls.
    pub counts: &'a Reading<RunCounts>,
    /// What it did with files.
    pub deeds: Option<&'a FileDeeds>,
}

/// Everything that keeps a comparison of two commands from being one.
pub fn validity_of_commands(commands: [CommandSeen<'_>; 2]) -> Vec<ValidityFlag> {
    judge_validity(&commands.map(side), SharedConditions::default())
}

fn side(command: CommandSeen<'_>) -> SideSeen {
    let counts = command.counts.value();
    let key = |call: &fathom_model::RunCalls| (call.call.clone(), call.errno.clone());
    let exact = counts.filter(|counts| counts.is_exact()).map(|counts| {
        let calls = counts.calls.iter().map(|call| (key(call), call.per_run.first().copied().unwrap_or(0)));
        calls.filter(|(_, count)| *count > 0).collect()
    });
    SideSeen {
        words: own_words(command),
        program: command.program.cloned(),
        calls: exact,
        called: counts.map(|counts| counts.calls.iter().map(key).collect()),
        deeds: command.deeds.cloned(),
        answers_otherwise: false,
    }
}

/// Words that say how it is done: programs, scripts and options. What is read is called what it is.
fn own_words(command: CommandSeen<'_>) -> Vec<String> {
    const SCRIPTS: [&str; 8] = [".py", ".sh", ".js", ".mjs", ".pl", ".rb", ".lua", ".jar"];
    let words: Vec<String> = if command.shell {
        let text = command.words.last().map_or("", String::as_str);
        text.split([' ', '\t', '\n', ';', '|', '&', '(', ')']).map(str::to_owned).collect()
    } else {
        command.words.to_vec()
    };
    let is_way = |(at, word): &(usize, &String)| {
        *at == 0
            || word.starts_with('-')
            || word.contains('=') && !word.contains('/')
            || SCRIPTS.iter().any(|ending| word.ends_with(ending))
    };
    let said = words.iter().filter(|word| !word.is_empty()).enumerate().filter(is_way);
    said.map(|(_, word)| word.rsplit('/').next().unwrap_or(word).to_owned()).collect()
}
