//! `fathom doctor`: what this machine can measure, and why not the rest.

use crate::arguments::Doctor;
use crate::exit::Exit;
use crate::{interrupt, output, record_file};
use anyhow::Context;
use fathom_collect::{counter_survey, environment};
use fathom_lab::{DriverState, PlaceProbe, host_warnings, probe_place, shipped_survey};
use fathom_model::{Place, Reading};
use std::fmt::{Display, Write as _};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// When drivers are given up, after the start: a person waits 2 s for the whole answer.
const PATIENCE: Duration = Duration::from_millis(1600);

/// Looks at everything that a run needs.
pub(crate) fn run(doctor: &Doctor) -> anyhow::Result<Exit> {
    let deadline = (!doctor.full).then(|| Instant::now() + PATIENCE);
    let stop = interrupt::flag()?;
    let mut text = String::new();
    machine(&mut text)?;
    measuring(&mut text)?;
    let (survey, places) = std::thread::scope(|scope| {
        let ask = || shipped_survey(deadline, &stop);
        let survey = std::thread::Builder::new()
            .spawn_scoped(scope, ask)
            .context("no thread can be made to ask the drivers")?;
        let places = places(doctor);
        let survey = survey.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        anyhow::Ok((survey, places))
    })?;
    if stop.load(Ordering::Relaxed) {
        return Ok(Exit::Interrupted);
    }
    drivers(&mut text, survey?)?;
    text.push_str(&places?);
    records(&mut text)?;
    output::data(text.trim_end())?;
    Ok(Exit::Done)
}

fn places(doctor: &Doctor) -> anyhow::Result<String> {
    let mut text = String::new();
    for directory in &doctor.dir {
        place(&mut text, &Place::Directory(directory.clone()))?;
    }
    place(&mut text, &Place::Memfd)?;
    Ok(text)
}

fn line(text: &mut String, name: &str, value: impl Display) -> std::fmt::Result {
    writeln!(text, "  {name:<22} {value}")
}

fn reading<T: Display>(text: &mut String, name: &str, value: &Reading<T>) -> std::fmt::Result {
    match value {
        Reading::Value(value) => line(text, name, value),
        Reading::Unavailable(reason) => line(text, name, format_args!("unavailable: {reason}")),
    }
}

fn machine(text: &mut String) -> anyhow::Result<()> {
    let machine = environment();
    writeln!(text, "Machine")?;
    line(text, "kernel", format_args!("{} {}", machine.kernel, machine.architecture))?;
    reading(text, "CPU", &machine.cpu_model)?;
    line(text, "CPUs for us", machine.cpus.len())?;
    reading(text, "virtualization", &machine.virtualization)?;
    reading(text, "clock source", &machine.clock_source)?;
    line(
        text,
        "clock",
        format_args!(
            "{:.0} ns a reading, resolution {} ns",
            machine.clock_cost_ns, machine.clock_resolution_ns
        ),
    )?;
    reading(text, "huge pages", &machine.transparent_huge_pages)?;
    let page_out = machine
        .damon_page_out
        .clone()
        .map(|schemes| if schemes.is_empty() { "none by DAMON".to_owned() } else { schemes.join("; ") });
    reading(text, "page-out", &page_out)?;
    let tracers = machine.foreign_tracers.clone().map(|tracers| match tracers.len() {
        0 => "none".to_owned(),
        _ => tracers.iter().map(|t| format!("{} ({})", t.detail, t.source)).collect::<Vec<_>>().join(", "),
    });
    reading(text, "tracers of others", &tracers)?;
    for warning in host_warnings(&machine) {
        // What a fact above says already is not said again; what to do about it is.
        let is_said = matches!(warning.code.as_str(), "foreign-tracer" | "page-out");
        match warning.hint.filter(|_| is_said) {
            Some(hint) => writeln!(text, "  hint: {hint}")?,
            None => writeln!(text, "  warning: {}", warning.message)?,
        }
    }
    writeln!(text)?;
    Ok(())
}

fn measuring(text: &mut String) -> anyhow::Result<()> {
    let or_reason = |result: Result<(), String>, yes: &str| match result {
        Ok(()) => yes.to_owned(),
        Err(reason) => format!("unavailable: {reason}"),
    };
    writeln!(text, "Measuring")?;
    line(text, "times", "yes")?;
    line(text, "system-call counts", or_reason(fathom_trace::availability(), "yes, by ptrace"))?;
    let ring = fathom_trace::ring_availability().map_err(|refusal| refusal.to_string());
    line(text, "file calls by a ring", or_reason(ring, "yes (fathom audit --capture ring, --pid)"))?;
    line(text, "pinning to a CPU", or_reason(fathom_lab::pinning(), "yes"))?;
    for (name, found) in counter_survey() {
        reading(text, name, &found.into())?;
    }
    let drop = "unavailable: only root may write /proc/sys/vm/drop_caches; eviction of our own files works";
    line(
        text,
        "drop-caches",
        if fathom_lab::may_drop_caches() { "yes, when asked (--drop-caches)" } else { drop },
    )?;
    writeln!(text)?;
    Ok(())
}

fn drivers(text: &mut String, survey: Vec<(String, DriverState)>) -> anyhow::Result<()> {
    writeln!(text, "Drivers")?;
    for (name, state) in survey {
        match state {
            DriverState::Ready(driver) => {
                line(text, &name, format_args!("{} ({})", driver.facts.runtime, driver.facts.program))?;
                for method in &driver.description.methods {
                    if let Some(reason) = &method.unavailable {
                        line(text, "", format_args!("{} unavailable: {reason}", method.name))?;
                    }
                }
            }
            DriverState::NotBuilt { toolchain } => {
                let version = toolchain.split(';').next().unwrap_or(&toolchain);
                line(text, &name, format_args!("{version}: not tried yet, built on first use"))?;
            }
            DriverState::Unavailable(reason) => line(text, &name, format_args!("unavailable: {reason}"))?,
            DriverState::NotKnown => {
                line(text, &name, "not known: no answer in time; `fathom doctor --full` waits for it")?;
            }
        }
    }
    writeln!(text)?;
    Ok(())
}

fn place(text: &mut String, place: &Place) -> anyhow::Result<()> {
    writeln!(text, "Place {place}")?;
    match probe_place(place) {
        Err(error) => line(text, "unavailable", error)?,
        Ok(PlaceProbe { facts, warm, cold, written }) => {
            line(text, "file system", format_args!("{} ({})", facts.file_system, facts.magic))?;
            reading(text, "mount options", &facts.mount_options.clone().map(|options| options.join(",")))?;
            reading(text, "journal", &facts.journal)?;
            let device = facts.device.clone().map(|device| {
                let ahead =
                    device.read_ahead_kib.value().map_or("unknown".to_owned(), |kib| format!("{kib} KiB"));
                format!("{} ({}), read-ahead {ahead}", device.name, device.number)
            });
            reading(text, "device", &device)?;
            reading(text, "direct I/O alignment", &facts.direct_io_alignment_bytes)?;
            line(text, "data written", written)?;
            line(text, "warm state", warm)?;
            line(text, "cold state", cold)?;
        }
    }
    writeln!(text)?;
    Ok(())
}

fn records(text: &mut String) -> anyhow::Result<()> {
    writeln!(text, "Records")?;
    match record_file::default_folder() {
        Ok(folder) => line(text, "go to", folder.display())?,
        Err(error) => line(text, "go to", format_args!("nowhere by default: {error:#}; use -o FILE"))?,
    }
    Ok(())
}
