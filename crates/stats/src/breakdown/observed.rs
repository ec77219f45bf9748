//! The parts that the kernel's counters show: faults, pages brought in, waiting.

use super::{BreakdownParts, listed};
use crate::price_lookup::{Asked, half_width, quote};
use fathom_model::{
    CacheState, CountPass, EvidencePass, KernelCounter, Part, PartKind, Reading, Scope, Setting, call_form,
    counter_name,
};

/// A thread that waited for a CPU less than this share of the time did not wait
/// for it, and neither did it for anything else: clocks differ by as much.
const WAITING_MIN: f64 = 0.01;
/// Who waits gives the CPU up: without so many voluntary switches per operation
/// what the clocks leave over is no waiting.
const SWITCHES_MIN: f64 = 0.01;
/// Shorter operations are timed in batches of 100 µs and their median taken, which
/// leaves out those in which the process had to wait for a CPU.
const QUEUED_FROM_NS: f64 = 1e6;
/// More CPU time than wall time by this share means threads beside each other.
const OVERLAP_MIN: f64 = 0.05;

/// In the remarks where waiting may be in the rest.
pub(super) const WAITING_UNKNOWN: &str = "waiting not known";
/// The same, where nothing was observed at all.
pub(super) const NOTHING_OBSERVED: &str = "no operations were observed";
/// In the source of a perf counter that was not allowed to see the kernel.
const USER_MODE: &str = "user mode";

/// What was observed of one variant.
#[derive(Debug, Default)]
pub(super) struct Observed {
    pub(super) parts: Vec<Part>,
    pub(super) unpriced: Vec<String>,
    /// What could not be told, for the rest that it is in.
    pub(super) remarks: Vec<String>,
    /// True when no waiting can be in the rest.
    pub(super) is_whole: bool,
    waiting_is_known: bool,
}

impl Observed {
    /// The observed parts; what counters could not be had leaves remarks.
    pub(super) fn of(parts: &BreakdownParts<'_>, counts: &CountPass, total_ns: f64) -> Self {
        let mut observed = Self::default();
        match parts.counters {
            Reading::Value(pass) if pass.operations() > 0 => {
                observed.add_faults(parts, counts, pass);
                observed.add_waiting(pass, total_ns);
            }
            Reading::Value(_) => observed.remarks.push(NOTHING_OBSERVED.to_owned()),
            Reading::Unavailable(reason) => {
                observed.remarks.push(format!("faults and {WAITING_UNKNOWN}: {reason}"));
            }
        }
        let threads = parts.variant.parameters.settings.number(Setting::Threads);
        if threads > 1 {
            observed.remarks.push(format!("{threads} threads work beside each other, so that parts overlap"));
        }
        observed
    }

    /// True when waiting, if there was any, is among the parts.
    pub(super) fn knows_waiting(&self) -> bool {
        self.waiting_is_known
    }

    fn add_faults(&mut self, parts: &BreakdownParts<'_>, counts: &CountPass, pass: &EvidencePass) {
        // rusage also has the pages that a call brings into a mapping by itself (MAP_POPULATE),
        // which are in the call's price; without privilege perf sees the faults of user code alone.
        let counted = |perf: &str, rusage: &str| {
            let is_whole =
                |counter: &&KernelCounter| !counter.source.contains(USER_MODE) && counter.median().is_some();
            match pass.counter(perf, Scope::Task).filter(is_whole) {
                Some(_) => pass.per_operation(perf),
                None => [perf, rusage].iter().filter_map(|name| pass.per_operation(name)).reduce(f64::max),
            }
        };
        let minor = counted(counter_name::MINOR_FAULTS, counter_name::RUSAGE_MINOR_FAULTS);
        let major = counted(counter_name::MAJOR_FAULTS, counter_name::RUSAGE_MAJOR_FAULTS);
        if minor.is_none() {
            self.remarks.push("faults not known".to_owned());
        }
        let (minor, major) = (minor.unwrap_or(0.0), major.unwrap_or(0.0));
        let (on_file, guess) = match pass.per_operation(counter_name::FILE_FAULTS) {
            Some(file) => ((file - major).clamp(0.0, minor.max(0.0)), None),
            None if maps_file(parts, counts) => (minor, Some("all taken for faults on the file".to_owned())),
            None => (0.0, None),
        };
        let around = Asked::event("minor-fault-file", call_form::MAPPED_READ);
        self.add_priced(parts, PartKind::Fault, ("minor faults, file", &around), on_file, guess);
        let anonymous = Asked::event("minor-fault-anonymous", call_form::MEMORY_WRITE);
        self.add_priced(
            parts,
            PartKind::Fault,
            ("minor faults, anonymous", &anonymous),
            minor - on_file,
            None,
        );
        let waiting = Asked::event("major-fault", call_form::ONE_BY_ONE);
        self.add_priced(parts, PartKind::Fault, ("major faults", &waiting), major, None);
        let (pages, guess) = pages_filled(parts, pass);
        self.add_pages(parts, pass, (pages, major.max(0.0)), guess);
    }

    /// Pages brought in cost by the page, and by the request that brings one or several:
    /// a price of pages that come many at a time is the page's, what a page that comes
    /// alone costs more is the request's.
    fn add_pages(
        &mut self,
        parts: &BreakdownParts<'_>,
        pass: &EvidencePass,
        (pages, major): (f64, f64),
        guess: Option<String>,
    ) {
        let fill = |form| Asked::event("page-cache-fill", form);
        let (alone, ahead) = (fill(call_form::ONE_BY_ONE), fill(call_form::READ_AHEAD));
        // The price of a major fault holds the page that it brings in, and its request.
        let requests = pass.per_operation(counter_name::BIO_QUEUE).map(|each| each.max(0.0) - major);
        let prices = &parts.prices.prices;
        let of_request = quote(prices, &alone).zip(quote(prices, &ahead)).and_then(|(alone, ahead)| {
            let exact = alone.remark().is_none() && ahead.remark().is_none();
            let (alone, ahead) = (alone.cpu_ns, ahead.cpu_ns);
            exact.then_some((alone.value - ahead.value, half_width(&alone), half_width(&ahead)))
        });
        let (Some(requests), Some((each, alone_error, ahead_error))) = (requests, of_request) else {
            let asked = if is_ahead(pages, pass) { &ahead } else { &alone };
            self.add_priced(parts, PartKind::PageCache, ("pages brought in", asked), pages - major, guess);
            return;
        };
        self.add_priced(parts, PartKind::PageCache, ("pages brought in", &ahead), pages - major, guess);
        // Past the page cache too; those of writes are not the operation's to wait for.
        let reads =
            pages > 0.0 || pass.per_operation(counter_name::READ_BYTES).is_some_and(|read| read > 0.0);
        if requests > 0.0 && reads && each > 0.0 {
            self.parts.push(Part {
                kind: PartKind::PageCache,
                name: "block requests".to_owned(),
                count: Some(requests),
                price_ns: Some(each),
                ns: requests * each,
                error_ns: alone_error.zip(ahead_error).map(|(alone, ahead)| requests * (alone + ahead)),
                note: None,
            });
        }
    }

    /// With the CPU's part of the price: the waiting is a part of its own.
    fn add_priced(
        &mut self,
        parts: &BreakdownParts<'_>,
        kind: PartKind,
        (name, asked): (&str, &Asked),
        times: f64,
        guess: Option<String>,
    ) {
        if !times.is_finite() || times <= 0.0 {
            return;
        }
        let Some(quote) = quote(&parts.prices.prices, asked) else {
            self.unpriced.push(name.to_owned());
            return;
        };
        self.parts.push(Part {
            kind,
            name: name.to_owned(),
            count: Some(times),
            price_ns: Some(quote.cpu_ns.value),
            ns: times * quote.cpu_ns.value,
            error_ns: half_width(&quote.cpu_ns).map(|error| times * error),
            note: listed(guess.into_iter().chain(quote.remark())),
        });
    }

    fn add_waiting(&mut self, pass: &EvidencePass, total_ns: f64) {
        let times = Times::of(pass);
        let Some((wall, cpu)) = times.wall.zip(times.cpu) else {
            self.remarks.push(format!("{WAITING_UNKNOWN}: no CPU time"));
            return;
        };
        // Where more than one CPU was busy, none waited for long.
        self.is_whole = true;
        if cpu > wall * (1.0 + OVERLAP_MIN) {
            let remark = "threads ran beside each other, so that waiting cannot be told";
            self.remarks.push(remark.to_owned());
            return;
        }
        self.waiting_is_known = true;
        let queued = times.queued.unwrap_or(0.0).clamp(0.0, (wall - cpu).max(0.0));
        let gave_up = pass.per_operation(counter_name::VOLUNTARY_SWITCHES);
        let blocked = if gave_up.is_some_and(|switches| switches < SWITCHES_MIN) {
            0.0
        } else {
            (wall - cpu).max(0.0) - queued
        };
        let queued = if total_ns < QUEUED_FROM_NS { 0.0 } else { queued };
        // The evidence pass has a session of its own: what others took of the CPU then
        // is not in a time that is a median over batches, so that no more was waited for a
        // CPU than the time leaves. Where the operations themselves took longer then (cold
        // ones, one at a time), what they waited for has the same share of both times.
        let active = cpu + blocked;
        let scale = if active > total_ns { total_ns / active } else { 1.0 };
        let kept_blocked = blocked * scale;
        let kept_queued = queued.min((total_ns - active).max(0.0));
        let mut add = |kind, name: &str, (seen, kept): (f64, f64), error_ns, note: Option<String>| {
            if kept > WAITING_MIN * total_ns {
                let why = if kind == PartKind::Wait { "in proportion" } else { "more than this time leaves" };
                let cut = (seen - kept > WAITING_MIN * seen).then(|| {
                    format!("{seen:.0} ns of {:.0} ns in the evidence pass, {why}", active + queued)
                });
                let (name, note) = (name.to_owned(), listed(note.into_iter().chain(cut)));
                self.parts.push(Part { kind, name, count: None, price_ns: None, ns: kept, error_ns, note });
            }
        };
        let note = times.queued.is_none().then(|| "waiting for a CPU is in it".to_owned());
        let idle_error = times.idle_error().map(|error| error * scale);
        add(PartKind::Wait, "waiting", (blocked, kept_blocked), idle_error, note);
        let queued_error = times.queued_error();
        add(PartKind::RunQueue, "waiting for a CPU", (queued, kept_queued), queued_error, None);
    }
}

/// The times of an evidence pass per operation, and their repetitions.
struct Times {
    wall: Option<f64>,
    cpu: Option<f64>,
    queued: Option<f64>,
    idle_each: Vec<f64>,
    queued_each: Vec<f64>,
}

impl Times {
    fn of(pass: &EvidencePass) -> Self {
        let operations = pass.operations() as f64;
        let each = |name: &str| -> Vec<f64> {
            let counter = pass.counter(name, Scope::Task);
            let values = counter.and_then(|counter| counter.differences.value());
            values.into_iter().flatten().map(|&value| value as f64 / operations).collect()
        };
        let (wall, cpu) = (each(counter_name::WALL_TIME), each(counter_name::CPU_TIME));
        let queued_each = each(counter_name::RUN_QUEUE_TIME);
        let queued = |index: usize| queued_each.get(index).copied().unwrap_or(0.0);
        let idle = |(index, (wall, cpu)): (usize, (&f64, &f64))| wall - cpu - queued(index);
        Self {
            wall: pass.per_operation(counter_name::WALL_TIME),
            cpu: pass.per_operation(counter_name::CPU_TIME),
            queued: pass.per_operation(counter_name::RUN_QUEUE_TIME),
            idle_each: wall.iter().zip(&cpu).enumerate().map(idle).collect(),
            queued_each,
        }
    }

    fn idle_error(&self) -> Option<f64> {
        half_range(&self.idle_each)
    }

    fn queued_error(&self) -> Option<f64> {
        half_range(&self.queued_each)
    }
}

/// Half of how far the repetitions lie apart: too few for an interval, and the
/// device differs more between them than the clocks do.
fn half_range(values: &[f64]) -> Option<f64> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    (values.len() > 1).then_some((most - least) / 2.0)
}

/// Pages that came from a device. The page cache counts new pages of written files
/// too, which is why the bytes read are asked as well.
fn pages_filled(parts: &BreakdownParts<'_>, pass: &EvidencePass) -> (f64, Option<String>) {
    let page = parts.prices.environment.page_bytes.max(1) as f64;
    let read = pass.per_operation(counter_name::READ_BYTES).map(|bytes| bytes / page);
    match (pass.per_operation(counter_name::PAGES_ADDED), read) {
        (Some(added), Some(read)) => (added.min(read), None),
        (Some(added), None) if parts.variant.cache == CacheState::Cold => (added, None),
        (None, Some(read)) => (read, Some("reckoned from the bytes read".to_owned())),
        _ => (0.0, None),
    }
}

/// True when several pages come at once; without the number of requests, when
/// an operation brings in many.
fn is_ahead(pages: f64, pass: &EvidencePass) -> bool {
    match pass.per_operation(counter_name::BIO_QUEUE).filter(|requests| *requests > 0.0) {
        Some(requests) => pages / requests >= 2.0,
        None => pages >= 8.0,
    }
}

/// True when the data is reached by mapping the file.
fn maps_file(parts: &BreakdownParts<'_>, counts: &CountPass) -> bool {
    let in_recipe = counts
        .recipe
        .iter()
        .any(|step| step.call == "mmap" && !step.failed && !step.arguments.contains("MAP_ANONYMOUS"));
    // A file that stays open is mapped before the clock runs.
    in_recipe || parts.variant.method.name.to_lowercase().contains("map")
}
