//! What a call meets that its arguments do not show and its price depends on, where the events before
//! it told.

use crate::call_key::{CallKey, Met, Word};
use crate::open_flags;
use crate::world::{FileNumber, PlaceId, World};
use fathom_events::{FileAction, FileEvent, MappedFrom, Mount, SyncFinds};

/// The key of a call with the state of its file, as prices tell them apart.
pub(super) fn priced(
    key: CallKey,
    event: &FileEvent,
    (place, file): (Option<PlaceId>, Option<FileNumber>),
    world: &World,
) -> CallKey {
    let lies_at = place.or_else(|| world.file(file?)?.place);
    let key = match lies_at.filter(|place| world.is_on_other_file_system(*place)) {
        Some(place) if depends_on_file_system(&event.action, place, world) => key.on_other_file_system(),
        _ => key,
    };
    let word = sync_word(event, file, world).or_else(|| mapping_word(event, world));
    let key = word.map_or(key, |word| key.with_word(word));
    met_by_open(event, place, world).map_or(key, |met| key.with_met(met))
}

/// True of calls whose cost depends on the file system: what changes files or names and what lists them. What
/// the kernel answers from its caches costs as much on one as on another, but for those that ask another
/// machine or another program first.
fn depends_on_file_system(action: &FileAction, place: PlaceId, world: &World) -> bool {
    let asks_others = |mount: &Mount| mount.is_network() || mount.file_system.starts_with("fuse");
    match action {
        FileAction::Open { flags, .. } if open_flags::may_make(*flags) => true,
        FileAction::Write { .. }
        | FileAction::List { .. }
        | FileAction::MakeDirectory { .. }
        | FileAction::Remove { .. }
        | FileAction::Rename { .. }
        | FileAction::Link { .. }
        | FileAction::SymbolicLink { .. }
        | FileAction::Truncate { .. }
        | FileAction::Allocate { .. }
        | FileAction::ChangeMode { .. }
        | FileAction::ChangeAttributes { .. }
        | FileAction::Sync { .. }
        | FileAction::Copy { .. } => true,
        _ => world.places.mount(place).is_some_and(asks_others),
    }
}

/// What an open met that succeeded and that may create its file or empty it, where that was seen.
fn met_by_open(event: &FileEvent, place: Option<PlaceId>, world: &World) -> Option<Met> {
    let FileAction::Open { flags, .. } = event.action else { return None };
    let (place, places) = (place?, &world.places);
    if !open_flags::may_make(flags) || event.outcome.descriptor().is_none() {
        return None;
    }
    let at = places.get(place);
    match at.exists {
        _ if places.is_excluded(place) => Some(Met::MadeUp),
        _ if places.is_absent(place) => Some(Met::Nothing),
        Some(true) if at.size_bytes == Some(0) => Some(Met::Empty),
        Some(true) if at.is_made && at.changed_at > at.synced_at => Some(Met::Unwritten),
        Some(true) => Some(Met::Existing),
        _ => None,
    }
}

/// What prices tell apart of making a file durable: whether there is anything to write, and
/// whether a write does it. `None` of other calls, and where it is not known what was written before.
fn sync_word(event: &FileEvent, file: Option<FileNumber>, world: &World) -> Option<Word> {
    let file = world.file(file?)?;
    if let FileAction::Write { .. } = event.action {
        let waits = open_flags::has(file.flags, open_flags::DATA_SYNC) && file.is_plain(false);
        return waits.then_some(Word::DataSync);
    }
    let FileAction::Sync { descriptor: Some(_), .. } = event.action else { return None };
    let at = world.places.get(file.place?);
    Some(match SyncFinds::at(at.changed_at.max(at.inside_changed_at), at.synced_at)? {
        SyncFinds::Dirty => Word::Dirty,
        SyncFinds::Clean => Word::Clean,
    })
}

/// What a call on a range of memory is about, where the calls that mapped it were seen.
fn mapping_word(event: &FileEvent, world: &World) -> Option<Word> {
    let (FileAction::Unmap { address, bytes } | FileAction::AdviseMemory { address, bytes, .. }) =
        event.action
    else {
        return None;
    };
    match world.process(event.process)?.mappings.of(address, bytes)? {
        MappedFrom::Memory => Some(Word::Anonymous),
        MappedFrom::File => matches!(event.action, FileAction::Unmap { .. }).then_some(Word::MapFile),
    }
}

#[cfg(test)]
mod tests {
    use crate::Auditor;
    use crate::script::{CREATE, Script, TRUNCATE, WRITE};
    use std::collections::BTreeSet;

    #[test]
    fn what_depends_on_another_file_system_is_told_apart() {
        let mut script = Script::new();
        script.mount("/", "ext4", "rw");
        script.mount("/dev/shm", "tmpfs", "rw");
        script.mount("/far", "nfs4", "rw");
        for directory in ["/data", "/dev/shm", "/far"] {
            script.stat(&format!("{directory}/a"), 10);
            let file = script.open(&format!("{directory}/a"), WRITE);
            script.write(file, 10);
            script.sync(file);
            script.close(file);
        }
        let audit = script.audited(Auditor::new().starting_in("/data"));
        let elsewhere = audit.calls.iter().filter(|call| call.flags.contains("other-file-system"));
        let mut elsewhere: Vec<_> = elsewhere.map(|call| (call.call.as_str(), call.count)).collect();
        elsewhere.sort_unstable();
        let expected = [("close", 1), ("fsync", 2), ("newfstatat", 1), ("openat", 1), ("write", 2)];
        assert_eq!(elsewhere, expected, "of memory what writes, of another machine all");
    }

    #[test]
    fn memory_that_is_given_back_is_no_file_call() {
        use fathom_events::{CallOutcome, FileAction};
        let mut script = Script::new();
        let file = script.open("/data/a", crate::script::READ);
        let map = |script: &mut Script, descriptor: Option<i32>, address: i64| {
            let flags = if descriptor.is_some() { 2 } else { 0x22 };
            let action = FileAction::Map { descriptor, offset: 0, bytes: 8192, protection: 1, flags };
            script.call("mmap", action, CallOutcome::Value(address));
        };
        map(&mut script, Some(file), 0x10_0000);
        map(&mut script, None, 0x20_0000);
        for address in [0x10_0000, 0x20_0000, 0x30_0000] {
            script.works("munmap", FileAction::Unmap { address, bytes: 8192 });
        }
        script.close(file);
        let audit = script.audited(Auditor::default());
        let of = |call: &str| {
            let calls = audit.calls.iter().filter(|counted| counted.call == call);
            calls.map(|counted| counted.flags.as_str()).collect::<BTreeSet<_>>()
        };
        assert_eq!(of("munmap"), BTreeSet::from(["", "MAP_ANONYMOUS", "MAP_FILE"]));
        assert_eq!((audit.events, audit.file_calls()), (7, 5));
    }

    #[test]
    fn an_open_that_makes_is_told_by_what_was_there() {
        let mut script = Script::new();
        let mut open = |path: &str, flags: u32, before: &dyn Fn(&mut Script)| {
            before(&mut script);
            let file = script.open(path, WRITE | flags);
            script.close(file);
        };
        open("/dev/null", CREATE | TRUNCATE, &|_| ());
        open("/data/unknown", CREATE, &|_| ());
        open("/data/unknown", CREATE, &|_| ());
        open("/data/absent", CREATE | TRUNCATE, &|script| script.stat_fails("/data/absent"));
        open("/data/full", CREATE | TRUNCATE, &|script| script.stat("/data/full", 4096));
        open("/data/empty", CREATE | TRUNCATE, &|script| script.stat("/data/empty", 0));
        open("/data/full", CREATE, &|script| script.remove("/data/full"));
        let write = |script: &mut Script, is_synced: bool| {
            let file = script.open("/data/full", WRITE);
            script.write(file, 100);
            if is_synced {
                script.sync(file);
            }
            script.close(file);
        };
        open("/data/full", CREATE | TRUNCATE, &|script| write(script, false));
        open("/data/full", CREATE | TRUNCATE, &|script| write(script, true));

        let calls = script.audited(Auditor::default()).calls;
        let opens = calls.iter().filter(|call| call.call == "openat");
        let flags: BTreeSet<_> = opens.map(|call| (call.flags.as_str(), call.count)).collect();
        let expected = [
            ("O_WRONLY", 3),
            ("O_WRONLY|O_CREAT", 1),
            ("O_WRONLY|O_CREAT|existing", 1),
            ("O_WRONLY|O_CREAT|new", 1),
            ("O_WRONLY|O_CREAT|O_TRUNC|new", 1),
            ("O_WRONLY|O_CREAT|O_TRUNC|existing", 2),
            ("O_WRONLY|O_CREAT|O_TRUNC|unwritten", 1),
            ("O_WRONLY|O_CREAT|O_TRUNC|empty", 1),
        ];
        assert_eq!(flags, BTreeSet::from(expected));
    }
}
