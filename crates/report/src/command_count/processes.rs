//! The processes of a command: who began whom, how each ended, what each called.

use super::{CountBy, end, table};
use crate::columns::{Column, lines};
use crate::page::{Ink, Page};
use crate::quantity::{NONE, grouped, things};
use crate::visible::visible;
use crate::wrap::{elide, width};
use fathom_model::{CommandCount, CountedProcess};

/// Processes that are listed where nobody asked for all.
const LISTED_MAX: usize = 30;

/// A line per process; with it the calls of each process or thread where asked for.
pub(super) fn render(page: &mut Page, count: &CommandCount, by: CountBy) {
    let listed = if by == CountBy::Command { LISTED_MAX } else { usize::MAX };
    let rows: Vec<_> = count.processes.iter().enumerate().take(listed).collect();
    let table = lines(&[
        Column::right("pid", rows.iter().map(|(_, process)| process.pid.to_string()).collect()),
        Column::right("parent", rows.iter().map(|(_, process)| parent(count, process)).collect()),
        Column::right("calls", rows.iter().map(|(_, process)| process.calls().to_string()).collect()),
        Column {
            gap: 2,
            ..Column::beside("ended", rows.iter().map(|(_, process)| end(&process.end)).collect())
        },
    ]);
    let left = table.first().map_or(0, |line| width(line)) + 2;
    let room = page.width().saturating_sub(left);
    for (line, number) in table.iter().zip(0_usize..) {
        let program =
            number.checked_sub(1).map_or_else(|| "program".to_owned(), |row| program(count, rows[row].0));
        page.row(&format!("{line}  {}", elide(&visible(&program), room)), "", Ink::Plain);
        if let Some((_, process)) = number.checked_sub(1).map(|row| rows[row]) {
            calls(page, process, by);
        }
    }
    if count.processes.len() > rows.len() {
        let more = grouped((count.processes.len() - rows.len()) as u64);
        page.paragraph(2, Ink::Plain, &format!("... and {more} more; --by process shows all"));
    }
}

fn parent(count: &CommandCount, process: &CountedProcess) -> String {
    let parent = process.parent.and_then(|index| count.processes.get(index));
    parent.map_or_else(|| NONE.to_owned(), |parent| parent.pid.to_string())
}

/// The name and the words; what only forked is what its parent was, and says so.
fn program(count: &CommandCount, index: usize) -> String {
    let process = &count.processes[index];
    let name = process.threads.first().map_or("?", |thread| thread.name.as_str());
    let arguments = count.program_of(index).map(|program| program.arguments.as_slice()).unwrap_or_default();
    let fork = if process.programs.is_empty() { "(fork of) " } else { "" };
    let more = match process.threads.len() {
        0 | 1 => String::new(),
        threads => format!(" ({threads} threads)"),
    };
    // The kernel cuts names at 15 bytes.
    let file = arguments.first().and_then(|path| path.rsplit('/').next());
    let says_it = file.is_some_and(|file| file.starts_with(name));
    let name = if says_it { String::new() } else { format!("{name}: ") };
    format!("{fork}{name}{}{more}", arguments.join(" "))
}

fn calls(page: &mut Page, process: &CountedProcess, by: CountBy) {
    match by {
        CountBy::Command => {}
        CountBy::Process => page.tokens("      ", 6, &table::in_words(&process.sums()), ", "),
        CountBy::Thread => {
            for thread in &process.threads {
                let heading =
                    format!("thread {} {}: {}", thread.tid, thread.name, things(thread.calls_made(), "call"));
                page.paragraph(4, Ink::Plain, &heading);
                page.tokens("      ", 6, &table::in_words(&thread.sums()), ", ");
            }
        }
    }
}
