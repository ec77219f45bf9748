//! The places: each with its letter, its file system and what lies under it.

use super::header::or_reason;
use crate::label::place_letter;
use crate::page::Page;
use fathom_model::{DeviceFacts, Place, PlaceFacts, Reading, Record};

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

/// One paragraph per place.
pub(crate) fn render(page: &mut Page, record: &Record) {
    for (index, place) in record.places.iter().enumerate() {
        let label = if index == 0 { "places" } else { "" };
        let letter = place_letter(index);
        page.fact(label, &format!("{letter}: {}", describe(place, page.is_full())));
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
