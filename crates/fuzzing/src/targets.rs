//! The targets: each reads its bytes as a command of Fathom's does, and shows what it has read.

use fathom_audit::{Auditor, Budget};
use fathom_catalog::{Budgets, DriverManifest, Entry, ProjectFile, WriteUpFile};
use fathom_events::{FileEvent, PathTable, StackId, TRACE_FILE_VERSION, TraceEnd, TraceReader};
use fathom_model::{Description, PriceList, Record};
use fathom_report::{
    Details, TextOptions, embedded_records, expand, render_brief, render_prices, render_text,
};
use fathom_trace::StraceLog;

/// Something that reads bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, and that of its folder of seeds.
    pub name: &'static str,
    /// Reads; a panic is a fault of Fathom's.
    pub run: fn(&[u8]),
    /// True where nothing is wrong with the bytes.
    pub accepts: fn(&[u8]) -> bool,
}

macro_rules! target {
    ($name:literal, $read:ident) => {
        Target {
            name: $name,
            run: |bytes| {
                let _refused = $read(bytes);
            },
            accepts: |bytes| $read(bytes).is_some(),
        }
    };
}

/// All of them.
pub const TARGETS: &[Target] = &[
    target!("catalog", catalog),
    target!("record", record),
    target!("prices", prices),
    target!("trace_file", trace_file),
    target!("trace_frames", trace_frames),
    target!("strace_log", strace_log),
    target!("page", page),
    target!("driver_lines", driver_lines),
    target!("project_file", project_file),
    target!("budgets", budgets),
];

/// Files of the catalog's forms: an entry, a write-up, budgets, a driver's manifest.
fn catalog(bytes: &[u8]) -> Option<()> {
    let text = std::str::from_utf8(bytes).ok()?;
    let entry = Entry::parse("f.toml", text).map_err(|error| error.to_string());
    let write_up = WriteUpFile::parse("f.toml", text).map_err(|error| error.to_string());
    let budgets = Budgets::parse("f.toml", text).map_err(|error| error.to_string());
    let manifest = DriverManifest::parse("f.toml", text).map_err(|error| error.to_string());
    if let Ok(entry) = &entry {
        let _shown = (entry.operations(), entry.scenario(), entry.claims().count());
    }
    (entry.is_ok() || write_up.is_ok() || budgets.is_ok() || manifest.is_ok()).then_some(())
}

/// As much as a page's record may expand to.
const PAGE_MAX: u64 = 1 << 26;

fn record(bytes: &[u8]) -> Option<()> {
    let record: Record = serde_json::from_slice(bytes).ok()?;
    for details in [Details::Brief, Details::Full] {
        let options = TextOptions { details, ..TextOptions::default() };
        let _shown = (render_text(&record, &options), render_brief(&record, &options));
    }
    Some(())
}

fn prices(bytes: &[u8]) -> Option<()> {
    let list: PriceList = serde_json::from_slice(bytes).ok()?;
    let _shown = render_prices(&list, &TextOptions::default());
    Some(())
}

fn trace_file(bytes: &[u8]) -> Option<()> {
    let mut reader = TraceReader::new(bytes).ok()?;
    let mut auditor = Auditor::new();
    while let Some(event) = reader.next_event().ok()? {
        auditor.take(event, reader.paths());
    }
    let end: Option<TraceEnd<serde_json::Value>> = reader.end().ok()?;
    let _audit = auditor.finish();
    end.map(drop)
}

/// The same of frames that are given as they are before they are packed, each behind a letter
/// and two bytes of length: what changes in them is not caught by a checksum.
fn trace_frames(bytes: &[u8]) -> Option<()> {
    const BEGINNING: &[u8] = b"FATHOMEV";
    let mut file = [BEGINNING, &TRACE_FILE_VERSION.to_le_bytes()].concat();
    let mut rest = bytes;
    while let [kind, low, high, after @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(after.len());
        let (content, next) = after.split_at(length);
        let packed = zstd::bulk::compress(content, 1).ok()?;
        let mut head = vec![*kind];
        for size in [packed.len(), content.len()] {
            head.extend(u32::try_from(size).ok()?.to_le_bytes());
        }
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&head);
        checksum.update(&packed);
        head.extend(checksum.finalize().to_le_bytes());
        file.extend(head);
        file.extend(packed);
        rest = next;
    }
    trace_file(&file)
}

fn strace_log(bytes: &[u8]) -> Option<()> {
    let mut log = StraceLog::new(bytes);
    let mut paths = PathTable::new();
    let mut events: Vec<FileEvent> = Vec::new();
    while let Some(event) = log.next_event(&mut paths).ok()? {
        events.push(event);
    }
    let mut auditor = Auditor::new();
    for event in events {
        auditor.take(event, &paths);
    }
    let count = auditor.finish().events;
    (0..log.stacks()).for_each(|stack| drop(log.frames(StackId(stack))));
    (count > 0).then_some(())
}

fn page(bytes: &[u8]) -> Option<()> {
    let text = String::from_utf8_lossy(bytes);
    let mut records = embedded_records(&text).peekable();
    records.peek()?;
    records.try_for_each(|packed| record(&expand(&packed.ok()?, PAGE_MAX).ok()?))
}

/// What a driver says: its description, or a line for each answer.
fn driver_lines(bytes: &[u8]) -> Option<()> {
    if serde_json::from_slice::<Description>(bytes).is_ok() {
        return Some(());
    }
    let text = String::from_utf8_lossy(bytes);
    // Each line is tried, whatever the others are.
    let refused = text.lines().filter(|line| !fathom_lab::is_answer(line)).count();
    (refused == 0).then_some(())
}

fn project_file(bytes: &[u8]) -> Option<()> {
    let file = ProjectFile::parse(".fathom.toml", std::str::from_utf8(bytes).ok()?);
    file.map_err(|error| error.to_string()).ok().map(drop)
}

/// A budget in each line.
fn budgets(bytes: &[u8]) -> Option<()> {
    let text = String::from_utf8_lossy(bytes);
    let refused = text.lines().filter(|line| Budget::parse(line).map_err(|error| error.to_string()).is_err());
    (refused.count() == 0).then_some(())
}
