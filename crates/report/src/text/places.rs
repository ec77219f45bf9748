//! The places: each with its letter, its file system and what lies under it.

use super::header::or_reason;
use crate::label::place_letter;
use crate::page::Page;
use crate::quantity::grouped;
use fathom_model::{DeviceFacts, OwnFilesFacts, Place, PlaceFacts, Reading, Record};

/// Mount options, by how they begin, that change what opening and reading cost.
const TELLING: &[&str] = &[
    "ro",
    "sync",
    "dirsync",
    "atime",
    "noatime",
    "relatime",
    "strictatime",
    "lazytime",
    "nodiratime",
    "dax",
    "discard",
    "data=",
    "compress",
    "noload",
    "commit=",
    "huge=",
    "lowerdir",
    "vers=",
    "cache=",
    "actimeo",
];

/// Files of the user's that are named one by one in brief.
const OWN_SHOWN: usize = 3;

/// One paragraph per place.
pub(crate) fn render(page: &mut Page, record: &Record) {
    for (index, place) in record.places.iter().enumerate() {
        let label = if index == 0 { "places" } else { "" };
        let letter = place_letter(index);
        page.fact(label, &format!("{letter}: {}", describe(place, page.is_full())));
    }
    if let Some(own) = &record.own_files {
        render_own(page, own);
    }
}

/// The user's files: which, and what was done to them.
fn render_own(page: &mut Page, own: &OwnFilesFacts) {
    let evicted =
        if own.evicted { "evicted from the page cache before each cold sample" } else { "not evicted" };
    page.fact("own files", &format!("read only, {evicted}"));
    let shown = if page.is_full() { own.files.len() } else { OWN_SHOWN };
    for file in own.files.iter().take(shown) {
        let leads = file.leads_to.as_ref().map(|real| format!(" (leads to {})", real.display()));
        page.fact(
            "",
            &format!(
                "{}{}: {} B, modified {}, on {}",
                file.path.display(),
                leads.unwrap_or_default(),
                grouped(file.size_bytes),
                file.modified,
                own.file_system,
            ),
        );
    }
    if own.files.len() > 1 {
        let sizes = || own.files.iter().map(|file| file.size_bytes);
        let (least, most) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
        let all: u64 = sizes().sum();
        page.fact(
            "",
            &format!(
                "{} files of {} to {} B, {} B in all",
                grouped(own.files.len() as u64),
                grouped(least),
                grouped(most),
                grouped(all)
            ),
        );
    }
    if let Some(drawn) = &own.drawn {
        page.fact("", drawn);
    }
}

fn describe(place: &PlaceFacts, full: bool) -> String {
    let memory = if place.in_memory { ", in memory" } else { "" };
    let mut facts = vec![format!("{} on {}{memory}", place.place, place.file_system)];
    // A memory file has neither mount nor device: saying so four times tells nothing.
    if full || place.place != Place::Memfd {
        facts.push(mount(place, full));
    }
    if full || !place.in_memory {
        facts.push(or_reason(&place.journal, "journal", Clone::clone));
        facts.extend(replacing(place));
        facts.push(device(&place.device, full));
    }
    if let Reading::Value(depth) = &place.path_depth {
        facts.push(format!("path depth {depth}"));
    }
    if full {
        let direct = or_reason(&place.direct_io_alignment_bytes, "direct I/O alignment", |bytes| {
            format!("direct I/O aligned to {bytes} B")
        });
        facts.extend([
            format!("magic {}", place.magic),
            format!("blocks of {} B", place.block_bytes),
            direct,
        ]);
    }
    facts.join("; ")
}

/// Whether ext4 flushes a replaced file when it is closed: its default goes without an option.
fn replacing(place: &PlaceFacts) -> Option<String> {
    let options = place.mount_options.value().filter(|_| place.file_system == "ext4")?;
    let off = options.iter().any(|option| option == "noauto_da_alloc");
    Some(if off { "noauto_da_alloc" } else { "auto_da_alloc" }.to_owned())
}

fn mount(place: &PlaceFacts, full: bool) -> String {
    let shown = |option: &&String| full || TELLING.iter().any(|prefix| option.starts_with(prefix));
    let join = |options: &Vec<String>| options.iter().filter(shown).cloned().collect::<Vec<_>>().join(",");
    let options = or_reason(&place.mount_options, "mount options", join);
    let point = or_reason(&place.mount_point, "mount point", |path| format!("mounted at {}", path.display()));
    match place.mount_options {
        Reading::Value(_) if options.is_empty() => point,
        Reading::Value(_) => format!("{point} ({options})"),
        Reading::Unavailable(_) => format!("{point}, {options}"),
    }
}

fn device(device: &Reading<DeviceFacts>, full: bool) -> String {
    let device = match device {
        Reading::Value(device) => device,
        Reading::Unavailable(reason) => return format!("device unknown ({reason})"),
    };
    let kib =
        |reading: &Reading<u64>, name: &str| or_reason(reading, name, |kib| format!("{name} {kib} KiB"));
    let mut facts = vec![
        format!("device {}", device.name),
        or_reason(&device.scheduler, "scheduler", |name| format!("scheduler {name}")),
        kib(&device.read_ahead_kib, "read-ahead"),
    ];
    if full {
        facts.push(kib(&device.max_sectors_kib, "largest request"));
        facts
            .push(or_reason(&device.logical_block_bytes, "sectors", |bytes| format!("sectors of {bytes} B")));
        let rotating = |rotates: &bool| if *rotates { "rotating" } else { "not rotating" }.to_owned();
        facts.push(or_reason(&device.rotational, "rotation", rotating));
        facts.push(or_reason(&device.model, "model", Clone::clone));
        facts.push(device.number.clone());
    }
    facts.join(", ")
}
