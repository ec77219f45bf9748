//! Sizes of the requests that a device was sent, by kind, and where reads lay: every
//! block event with its fields, out of the kernel's rings, one for each CPU.

use super::block::{Device, kind};
use super::descriptor_room::DescriptorRoom;
use super::perf_counter::reason;
use super::task_files::threads_of;
use super::tracepoints::{Field, keep, tracepoints};
use fathom_model::{RequestSizes, counter_name};
use fathom_sys::perf_filter::set_filter;
use perf_event::data::Record;
use perf_event::events::Tracepoint as Event;
use perf_event::{Builder, SampleFlag, Sampler};
use std::collections::BTreeMap;
use std::ffi::CString;
use std::fmt::Write as _;
use std::io;

/// All rings together; a request takes about 100 bytes.
const RINGS_BYTES: usize = 32 << 20;
/// Each ring at least and at most.
const RING_BYTES: (usize, usize) = (1 << 20, 4 << 20);
/// The unit of the block layer's offsets, whatever the device's own is.
const SECTOR_BYTES: u64 = 512;
/// More threads than this do not fit in a filter.
const THREADS_MAX: usize = 100;

/// Whose requests.
#[derive(Debug, Clone, Copy)]
pub enum Requester<'a> {
    /// Those that threads of this process issue, as far as they are there when the log is opened.
    Process(u32),
    /// Everybody's to the device with this number, the kernel's own threads' too.
    Device(&'a str),
}

/// Reads that lie outside some files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutsideReads {
    /// How many.
    pub reads: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Events of any kind that were seen but not kept.
    pub lost: u64,
}

/// Keeps requests while it is switched on.
pub struct RequestLog {
    samplers: Vec<Sampler>,
    length: Field,
    rwbs: Field,
    sector: Field,
    _room: DescriptorRoom,
}

impl std::fmt::Debug for RequestLog {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "RequestLog({} rings)", self.samplers.len())
    }
}

impl RequestLog {
    /// Opens the rings for what is sent to devices, switched off; or why there are none.
    pub fn open(requester: Requester<'_>) -> Result<Self, String> {
        Self::of(counter_name::RQ_ISSUE, "bytes", requester)
    }

    /// The same for what is handed to the block layer, before it merges.
    pub fn open_before_merging(requester: Requester<'_>) -> Result<Self, String> {
        Self::of(counter_name::BIO_QUEUE, "nr_sector", requester)
    }

    fn of(tracepoint: &str, length: &str, requester: Requester<'_>) -> Result<Self, String> {
        let tracepoint = tracepoints()?.get(tracepoint)?;
        keep(tracepoint);
        let field = |name: &str| {
            let field = tracepoint.format.field(name).cloned();
            field.ok_or_else(|| format!("{} has no field {name}", tracepoint.name))
        };
        let (length, rwbs, sector) = (field(length)?, field("rwbs")?, field("sector")?);
        let filter = match requester {
            Requester::Process(pid) => filter_of_threads(pid)?,
            Requester::Device(number) => Device::of(number)?.filter(tracepoint),
        };
        let filter = CString::new(filter).map_err(|error| error.to_string())?;
        let room = DescriptorRoom::make();
        let cpus = crate::cpus::online()?;
        let ring_bytes = (RINGS_BYTES / cpus.len().max(1)).clamp(RING_BYTES.0, RING_BYTES.1);
        let mut samplers = Vec::new();
        for cpu in cpus {
            let mut builder = Builder::new(Event::with_id(tracepoint.id));
            builder.any_pid().one_cpu(cpu).include_kernel().sample_period(1).sample(SampleFlag::RAW);
            // Nobody sleeps until it fills.
            builder.wakeup_watermark(ring_bytes);
            let counter = builder.build().map_err(|error| reason(&error))?;
            set_filter(&counter, &filter).map_err(|error| error.to_string())?;
            samplers
                .push(counter.sampled(ring_bytes).map_err(|error| format!("ring of perf events: {error}"))?);
        }
        Ok(Self { samplers, length, rwbs, sector, _room: room })
    }

    /// Begins to keep requests.
    pub fn start(&mut self) -> Result<(), String> {
        self.each(perf_event::Counter::enable)
    }

    /// Ends it, and tells the sizes of what was kept.
    pub fn stop(&mut self) -> Result<Vec<RequestSizes>, String> {
        let mut sizes: BTreeMap<&str, BTreeMap<u64, u64>> = BTreeMap::new();
        let lost = self.drain(|rwbs, length, _| {
            *sizes.entry(kind(rwbs)).or_default().entry(length).or_default() += 1;
        })?;
        let mut requests: Vec<_> = sizes
            .into_iter()
            .map(|(kind, sizes)| RequestSizes {
                kind: kind.to_owned(),
                sizes: sizes.into_iter().collect(),
                lost: 0,
            })
            .collect();
        if lost > 0 {
            // Of what is lost the kind is lost too.
            requests.push(RequestSizes { kind: "unknown".to_owned(), sizes: Vec::new(), lost });
        }
        Ok(requests)
    }

    /// Ends it, for a log from before merging: the reads at offsets of the disk, in bytes, for
    /// which `is_outside` holds.
    pub fn stop_outside(&mut self, is_outside: impl Fn(u64) -> bool) -> Result<OutsideReads, String> {
        let mut outside = OutsideReads::default();
        outside.lost = self.drain(|rwbs, sectors, sector| {
            if kind(rwbs) == "read" && is_outside(sector.saturating_mul(SECTOR_BYTES)) {
                outside.reads += 1;
                outside.bytes += sectors * SECTOR_BYTES;
            }
        })?;
        Ok(outside)
    }

    /// Ends it: letters, length and sector of each event that was kept. How many were not.
    fn drain(&mut self, mut each: impl FnMut(&str, u64, u64)) -> Result<u64, String> {
        self.each(perf_event::Counter::disable)?;
        let mut lost = 0;
        for sampler in &mut self.samplers {
            while let Some(record) = sampler.next_record() {
                match record.parse_record() {
                    Ok(Record::Sample(sample)) => {
                        let event = sample.raw().unwrap_or_default();
                        let of = self.rwbs.text(event).zip(self.length.number(event));
                        let ((rwbs, length), sector) = of
                            .zip(self.sector.number(event))
                            .ok_or("a block event shorter than its format says")?;
                        each(rwbs, length, sector);
                    }
                    Ok(Record::Lost(record)) => lost += record.lost,
                    _ => {}
                }
            }
        }
        Ok(lost)
    }

    fn each(&mut self, act: impl Fn(&mut perf_event::Counter) -> io::Result<()>) -> Result<(), String> {
        self.samplers
            .iter_mut()
            .try_for_each(|sampler| act(sampler.as_counter_mut()))
            .map_err(|error| reason(&error))
    }
}

fn filter_of_threads(pid: u32) -> Result<String, String> {
    let threads = threads_of(pid)?;
    if threads.len() > THREADS_MAX {
        return Err(format!("{} threads are too many to follow", threads.len()));
    }
    let mut filter = String::new();
    for thread in threads {
        let or = if filter.is_empty() { "" } else { " || " };
        // What is written into a string arrives.
        let _ = write!(filter, "{or}common_pid == {thread}");
    }
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thread_is_named_in_the_filter() {
        let filter = filter_of_threads(std::process::id()).unwrap();
        assert!(filter.contains(&format!("common_pid == {}", std::process::id())), "{filter}");
        assert!(filter_of_threads(u32::MAX).is_err());
    }

    #[test]
    fn whoever_may_not_look_is_told_why() {
        match RequestLog::open(Requester::Process(std::process::id())) {
            Ok(mut log) => {
                log.start().unwrap();
                assert_eq!(log.stop().unwrap(), []);
            }
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
}
