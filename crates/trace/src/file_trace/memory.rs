//! What calls left in a tracee's memory: paths, structures, arrays. Nothing here is
//! trusted: what cannot be read is missing.

use crate::tracee::bytes_to_nul;
use crate::witness::Memory;
use fathom_events::{EntryForm, FileFacts, FileIdentity, FileKind};
use std::ffi::OsString;
use std::mem::offset_of;
use std::os::unix::ffi::OsStringExt;

const LONGEST_PATH_BYTES: usize = 4096;
/// What the kernel takes at most of an array of pieces.
const MOST_PIECES: usize = 1024;
const PIECE_BYTES: usize = 16;
/// More than any listing of a directory asks for; what lies beyond is not counted.
const LONGEST_LISTING_BYTES: usize = 1 << 20;
/// Of an entry of a directory: where its length stands.
const ENTRY_LENGTH_OFFSET: usize = 16;
/// Of an entry of `getdents64`: where its kind stands; in the older form it is the last byte.
const ENTRY_KIND_OFFSET: usize = 18;

/// The entries of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entries {
    pub(super) count: u32,
    /// Links, whose end is not told, and those of unknown kind.
    pub(super) undecided: u32,
}

/// The path at an address.
pub(super) fn path(memory: &dyn Memory, address: u64) -> Option<OsString> {
    bytes_to_nul(memory, address).map(OsString::from_vec)
}

/// The path of so many bytes at an address.
pub(super) fn path_of_length(memory: &dyn Memory, address: u64, length: i64) -> Option<OsString> {
    let length = usize::try_from(length).ok()?.min(LONGEST_PATH_BYTES);
    let mut bytes = vec![0; length];
    (memory.copy(address, &mut bytes) == length).then(|| OsString::from_vec(bytes))
}

/// How many pieces of memory an array describes, and how much they hold together.
pub(super) fn pieces(memory: &dyn Memory, address: u64, count: u64) -> (u32, u64) {
    let count = usize::try_from(count).unwrap_or(MOST_PIECES).min(MOST_PIECES);
    let mut array = vec![0; count * PIECE_BYTES];
    let copied = memory.copy(address, &mut array);
    let lengths = array[..copied].chunks_exact(PIECE_BYTES).map(|piece| unsigned(piece, 8, 8));
    let bytes = lengths.fold(0, u64::saturating_add);
    (u32::try_from(count).unwrap_or(u32::MAX), bytes)
}

/// Two descriptors in a row.
pub(super) fn descriptor_pair(memory: &dyn Memory, address: u64) -> [Option<i32>; 2] {
    let mut bytes = [0; 8];
    if memory.copy(address, &mut bytes) < bytes.len() {
        return [None; 2];
    }
    [0, 4].map(|offset| i32::try_from(unsigned(&bytes, offset, 4)).ok())
}

/// The entries of a listing of so many bytes.
pub(super) fn entries(memory: &dyn Memory, address: u64, length: i64, form: EntryForm) -> Option<Entries> {
    let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST_LISTING_BYTES)?;
    let mut listing = vec![0; length];
    if memory.copy(address, &mut listing) < length {
        return None;
    }
    let (mut entries, mut next) = (Entries { count: 0, undecided: 0 }, 0);
    while next + ENTRY_LENGTH_OFFSET + 2 <= length {
        let entry = usize::try_from(unsigned(&listing, next + ENTRY_LENGTH_OFFSET, 2)).ok()?;
        if entry == 0 {
            return None;
        }
        let at = match form {
            EntryForm::Long => next + ENTRY_KIND_OFFSET,
            EntryForm::Old => next + entry - 1,
        };
        let kind = listing.get(at).copied().unwrap_or(libc::DT_UNKNOWN);
        entries.count += 1;
        entries.undecided += u32::from(matches!(kind, libc::DT_LNK | libc::DT_UNKNOWN));
        next += entry;
    }
    Some(entries)
}

/// What `stat` told.
pub(super) fn facts(memory: &dyn Memory, address: u64) -> Option<FileFacts> {
    let mut bytes = [0; size_of::<libc::stat>()];
    if memory.copy(address, &mut bytes) < bytes.len() {
        return None;
    }
    let long = |offset| unsigned(&bytes, offset, 8);
    let mode = unsigned(&bytes, offset_of!(libc::stat, st_mode), 4);
    let since_epoch = |seconds, nanoseconds| {
        long(seconds).cast_signed().checked_mul(1_000_000_000)?.checked_add(long(nanoseconds).cast_signed())
    };
    Some(FileFacts {
        identity: Some(FileIdentity {
            device: long(offset_of!(libc::stat, st_dev)),
            inode: long(offset_of!(libc::stat, st_ino)),
        }),
        kind: kind(mode),
        permissions: u16::try_from(mode & 0o7777).ok(),
        owner: u32::try_from(unsigned(&bytes, offset_of!(libc::stat, st_uid), 4)).ok(),
        size_bytes: Some(long(offset_of!(libc::stat, st_size))),
        modified_ns: since_epoch(offset_of!(libc::stat, st_mtime), offset_of!(libc::stat, st_mtime_nsec)),
        changed_ns: since_epoch(offset_of!(libc::stat, st_ctime), offset_of!(libc::stat, st_ctime_nsec)),
    })
}

/// What `statx` told; fields that it did not fill are missing.
pub(super) fn extended_facts(memory: &dyn Memory, address: u64) -> Option<FileFacts> {
    /// Where the structure's fields stand, by the kernel's interface.
    const MASK: usize = 0;
    const OWNER: usize = 20;
    const MODE: usize = 28;
    const INODE: usize = 32;
    const SIZE: usize = 40;
    const CHANGED: usize = 96;
    const MODIFIED: usize = 112;
    const DEVICE_MAJOR: usize = 136;
    const DEVICE_MINOR: usize = 140;
    const READ_BYTES: usize = 144;

    let mut bytes = [0; READ_BYTES];
    if memory.copy(address, &mut bytes) < bytes.len() {
        return None;
    }
    let long = |offset| unsigned(&bytes, offset, 8);
    let short = |offset| u32::try_from(unsigned(&bytes, offset, 4)).unwrap_or(0);
    let filled = short(MASK);
    let when = |bit: u32, at: usize| {
        let seconds = long(at).cast_signed().checked_mul(1_000_000_000)?;
        (filled & bit != 0).then_some(seconds.checked_add(i64::from(short(at + 8)))?)
    };
    let mode = unsigned(&bytes, MODE, 2);
    let device = rustix::fs::makedev(short(DEVICE_MAJOR), short(DEVICE_MINOR));
    let identity = FileIdentity { device, inode: long(INODE) };
    Some(FileFacts {
        identity: (filled & libc::STATX_INO != 0).then_some(identity),
        kind: kind(mode).filter(|_| filled & libc::STATX_TYPE != 0),
        permissions: u16::try_from(mode & 0o7777).ok().filter(|_| filled & libc::STATX_MODE != 0),
        owner: (filled & libc::STATX_UID != 0).then(|| short(OWNER)),
        size_bytes: (filled & libc::STATX_SIZE != 0).then(|| long(SIZE)),
        modified_ns: when(libc::STATX_MTIME, MODIFIED),
        changed_ns: when(libc::STATX_CTIME, CHANGED),
    })
}

fn kind(mode: u64) -> Option<FileKind> {
    let bits = u32::try_from(mode).ok()? & libc::S_IFMT;
    Some(match bits {
        libc::S_IFREG => FileKind::Regular,
        libc::S_IFDIR => FileKind::Directory,
        libc::S_IFLNK => FileKind::Link,
        libc::S_IFCHR => FileKind::Character,
        libc::S_IFBLK => FileKind::Block,
        libc::S_IFIFO => FileKind::Pipe,
        libc::S_IFSOCK => FileKind::Socket,
        _ => return None,
    })
}

/// The integer of so many bytes; 0 beyond the end.
fn unsigned(bytes: &[u8], offset: usize, size: usize) -> u64 {
    let Some(field) = bytes.get(offset..offset + size) else { return 0 };
    let mut padded = [0; 8];
    if cfg!(target_endian = "little") {
        padded[..size].copy_from_slice(field);
    } else {
        padded[8 - size..].copy_from_slice(field);
    }
    u64::from_ne_bytes(padded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracee::StoppedThread;
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    /// This thread: its memory is read as another's would be.
    const fn me(pid: rustix::process::Pid) -> StoppedThread {
        StoppedThread(pid)
    }

    #[test]
    fn both_forms_of_stat_tell_what_the_standard_library_tells() {
        let path = std::env::current_exe().unwrap();
        let expected = fs::metadata(&path).unwrap();
        let me = me(rustix::process::getpid());
        let stat = rustix::fs::stat(&path).unwrap();
        let told = facts(&me, (&raw const stat).addr() as u64).unwrap();
        let all = rustix::fs::StatxFlags::BASIC_STATS;
        let at = rustix::fs::AtFlags::empty();
        let statx = rustix::fs::statx(rustix::fs::CWD, &path, at, all).unwrap();
        assert_eq!(extended_facts(&me, (&raw const statx).addr() as u64).unwrap(), told);
        assert_eq!(told.identity, Some(FileIdentity { device: expected.dev(), inode: expected.ino() }));
        assert_eq!(told.size_bytes, Some(expected.size()));
        assert_eq!(told.kind, Some(FileKind::Regular));
        assert_eq!(told.owner, Some(expected.uid()));
        assert_eq!(told.permissions.map(u32::from), Some(expected.mode() & 0o7777));
        assert_eq!(told.modified_ns, Some(expected.mtime() * 1_000_000_000 + expected.mtime_nsec()));
        assert_eq!(told.changed_ns, Some(expected.ctime() * 1_000_000_000 + expected.ctime_nsec()));
    }

    #[test]
    fn fields_that_statx_did_not_fill_are_missing() {
        let me = me(rustix::process::getpid());
        let mut bytes = [0xff_u8; 256];
        bytes[..4].copy_from_slice(&libc::STATX_SIZE.to_ne_bytes());
        let told = extended_facts(&me, bytes.as_ptr().addr() as u64).unwrap();
        assert_eq!(told, FileFacts { size_bytes: Some(u64::MAX), ..FileFacts::default() });
    }

    #[test]
    fn pieces_are_counted_and_summed() {
        let me = me(rustix::process::getpid());
        let (one, two) = ([0_u8; 10], [0_u8; 32]);
        let array = [std::io::IoSlice::new(&one), std::io::IoSlice::new(&two)];
        assert_eq!(pieces(&me, array.as_ptr().addr() as u64, 2), (2, 42));
        assert_eq!(pieces(&me, 8, 2), (2, 0), "nothing is mapped there");
    }

    #[test]
    fn entries_that_do_not_tell_what_they_are_are_counted() {
        let me = me(rustix::process::getpid());
        let entry = |length: u16, kind: u8| {
            let mut bytes = vec![0; usize::from(length)];
            bytes[ENTRY_LENGTH_OFFSET..ENTRY_KIND_OFFSET].copy_from_slice(&length.to_ne_bytes());
            bytes[ENTRY_KIND_OFFSET] = kind;
            bytes
        };
        let listing = [
            entry(24, libc::DT_DIR),
            entry(32, libc::DT_REG),
            entry(24, libc::DT_LNK),
            entry(40, libc::DT_UNKNOWN),
        ]
        .concat();
        let length = i64::try_from(listing.len()).unwrap();
        let told = entries(&me, listing.as_ptr().addr() as u64, length, EntryForm::Long);
        assert_eq!(told, Some(Entries { count: 4, undecided: 2 }));
        let mut old = [0_u8; 24];
        old[ENTRY_LENGTH_OFFSET] = 24;
        old[23] = libc::DT_LNK;
        let told = entries(&me, old.as_ptr().addr() as u64, 24, EntryForm::Old);
        assert_eq!(told, Some(Entries { count: 1, undecided: 1 }));
        assert_eq!(entries(&me, 8, 24, EntryForm::Long), None, "nothing is mapped there");
    }

    #[test]
    fn paths_are_bytes() {
        let me = me(rustix::process::getpid());
        let text = b"/data/\xff\xfe\0more";
        let read = path(&me, text.as_ptr().addr() as u64).unwrap();
        assert_eq!(read.into_vec(), b"/data/\xff\xfe");
        assert_eq!(path(&me, 8), None);
    }
}
