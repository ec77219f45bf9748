//! The head of the report: the run, the machine, and how far to trust it.

use crate::page::{Ink, Page};
use crate::quantity::{NONE, number, percent, rounded_bytes, things, three_digits};
use fathom_model::{DriverFacts, Environment, Floor, Floors, Noise, Reading, Record};

/// Says first of all when a record is only a part.
pub(crate) fn incomplete(page: &mut Page, record: &Record) {
    if !record.complete {
        page.paragraph(
            0,
            Ink::Bad,
            "INCOMPLETE: the run was interrupted or failed; what follows is the part that was measured.",
        );
        page.blank();
    }
}

/// The facts of the run and of the machine.
pub(crate) fn render(page: &mut Page, record: &Record) {
    let environment = &record.environment;
    let complete = if record.complete { "" } else { ", incomplete" };
    page.fact("run", &record.command.join(" "));
    let version = &record.fathom_version;
    page.fact("record", &format!("{}{complete}, Fathom {version}, seed {}", record.created, record.seed));
    page.fact("machine", &machine(environment));
    page.fact("clock", &clock(environment));
    // Records of before floors were taken have nothing to say of them.
    if record.floors != Floors::not_taken() {
        page.fact("bounds", &floors(&record.floors));
    }
    page.fact("noise", &noise(&record.noise));
    page.fact("tracers", &tracers(environment));
    for (index, driver) in record.drivers.iter().enumerate() {
        page.fact(if index == 0 { "drivers" } else { "" }, &self::driver(driver, page.is_full()));
    }
    if page.is_full() {
        more(page, environment);
    }
}

fn machine(environment: &Environment) -> String {
    let virtualization = match &environment.virtualization {
        Reading::Value(name) if name == "none" => "no hypervisor".to_owned(),
        Reading::Value(name) => format!("{name} guest"),
        Reading::Unavailable(reason) => format!("hypervisor unknown: {reason}"),
    };
    let cpus = things(environment.cpus.len() as u64, "CPU");
    let container = match environment.container.value() {
        Some(name) if name != "none" => format!(", in {name}"),
        _ => String::new(),
    };
    format!(
        "Linux {} {}, {}, {cpus}, {virtualization}{container}",
        environment.kernel,
        environment.architecture,
        or_reason(&environment.cpu_model, "CPU model", Clone::clone),
    )
}

fn clock(environment: &Environment) -> String {
    format!(
        "{}, resolution {} ns, {} ns a reading",
        or_reason(&environment.clock_source, "source", Clone::clone),
        environment.clock_resolution_ns,
        number(environment.clock_cost_ns, 1),
    )
}

/// What the cheapest calls cost: nothing that contains one can cost less.
fn floors(floors: &Reading<Floors>) -> String {
    let floors = match floors {
        Reading::Value(floors) => floors,
        Reading::Unavailable(reason) => return format!("unknown: {reason}"),
    };
    let each = |name: &str, floor: &Floor| {
        let [median, least, most] = [floor.median, floor.least, floor.most].map(three_digits);
        format!("{name} {median} ns ({least} to {most})")
    };
    format!(
        "{}, {}, {}; median and range of {} batches",
        each("null call", &floors.null_call_ns),
        each("fstat", &floors.fstat_ns),
        each("pread of 512 B", &floors.pread_ns),
        floors.null_call_ns.batches,
    )
}

fn noise(noise: &Reading<Noise>) -> String {
    let noise = match noise {
        Reading::Value(noise) => noise,
        Reading::Unavailable(reason) => return format!("unknown: {reason}"),
    };
    let load = |reading: &Reading<f64>| reading.value().map_or(NONE.to_owned(), |load| number(*load, 2));
    let mut facts =
        vec![format!("load {} to {}", load(&noise.load_average_start), load(&noise.load_average_end))];
    facts.push(format!("CPU busy {}", share(&noise.busy_share)));
    facts.push(format!("stolen {}", share(&noise.steal_share)));
    facts.push(format!("tasks waiting for CPU {}", share(&noise.cpu_pressure_share)));
    facts.push(format!("for I/O {}", share(&noise.io_pressure_share)));
    match &noise.cache_drops {
        Reading::Value(0) => {}
        Reading::Value(drops) => facts.push(format!("caches dropped {}", things(*drops, "time"))),
        Reading::Unavailable(reason) => facts.push(format!("cache drops unknown ({reason})")),
    }
    format!("{}; over {} s", facts.join(", "), number(noise.seconds, 0))
}

fn share(reading: &Reading<f64>) -> String {
    match reading {
        Reading::Value(share) => percent(*share),
        Reading::Unavailable(reason) => format!("unknown ({reason})"),
    }
}

fn tracers(environment: &Environment) -> String {
    match &environment.foreign_tracers {
        Reading::Value(tracers) if tracers.is_empty() => "none of others seen".to_owned(),
        Reading::Value(tracers) => {
            let each: Vec<_> = tracers.iter().map(|t| format!("{}: {}", t.source, t.detail)).collect();
            format!("OF OTHERS, ratios shift while attached: {}", each.join("; "))
        }
        Reading::Unavailable(reason) => format!("of others unknown: {reason}"),
    }
}

fn driver(driver: &DriverFacts, full: bool) -> String {
    let settings: Vec<_> = driver.environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let settings = if settings.is_empty() { String::new() } else { format!(", {}", settings.join(" ")) };
    let mut text = format!("{}: {}{settings}", driver.driver, driver.runtime);
    if full {
        let digest =
            or_reason(&driver.source_sha256, "source digest", |digest| format!("sources sha256 {digest}"));
        text = format!("{text}; {}; {}; {digest}", version_alone(&driver.toolchain), driver.program);
    }
    text
}

/// What a toolchain says of its version, without its terms: `gcc --version` goes on with its licence.
fn version_alone(toolchain: &str) -> String {
    let is_of_terms = |part: &&str| part.contains("Copyright") || part.contains("free software");
    let parts: Vec<&str> = toolchain.split("; ").take_while(|part| !is_of_terms(part)).collect();
    if parts.is_empty() { toolchain.to_owned() } else { parts.join("; ") }
}

fn more(page: &mut Page, environment: &Environment) {
    let memory = or_reason(&environment.memory_bytes, "memory", |bytes| rounded_bytes(*bytes as f64));
    let huge = or_reason(&environment.transparent_huge_pages, "transparent huge pages", |word| {
        format!("transparent huge pages {word}")
    });
    page.fact("memory", &format!("{memory}, pages of {} B, {huge}", environment.page_bytes));
    let page_out = or_reason(&environment.damon_page_out, "by DAMON", |schemes| {
        if schemes.is_empty() { "none by DAMON".to_owned() } else { schemes.join("; ") }
    });
    page.fact("page-out", &page_out);
    page.fact("governor", &or_reason(&environment.governor, "", Clone::clone));
    page.fact("container", &or_reason(&environment.container, "", Clone::clone));
    let capabilities = or_reason(&environment.capabilities, "capabilities", |c| format!("capabilities {c}"));
    let paranoid = or_reason(&environment.perf_event_paranoid, "perf_event_paranoid", |p| {
        format!("perf_event_paranoid {p}")
    });
    page.fact("rights", &format!("uid {}, {capabilities}, {paranoid}", environment.uid));
    page.fact("mitigated", &or_reason(&environment.mitigations, "", |lines| lines.join("; ")));
}

/// The value as text, or the name of what is missing with the reason.
pub(crate) fn or_reason<T>(reading: &Reading<T>, name: &str, text: impl FnOnce(&T) -> String) -> String {
    match reading {
        Reading::Value(value) => text(value),
        Reading::Unavailable(reason) => format!("{name} unknown ({reason})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_told_without_its_licence() {
        let gcc = "g++ (Debian 12.2.0-14+deb12u1) 12.2.0; Copyright (C) 2022 Free Software Foundation, Inc.; \
                   This is free software; see the source for copying conditions.  There is NO; warranty; not even \
                   for MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.";
        assert_eq!(version_alone(gcc), "g++ (Debian 12.2.0-14+deb12u1) 12.2.0");
        let rustc = "rustc 1.95.0 (59807616e 2026-04-14); binary: rustc; LLVM version: 22.1.2";
        assert_eq!(version_alone(rustc), rustc);
        assert_eq!(version_alone("Copyright 2026"), "Copyright 2026", "better than nothing");
    }
}
