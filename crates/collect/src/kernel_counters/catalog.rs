//! Which counters there are, and how each is made of perf events.
//!
//! - `page-cache-added` counts pages, but the kernel's event is one for each folio. So there
//!   is a counter for each order of folio, with a filter, and their sum must be all events.
//! - `file-faults` is `mm_filemap_map_pages` (the fault found pages in the cache and mapped
//!   them) plus `mm_filemap_fault` (it did not, and looked) less major faults, since a fault
//!   that waited for the device is handled again and then finds its page. A fault that finds
//!   its neighbors, but not its own page, enters twice, so all faults are the most there can be.
//! - `block_rq_issue:KIND` is `block_rq_issue` with a filter on the request's letters, and
//!   `block_bio_queue:empty` a flush that carries no data: it is issued as a flush only, but
//!   the device's statistics count it as a write of nothing too.
//! - A request of a partition bears the number of its whole disk; see `block`.

use super::CounterReading;
use super::block::{Device, PARTS, is_of_requests};
use super::perf_counter::{On, SummedCounter, reason};
use super::tracepoints::{Tracepoint, keep, tracepoints};
use fathom_model::counter_name as name;
use fathom_model::{CounterUnit, Reading, Scope};
use perf_event::events::{Software, Tracepoint as Event};
use std::io;

/// The largest folio has 2^11 pages.
const ORDER_MAX: u32 = 11;
/// What a user who may not see which tracepoints there are is told the reason for.
const KNOWN_BLOCK: [&str; 5] =
    ["block_bio_backmerge", name::BIO_QUEUE, "block_dirty_buffer", name::RQ_ISSUE, "block_touch_buffer"];
/// Counters of other tracepoints.
const KNOWN_OTHERS: [&str; 4] =
    [name::PAGES_ADDED, name::PAGES_DIRTIED, "page_fault_user", name::FILE_FAULTS];

/// A counter that is being counted, or why it is not.
#[derive(Debug)]
pub(super) struct Counted {
    name: String,
    source: String,
    scope: Scope,
    unit: CounterUnit,
    state: Result<Value, String>,
}

/// How a value is made.
#[derive(Debug)]
enum Value {
    One(SummedCounter),
    /// Folios of each order, and all of them together.
    Pages {
        by_order: Vec<SummedCounter>,
        all: SummedCounter,
    },
    FileFaults {
        entered: [SummedCounter; 2],
        minor: SummedCounter,
        major: SummedCounter,
    },
}

impl Counted {
    /// Its value now.
    pub(super) fn read(&mut self) -> CounterReading {
        let value = match &mut self.state {
            Ok(value) => value.read().into(),
            Err(reason) => Reading::unavailable(reason.clone()),
        };
        let (name, source) = (self.name.clone(), self.source.clone());
        CounterReading { name, source, scope: self.scope, unit: self.unit, value }
    }

    fn new(name: &str, source: String, scope: Scope, state: Result<Value, String>) -> Self {
        let unit = if name.starts_with("page-cache") { CounterUnit::Pages } else { CounterUnit::Events };
        Self { name: name.to_owned(), source, scope, unit, state }
    }
}

impl Value {
    fn read(&mut self) -> Result<u64, String> {
        let said = |error: io::Error| format!("read of a perf event: {error}");
        match self {
            Self::One(counter) => counter.read().map_err(said),
            Self::Pages { by_order, all } => {
                let (mut pages, mut folios) = (0, 0);
                for (order, counter) in by_order.iter_mut().enumerate() {
                    let count = counter.read().map_err(said)?;
                    pages += count << order;
                    folios += count;
                }
                let all = all.read().map_err(said)?;
                if all == folios {
                    Ok(pages)
                } else {
                    Err(format!("{all} folios, but {folios} of known order"))
                }
            }
            Self::FileFaults { entered: [mapped, looked_up], minor, major } => {
                let entered = mapped.read().map_err(said)? + looked_up.read().map_err(said)?;
                let (minor, major) = (minor.read().map_err(said)?, major.read().map_err(said)?);
                Ok(entered.saturating_sub(major).min(minor + major))
            }
        }
    }
}

/// The counters of a process with these threads, and of its pages of these inodes.
pub(super) fn on_task(threads: &[i32], inodes: &[u64]) -> Vec<Counted> {
    let on = On::Threads(threads);
    let mut counted = software(on);
    match tracepoints() {
        Err(reason) => counted.extend(unavailable_tracepoints(reason)),
        Ok(found) => {
            let of = |name| found.get(name);
            counted.push(Counted::new(
                name::PAGES_ADDED,
                "perf_event filemap:mm_filemap_add_to_page_cache, folios weighed by their order".to_owned(),
                Scope::Task,
                of("mm_filemap_add_to_page_cache").and_then(|found| pages_added(found, on, None)),
            ));
            if !inodes.is_empty() {
                let each: Vec<_> = inodes.iter().map(|inode| format!("i_ino == {inode}")).collect();
                let files = each.join(" || ");
                counted.push(Counted::new(
                    name::FILE_PAGES_ADDED,
                    "perf_event filemap:mm_filemap_add_to_page_cache, by inode".to_owned(),
                    Scope::Task,
                    of("mm_filemap_add_to_page_cache").and_then(|found| pages_added(found, on, Some(&files))),
                ));
            }
            counted.push(one(name::PAGES_DIRTIED, of("writeback_dirty_folio"), on, None));
            counted.push(one("page_fault_user", of("page_fault_user"), on, None));
            counted.push(Counted::new(
                name::FILE_FAULTS,
                "perf_event filemap:mm_filemap_map_pages + filemap:mm_filemap_fault - major-faults"
                    .to_owned(),
                Scope::Task,
                of("mm_filemap_map_pages")
                    .and_then(|mapped| file_faults(mapped, of("mm_filemap_fault")?, on)),
            ));
            for tracepoint in found.block() {
                counted.push(one(&tracepoint.name, Ok(tracepoint), on, None));
            }
            for (tracepoint, part, filter) in PARTS {
                counted.push(one(&part_name(tracepoint, part), of(tracepoint), on, Some(filter)));
            }
        }
    }
    counted
}

/// The same, each without a value for this reason.
pub(super) fn on_no_task(inodes: &[u64], reason: &str) -> Vec<Counted> {
    let mut counted = on_task(&[], inodes);
    for counter in &mut counted {
        counter.state = Err(reason.to_owned());
    }
    counted
}

/// The counters of a device.
pub(super) fn on_device(number: Option<&str>) -> Vec<Counted> {
    let attached = || -> Result<Vec<Counted>, String> {
        let number = number.ok_or("no block device below this place is known")?;
        let (device, cpus) = (Device::of(number)?, crate::cpus::online()?);
        let on = On::Cpus(&cpus);
        let mut counted = Vec::new();
        for tracepoint in tracepoints()?.block().filter(|tracepoint| tracepoint.format.has("dev")) {
            let own = device.filter(tracepoint);
            let mut push = |name: &str, filter: &str| {
                let mut counter = one(name, Ok(tracepoint), on, Some(filter));
                counter.scope = Scope::Device;
                if device.is_partition() && is_of_requests(&tracepoint.name) {
                    counter.source += " of the whole disk";
                }
                counted.push(counter);
            };
            push(&tracepoint.name, &own);
            for (_, part, filter) in PARTS.into_iter().filter(|(whole, ..)| *whole == tracepoint.name) {
                push(&part_name(&tracepoint.name, part), &format!("{own} && ({filter})"));
            }
        }
        Ok(counted)
    };
    attached().unwrap_or_else(|reason| {
        let unavailable =
            |name| Counted::new(name, "perf_event block".into(), Scope::Device, Err(reason.clone()));
        [name::BIO_QUEUE, name::RQ_ISSUE].map(unavailable).into()
    })
}

/// What can be counted here, by trying it on this very thread.
pub(super) fn survey() -> Vec<(&'static str, Result<String, String>)> {
    let here = rustix::thread::gettid().as_raw_nonzero().get();
    let on = On::Threads(std::slice::from_ref(&here));
    let faults = SummedCounter::open_modestly(Software::PAGE_FAULTS, on);
    let faults = faults.map_err(|error| reason(&error)).map(|counter| {
        if counter.user_mode_only {
            "in user mode only: not those that the kernel takes in a call".into()
        } else {
            "yes".into()
        }
    });
    let switches = SummedCounter::open(Software::CONTEXT_SWITCHES, on, None);
    let switches = switches.map_err(|error| reason(&error)).map(|_| "yes".into());
    let found = tracepoints().map_err(str::to_owned);
    let block = found.map(|found| format!("yes, {} tracepoints", found.block().count()));
    vec![("faults by perf", faults), ("switches by perf", switches), ("block and page cache", block)]
}

fn part_name(tracepoint: &str, part: &str) -> String {
    format!("{tracepoint}:{part}")
}

fn software(on: On<'_>) -> Vec<Counted> {
    let of = |name: &str, what: &str, event, in_user_mode: bool| {
        let mut source = format!("perf_event {what}");
        let state = match SummedCounter::open_modestly(event, on) {
            Ok(counter) if counter.user_mode_only && !in_user_mode => {
                // It would read 0 however many there were.
                Err("the kernel's events may not be counted by this user, and these happen in the kernel"
                    .into())
            }
            Ok(counter) => {
                if counter.user_mode_only && name != TASK_CLOCK {
                    source += ", in user mode only";
                }
                Ok(Value::One(counter))
            }
            Err(error) => Err(reason(&error)),
        };
        Counted::new(name, source, Scope::Task, state)
    };
    let mut counted = vec![
        of(name::MINOR_FAULTS, "minor-faults", Software::PAGE_FAULTS_MIN, true),
        of(name::MAJOR_FAULTS, "major-faults", Software::PAGE_FAULTS_MAJ, true),
        of(name::CONTEXT_SWITCHES, "context-switches", Software::CONTEXT_SWITCHES, false),
        of(name::MIGRATIONS, "cpu-migrations", Software::CPU_MIGRATIONS, false),
        of(TASK_CLOCK, "task-clock", Software::TASK_CLOCK, true),
    ];
    if let Some(clock) = counted.last_mut() {
        clock.unit = CounterUnit::Ns;
    }
    counted
}

/// CPU time as perf has it, which threads that have ended are part of.
const TASK_CLOCK: &str = "task-clock";

fn unavailable_tracepoints(reason: &str) -> Vec<Counted> {
    let parts = PARTS.map(|(whole, part, _)| part_name(whole, part));
    let names = KNOWN_BLOCK.into_iter().chain(KNOWN_OTHERS).chain(parts.iter().map(String::as_str));
    names.map(|name| Counted::new(name, "perf_event".into(), Scope::Task, Err(reason.to_owned()))).collect()
}

/// One tracepoint, with a filter where only some of its events are meant.
fn one(name: &str, tracepoint: Result<&Tracepoint, String>, on: On<'_>, filter: Option<&str>) -> Counted {
    let source = tracepoint.as_ref().map_or("perf_event".to_owned(), |found| found.source());
    let state = tracepoint.and_then(|found| Ok(Value::One(open(found, on, filter)?)));
    Counted::new(name, source, Scope::Task, state)
}

/// All pages, or those that a filter lets through.
fn pages_added(tracepoint: &Tracepoint, on: On<'_>, filter: Option<&str>) -> Result<Value, String> {
    if !tracepoint.format.has("order") {
        // Kernels that do not tell the order add single pages here.
        return Ok(Value::One(open(tracepoint, on, filter)?));
    }
    let and = filter.map(|filter| format!(" && ({filter})")).unwrap_or_default();
    let of = |order: u32| open(tracepoint, on, Some(&format!("order == {order}{and}")));
    let by_order = (0..=ORDER_MAX).map(of).collect::<Result<_, _>>()?;
    Ok(Value::Pages { by_order, all: open(tracepoint, on, filter)? })
}

fn file_faults(mapped: &Tracepoint, looked_up: &Tracepoint, on: On<'_>) -> Result<Value, String> {
    let faults = |event| SummedCounter::open(event, on, None).map_err(|error| reason(&error));
    Ok(Value::FileFaults {
        entered: [open(mapped, on, None)?, open(looked_up, on, None)?],
        minor: faults(Software::PAGE_FAULTS_MIN)?,
        major: faults(Software::PAGE_FAULTS_MAJ)?,
    })
}

fn open(tracepoint: &Tracepoint, on: On<'_>, filter: Option<&str>) -> Result<SummedCounter, String> {
    keep(tracepoint);
    SummedCounter::open(Event::with_id(tracepoint.id), on, filter).map_err(|error| reason(&error))
}
