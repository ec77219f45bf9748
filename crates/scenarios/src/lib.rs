//! Scenarios: experiments whose result is not a time but what became of
//! something. Every trial is made by real processes on real files, in every
//! place of the plan; this file walks through the places.
//!
//! What is timed is the lab's, which gives what trials need: scratch directories, fresh file
//! systems, drivers, and programs that are built as drivers are.

mod actor;
mod allocations;
mod answers;
mod config_errors;
mod errno_name;
mod first_read;
mod go_program;
mod go_runtime;
mod ground;
mod hot_reload;
mod limits;
mod lines;
mod memory_files;
mod performer;
mod pitfalls;
mod program;
mod rows;
mod shared_descriptor;
mod spread;
mod tool;
mod write_directory;

pub use actor::perform;
pub use performer::ACTOR_WORD;

use fathom_catalog::Scenario;
use fathom_lab::{Conditions, Observer};
use fathom_model::Outcome;
use ground::Ground;
use performer::Trouble;
use rows::Rows;

/// Tries a scenario everywhere. The outcomes, and false when it was interrupted.
pub fn run(
    scenario: Scenario,
    conditions: &Conditions<'_>,
    observer: &mut dyn Observer,
) -> (Vec<Outcome>, bool) {
    let mut rows = Rows::new(observer);
    let complete = match run_everywhere(scenario, conditions, &mut rows) {
        Ok(()) => true,
        Err(Interrupted) => false,
    };
    (rows.into_outcomes(), complete)
}

/// The user interrupted it.
#[derive(Debug)]
struct Interrupted;

fn run_everywhere(
    scenario: Scenario,
    conditions: &Conditions<'_>,
    rows: &mut Rows<'_>,
) -> Result<(), Interrupted> {
    for (place, known) in conditions.places {
        let ground = match known {
            Ok((index, name)) => {
                rows.at_place(Some(*index));
                Ground::in_place(place, name, conditions.stop)
            }
            Err(error) => {
                rows.at_place(None);
                Err(Trouble::Failed(error.clone()))
            }
        };
        match ground {
            Ok(ground) => run_on(scenario, &ground, conditions, rows)?,
            Err(trouble) => rows.add(title(scenario), &place.to_string(), Err(trouble))?,
        }
    }
    rows.at_place(None);
    match scenario {
        Scenario::WriteDirectory => write_directory::run_on_mounts(conditions.stop, rows),
        Scenario::MemoryFiles => memory_files::run_on_memfd(conditions.stop, rows),
        _ => Ok(()),
    }
}

fn run_on(
    scenario: Scenario,
    ground: &Ground<'_>,
    conditions: &Conditions<'_>,
    rows: &mut Rows<'_>,
) -> Result<(), Interrupted> {
    match scenario {
        Scenario::Pitfalls => pitfalls::run(ground, rows),
        Scenario::HotReload => hot_reload::run(ground, rows),
        Scenario::WriteDirectory => write_directory::run(ground, conditions.mount, rows),
        Scenario::ConfigErrors => config_errors::run(ground, rows),
        Scenario::SharedDescriptor => shared_descriptor::run(ground, rows),
        Scenario::Limits => limits::run(ground, conditions.mount, rows),
        Scenario::GoRuntime => go_runtime::run(ground, rows),
        Scenario::MemoryFiles => memory_files::run(ground, rows),
        Scenario::Allocations => allocations::run(ground, conditions.stop, rows),
        Scenario::FirstRead => first_read::run(ground, conditions.stop, rows),
    }
}

/// What stands for all cases of a scenario where none can be tried.
fn title(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Pitfalls => "every pitfall",
        Scenario::HotReload => "every way to replace a file",
        Scenario::WriteDirectory => write_directory::CASE,
        Scenario::ConfigErrors => "every broken configuration",
        Scenario::SharedDescriptor => shared_descriptor::CASE,
        Scenario::Limits => "every limit",
        Scenario::MemoryFiles => "every property of a memory file",
        Scenario::GoRuntime => "every property of Go's tools",
        Scenario::Allocations => "every way to allocate",
        Scenario::FirstRead => "every preparation of a first read",
    }
}
