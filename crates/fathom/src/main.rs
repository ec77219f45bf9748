//! The `fathom` program: it reads the command line, runs one subcommand, and
//! turns what came of it into output and an exit code.

mod arguments;
mod collection_files;
mod command;
mod completion;
mod exit;
mod hinted;
mod interrupt;
mod kept_prices;
mod measuring;
mod methods;
mod mounts;
mod output;
mod output_file;
mod progress;
mod record_file;
mod record_folder;
mod redaction;
mod until_sure;

use crate::arguments::{Arguments, Command, TO_TRY, command_line};
use crate::exit::Exit;
use clap::FromArgMatches;
use fathom_lab::{
    BUILT_IN_WORD, RANK_COUNT_WORD, START_COUNT_WORD, count_as_rank, count_start_as_rank, prices,
    serve_built_in_driver,
};
use fathom_passthrough::GROUND_WORD;
use fathom_report::visible_lines;
use fathom_scenarios::ACTOR_WORD;
use fathom_sys::allocator::{WordyAllocator, keep_freed_memory};
use rustix::process::DumpableBehavior;
use std::io::Write;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: WordyAllocator = WordyAllocator {
    words: "error: not enough memory\nhint: the next run in the same directory removes what this one leaves there\n",
    code: exit::ERROR_CODE,
};

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    match words.next() {
        Some(word) if word == BUILT_IN_WORD => {
            return ExitCode::from(fathom_driver_native::main_with(words));
        }
        Some(word) if word == ACTOR_WORD => return ExitCode::from(fathom_scenarios::perform(words)),
        Some(word) if word == RANK_COUNT_WORD => return ExitCode::from(count_as_rank(words)),
        Some(word) if word == START_COUNT_WORD => return ExitCode::from(count_start_as_rank(words)),
        Some(word) if word == command::what_if::CALIBRATION_WORD => {
            return ExitCode::from(command::what_if::perform_calibration(words));
        }
        Some(word) if word == GROUND_WORD => return ExitCode::from(fathom_passthrough::perform()),
        Some(word) if word == prices::PRICE_PROCESS_WORD => return ExitCode::from(prices::perform(words)),
        _ => {}
    }
    if completion::answer_shell(command_line) {
        return Exit::Done.into();
    }
    // Behind the processes that measure: their memory is as it would be in any program.
    keep_freed_memory();
    serve_built_in_driver();
    be_readable();
    if std::env::args_os().len() == 1 {
        return print_help();
    }
    let arguments =
        match command_line().try_get_matches().and_then(|found| Arguments::from_arg_matches(&found)) {
            Ok(arguments) => arguments,
            Err(error) => {
                let failed = error.use_stderr();
                let _closed_early = error.print();
                return if failed { Exit::Error.into() } else { Exit::Done.into() };
            }
        };
    // Where it cannot be had, the limit of file sizes kills us as it always did.
    let _mortal = interrupt::survive_file_limit();
    output::choose_color(arguments.color);
    progress::choose(arguments.progress);
    match run(arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) if command::is_interrupt(&error) => Exit::Interrupted.into(),
        Err(error) => report_error(&error).into(),
    }
}

/// A program whose file has capabilities is closed to its own user: `/proc/self` belongs to root
/// then. Who may look into it is a question of capabilities still.
fn be_readable() {
    // Where it is refused, what cannot be read says so.
    let _closed = rustix::process::set_dumpable_behavior(DumpableBehavior::Dumpable);
}

fn run(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Audit(audit) => command::audit::run(&audit.with_defaults()),
        Command::Bench(bench) => command::bench::run(&bench),
        Command::Bisect(bisect) => command::bisect::run(&bisect),
        Command::Ci(ci) => command::ci::run(&ci),
        Command::Compare(compare) => command::compare::run(&compare),
        Command::Count(count) => command::count::run(&count),
        Command::Decide(decide) => command::decide::run(&decide),
        Command::Prices(prices) => command::prices::run(&prices),
        Command::FlameGraph(graph) => command::flame_graph::run(&graph),
        Command::Report(report) => command::report::run(&report),
        Command::Export(export) => command::export::run(&export),
        Command::List(list) => command::list::run(&list),
        Command::Show(show) => command::show::run(&show),
        Command::Doctor(doctor) => command::doctor::run(&doctor),
        Command::Data(data) => command::data::run(&data),
        Command::Gate(gate) => command::gate::run(&gate),
        Command::Top(top) => command::top::run(&top),
        Command::Trace(trace) => command::trace::run(&trace),
        Command::Track(track) => command::track::run(&track),
        Command::Verify(verify) => command::verify::run(&verify),
        Command::WhatIf(what_if) => command::what_if::run(&what_if),
        Command::Driver(driver) => command::driver::run(&driver),
        Command::Man(man) => command::man::run(&man),
        Command::Completions(completions) => command::completions::run(&completions),
    }
}

/// `fathom` alone: what to try first, then the short help.
fn print_help() -> ExitCode {
    let help = command_line().before_help("").render_help();
    let mut out = anstream::stdout();
    let _closed_early = writeln!(out, "{TO_TRY}\n\n{help}");
    Exit::Done.into()
}

/// Prints the error once, with its causes and the next step.
fn report_error(error: &anyhow::Error) -> Exit {
    if error.downcast_ref::<std::io::Error>().is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe) {
        // The reader of our output went away: nobody is there to be told.
        return Exit::Error;
    }
    let mut err = anstream::stderr();
    let _closed_early = writeln!(err, "error: {}", visible_lines(&shortened(format!("{error:#}"))));
    if let Some(hint) = command::hint_of(error) {
        let _closed_early = writeln!(err, "hint: {}", visible_lines(&hint));
    }
    Exit::Error
}

/// An error without its middle where it is very long: what a hostile file holds may stand in it.
fn shortened(text: String) -> String {
    const END_BYTES: usize = 8 << 10;
    if text.len() <= 3 * END_BYTES {
        return text;
    }
    let (head, tail) = (text.floor_char_boundary(END_BYTES), text.ceil_char_boundary(text.len() - END_BYTES));
    format!("{} … ({} bytes left out) … {}", &text[..head], tail - head, &text[tail..])
}
