//! What `stat` and `statx` said of a file, whole (`-v`) or abbreviated.

use super::constants;
use super::scan::{field, parts};
use super::value::{bits, number};
use fathom_events::{FileFacts, FileIdentity, FileKind};

const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

/// Kind and permissions among the bits of a mode.
const KIND_BITS: u64 = 0o170_000;
const PERMISSION_BITS: u64 = 0o7777;

/// Seconds and nanoseconds as they are found.
#[derive(Debug, Default)]
struct Moment {
    seconds: Option<i64>,
    nanoseconds: i64,
}

/// The facts of a structure; `None` where an address was printed instead.
pub(super) fn facts(structure: &[u8]) -> Option<FileFacts> {
    if structure.first() != Some(&b'{') {
        return None;
    }
    let mut facts = FileFacts::default();
    let (mut device, mut inode) = (None, None);
    let (mut major, mut minor) = (None, None);
    let (mut modified, mut changed) = (Moment::default(), Moment::default());
    for part in parts(structure) {
        let Some(equals) = memchr::memchr(b'=', part) else { continue };
        let (name, value) = (&part[..equals], &part[equals + 1..]);
        let whole = || number(value);
        match name {
            b"st_dev" => device = made_device(value),
            b"stx_dev_major" => major = whole(),
            b"stx_dev_minor" => minor = whole(),
            b"st_ino" | b"stx_ino" => inode = whole(),
            b"st_mode" | b"stx_mode" => set_mode(&mut facts, value),
            b"st_uid" | b"stx_uid" => facts.owner = whole().and_then(|owner| u32::try_from(owner).ok()),
            b"st_size" | b"stx_size" => facts.size_bytes = whole(),
            b"st_mtime" | b"stx_mtime" => modified.set(value),
            b"st_ctime" | b"stx_ctime" => changed.set(value),
            b"st_mtime_nsec" => modified.nanoseconds = whole().map_or(0, u64::cast_signed),
            b"st_ctime_nsec" => changed.nanoseconds = whole().map_or(0, u64::cast_signed),
            _ => {}
        }
    }
    let device = device.or_else(|| device_number(major?, minor?));
    facts.identity = device.zip(inode).map(|(device, inode)| FileIdentity { device, inode });
    facts.modified_ns = modified.since_epoch_ns();
    facts.changed_ns = changed.since_epoch_ns();
    Some(facts)
}

impl Moment {
    /// Takes `1700000000 /* … */` or `{tv_sec=1700000000, tv_nsec=5}`; a date that
    /// old versions print without a zone is no moment.
    fn set(&mut self, value: &[u8]) {
        if value.first() == Some(&b'{') {
            self.seconds = field(value, b"tv_sec").and_then(number).map(u64::cast_signed);
            self.nanoseconds = field(value, b"tv_nsec").and_then(number).map_or(0, u64::cast_signed);
        } else if !value.contains(&b'/') || value.windows(2).any(|two| two == b"/*") {
            self.seconds = number(value).map(u64::cast_signed);
        }
    }

    fn since_epoch_ns(&self) -> Option<i64> {
        self.seconds?.checked_mul(NANOSECONDS_PER_SECOND)?.checked_add(self.nanoseconds)
    }
}

fn set_mode(facts: &mut FileFacts, value: &[u8]) {
    let (mode, _) = bits(value, constants::file_mode);
    facts.permissions = u16::try_from(mode & PERMISSION_BITS).ok();
    facts.kind = match mode & KIND_BITS {
        0o010_000 => Some(FileKind::Pipe),
        0o020_000 => Some(FileKind::Character),
        0o040_000 => Some(FileKind::Directory),
        0o060_000 => Some(FileKind::Block),
        0o100_000 => Some(FileKind::Regular),
        0o120_000 => Some(FileKind::Link),
        0o140_000 => Some(FileKind::Socket),
        _ => None,
    };
}

/// Of `makedev(0x8, 0x1)`, or of a number.
fn made_device(value: &[u8]) -> Option<u64> {
    let Some(inner) = value.strip_prefix(b"makedev(") else { return number(value) };
    let comma = memchr::memchr(b',', inner)?;
    device_number(number(&inner[..comma])?, number(inner[comma + 1..].trim_ascii())?)
}

fn device_number(major: u64, minor: u64) -> Option<u64> {
    Some(libc::makedev(u32::try_from(major).ok()?, u32::try_from(minor).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_structures_tell_identity_and_times() {
        let stat = facts(
            b"{st_dev=makedev(0x103, 0x5), st_ino=77, st_mode=S_IFREG|S_ISUID|0755, st_nlink=1, st_uid=1000, \
              st_size=9, st_mtime=1700000000 /* 2023-11-14T22:13:20.000000005+0000 */, st_mtime_nsec=5, st_ctime=1700000001}",
        );
        let expected = FileFacts {
            identity: Some(FileIdentity { device: 0x1_0305, inode: 77 }),
            kind: Some(FileKind::Regular),
            permissions: Some(0o4755),
            owner: Some(1000),
            size_bytes: Some(9),
            modified_ns: Some(1_700_000_000_000_000_005),
            changed_ns: Some(1_700_000_001_000_000_000),
        };
        assert_eq!(stat, Some(expected));
        let statx = facts(
            b"{stx_mask=STATX_ALL, stx_uid=1000, stx_mode=S_IFREG|S_ISUID|0755, stx_ino=77, stx_size=9, \
              stx_ctime={tv_sec=1700000001, tv_nsec=0}, stx_mtime={tv_sec=1700000000, tv_nsec=5} /* x */, \
              stx_dev_major=0x103, stx_dev_minor=0x5}",
        );
        assert_eq!(statx, Some(expected));
    }

    #[test]
    fn what_is_not_told_is_not_invented() {
        let short = facts(b"{st_mode=S_IFDIR|0700, st_size=60, ...}").unwrap();
        assert_eq!((short.kind, short.size_bytes), (Some(FileKind::Directory), Some(60)));
        assert_eq!((short.identity, short.modified_ns, short.owner), (None, None, None));
        assert_eq!(facts(b"{st_mtime=2016/01/02-03:04:05}").unwrap().modified_ns, None);
        assert_eq!(facts(b"0x7ffe0"), None);
    }
}
