//! Maps: memory that programs in the kernel and this process share.

use super::call;
use crate::SysError;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::{CStr, c_void};
use std::sync::atomic::AtomicU64;

const BPF_MAP_CREATE: libc::c_long = 0;
const BPF_MAP_LOOKUP_ELEM: libc::c_long = 1;
const BPF_MAP_UPDATE_ELEM: libc::c_long = 2;
const BPF_MAP_DELETE_ELEM: libc::c_long = 3;
const BPF_MAP_LOOKUP_BATCH: libc::c_long = 24;
/// So many values of a hash are read at once.
const BATCH: u32 = 256;

/// What a map is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapKind {
    /// Values by key.
    Hash,
    /// Values by number, all there from the beginning.
    Array,
    /// The same, whose words this process maps ([`Map::words`]).
    MappedArray,
    /// Records from the kernel in the order in which they were reserved.
    Ring,
    /// Places for rings, by number, empty at first ([`Map::of_rings`]).
    Rings,
    /// Places for control groups, by number, empty at first ([`Map::put_cgroup`]).
    Cgroups,
}

/// A map. It lives while a program or a descriptor holds it.
#[derive(Debug)]
pub struct Map {
    fd: OwnedFd,
    key_bytes: u32,
    value_bytes: u32,
    entries: u32,
}

/// The words of a mapped array: the kernel changes them while they are looked at.
#[derive(Debug)]
pub struct MappedWords {
    start: *mut c_void,
    length: usize,
}

// SAFETY: a shared mapping of plain words, which are reached as atomics alone.
unsafe impl Send for MappedWords {}
// SAFETY: as above.
unsafe impl Sync for MappedWords {}

#[repr(C)]
struct Create {
    kind: u32,
    key_bytes: u32,
    value_bytes: u32,
    entries: u32,
    flags: u32,
    inner: u32,
    numa_node: u32,
    name: [u8; 16],
}

#[repr(C)]
struct Element {
    fd: u32,
    padding: u32,
    key: u64,
    value: u64,
    flags: u64,
}

#[repr(C)]
struct Batch {
    from: u64,
    to: u64,
    keys: u64,
    values: u64,
    count: u32,
    fd: u32,
    element_flags: u64,
    flags: u64,
}

impl Map {
    /// Makes a map. A ring's `entries` are its bytes, a power of two of whole pages; it
    /// has neither keys nor values. `EPERM` without `CAP_BPF`.
    pub fn create(
        kind: MapKind,
        name: &CStr,
        (key_bytes, value_bytes): (u32, u32),
        entries: u32,
    ) -> Result<Self, SysError> {
        Self::create_within(kind, name, (key_bytes, value_bytes), entries, None)
    }

    /// Places for so many rings; `example` is one, whose size need not be that of the others.
    pub fn of_rings(name: &CStr, example: &Self, entries: u32) -> Result<Self, SysError> {
        Self::create_within(MapKind::Rings, name, (4, 4), entries, Some(example))
    }

    fn create_within(
        kind: MapKind,
        name: &CStr,
        (key_bytes, value_bytes): (u32, u32),
        entries: u32,
        inner: Option<&Self>,
    ) -> Result<Self, SysError> {
        let (number, flags) = match kind {
            MapKind::Hash => (1, 0),
            MapKind::Array => (2, 0),
            // BPF_F_MMAPABLE
            MapKind::MappedArray => (2, 1 << 10),
            MapKind::Ring => (27, 0),
            MapKind::Rings => (12, 0),
            MapKind::Cgroups => (8, 0),
        };
        let mut attributes = Create {
            kind: number,
            key_bytes,
            value_bytes,
            entries,
            flags,
            inner: inner.map_or(0, Self::descriptor_number),
            numa_node: 0,
            name: super::kernel_name(name),
        };
        let fd = owned(call(BPF_MAP_CREATE, &mut attributes)?)?;
        Ok(Self { fd, key_bytes, value_bytes, entries })
    }

    /// Puts a value under a key.
    ///
    /// # Panics
    ///
    /// When key or value have another size than the map's.
    pub fn update(&self, key: &[u8], value: &[u8]) -> Result<(), SysError> {
        self.check_sizes(key, value.len());
        let value = value.as_ptr().expose_provenance() as u64;
        call(BPF_MAP_UPDATE_ELEM, &mut self.element(key, value)).map(|_| ())
    }

    /// Puts a ring into a place of [`Self::of_rings`]. When this returns, some ms to tens of ms later, no
    /// program runs any more that has found the place empty.
    ///
    /// # Panics
    ///
    /// When this is no map of places for rings.
    pub fn put_ring(&self, place: u32, ring: &Self) -> Result<(), SysError> {
        self.update(&place.to_ne_bytes(), &ring.descriptor_number().to_ne_bytes())
    }

    /// Puts the control group whose directory this is into a place of [`MapKind::Cgroups`]. `EBADF` of a
    /// directory that is none of cgroup v2's.
    ///
    /// # Panics
    ///
    /// When this is no map of places for control groups.
    pub fn put_cgroup(&self, place: u32, directory: BorrowedFd<'_>) -> Result<(), SysError> {
        self.update(&place.to_ne_bytes(), &directory.as_raw_fd().to_ne_bytes())
    }

    /// Copies the value of a key. `ENOENT` where there is none.
    ///
    /// # Panics
    ///
    /// When key or value have another size than the map's.
    pub fn look_up(&self, key: &[u8], value: &mut [u8]) -> Result<(), SysError> {
        self.check_sizes(key, value.len());
        let value = value.as_mut_ptr().expose_provenance() as u64;
        call(BPF_MAP_LOOKUP_ELEM, &mut self.element(key, value)).map(|_| ())
    }

    /// Gives every key of a hash with its value, in no order, in few calls. What is put in or taken out
    /// meanwhile may be given or not.
    pub fn each(&self, take: &mut dyn FnMut(&[u8], &[u8])) -> Result<(), SysError> {
        let (key_bytes, value_bytes) = (self.key_bytes as usize, self.value_bytes as usize);
        let mut keys = vec![0_u8; BATCH as usize * key_bytes];
        let mut values = vec![0_u8; BATCH as usize * value_bytes];
        let (mut before, mut after) = (None, 0_u32);
        loop {
            let mut batch = Batch {
                from: before
                    .as_ref()
                    .map_or(0, |before| std::ptr::from_ref::<u32>(before).expose_provenance() as u64),
                to: std::ptr::from_mut(&mut after).expose_provenance() as u64,
                keys: keys.as_mut_ptr().expose_provenance() as u64,
                values: values.as_mut_ptr().expose_provenance() as u64,
                count: BATCH,
                fd: self.descriptor_number(),
                element_flags: 0,
                flags: 0,
            };
            let is_last = match call(BPF_MAP_LOOKUP_BATCH, &mut batch) {
                Ok(_) => false,
                Err(error) if error.errno() == Some(rustix::io::Errno::NOENT) => true,
                Err(error) => return Err(error),
            };
            let found = keys.chunks_exact(key_bytes).zip(values.chunks_exact(value_bytes));
            found.take(batch.count as usize).for_each(|(key, value)| take(key, value));
            if is_last {
                return Ok(());
            }
            before = Some(after);
        }
    }

    /// Takes a key out of a hash. `ENOENT` where it is not in it.
    ///
    /// # Panics
    ///
    /// When the key has another size than the map's.
    pub fn remove(&self, key: &[u8]) -> Result<(), SysError> {
        self.check_sizes(key, self.value_bytes as usize);
        call(BPF_MAP_DELETE_ELEM, &mut self.element(key, 0)).map(|_| ())
    }

    /// Maps the words of a mapped array of 8-byte values.
    pub fn words(&self) -> Result<MappedWords, SysError> {
        assert!(self.value_bytes == 8, "only words are mapped");
        let length = self.entries as usize * 8;
        let protection = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let start = unsafe { mmap(std::ptr::null_mut(), length, protection, MapFlags::SHARED, &self.fd, 0) }
            .map_err(SysError::of("mmap"))?;
        Ok(MappedWords { start, length })
    }

    /// How many values there are at most; of a ring, how many bytes.
    pub fn entries(&self) -> u32 {
        self.entries
    }

    /// The number by which an instruction names it.
    pub(super) fn descriptor_number(&self) -> u32 {
        self.fd.as_raw_fd().unsigned_abs()
    }

    fn check_sizes(&self, key: &[u8], value_bytes: usize) {
        assert!(
            key.len() == self.key_bytes as usize && value_bytes == self.value_bytes as usize,
            "a key of {} bytes and a value of {value_bytes} do not fit the map",
            key.len()
        );
    }

    fn element(&self, key: &[u8], value: u64) -> Element {
        let key = key.as_ptr().expose_provenance() as u64;
        Element { fd: self.descriptor_number(), padding: 0, key, value, flags: 0 }
    }
}

impl AsFd for Map {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl MappedWords {
    /// The words, as others change them.
    pub fn all(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is that long, aligned to a page, lives as long as `self`, and is
        // reached through atomics by every thread here and by atomic operations in the kernel.
        unsafe { std::slice::from_raw_parts(self.start.cast::<AtomicU64>().cast_const(), self.length / 8) }
    }
}

impl Drop for MappedWords {
    fn drop(&mut self) {
        // SAFETY: our own mapping, into which no reference is left.
        let _ = unsafe { munmap(self.start, self.length) };
    }
}

/// A descriptor that bpf(2) has just returned.
pub(super) fn owned(number: libc::c_long) -> Result<OwnedFd, SysError> {
    let fd = i32::try_from(number)
        .map_err(|_| SysError::Refused { call: "bpf", errno: rustix::io::Errno::BADF })?;
    // SAFETY: the call has just returned this descriptor and nobody else knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    fn made(kind: MapKind) -> Option<Map> {
        match Map::create(kind, c"fathom_t", (4, 8), 1024) {
            Ok(map) => Some(map),
            Err(error) => {
                assert_eq!(error.errno(), Some(rustix::io::Errno::PERM), "{error}");
                eprintln!("skipped: {error}");
                None
            }
        }
    }

    #[test]
    fn what_is_put_into_a_map_is_found_in_it() {
        let Some(map) = made(MapKind::Hash) else { return };
        map.update(&7_u32.to_ne_bytes(), &11_u64.to_ne_bytes()).unwrap();
        let mut value = [0; 8];
        map.look_up(&7_u32.to_ne_bytes(), &mut value).unwrap();
        assert_eq!(u64::from_ne_bytes(value), 11);
        let missing = map.look_up(&8_u32.to_ne_bytes(), &mut value).unwrap_err();
        assert_eq!(missing.errno(), Some(rustix::io::Errno::NOENT));
    }

    #[test]
    fn each_key_of_a_hash_is_given_once() {
        let Some(map) = made(MapKind::Hash) else { return };
        for number in 0_u32..1000 {
            map.update(&number.to_ne_bytes(), &u64::from(2 * number).to_ne_bytes()).unwrap();
        }
        let mut found = Vec::new();
        map.each(&mut |key, value| {
            let key = u32::from_ne_bytes(key.try_into().unwrap());
            assert_eq!(u64::from_ne_bytes(value.try_into().unwrap()), u64::from(2 * key));
            found.push(key);
        })
        .unwrap();
        found.sort_unstable();
        assert_eq!(found, (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn mapped_words_are_the_maps_own() {
        let Some(map) = made(MapKind::MappedArray) else { return };
        let words = map.words().unwrap();
        assert_eq!(words.all().len(), 1024);
        words.all()[1000].fetch_or(1 << 63, Ordering::SeqCst);
        let mut value = [0; 8];
        map.look_up(&1000_u32.to_ne_bytes(), &mut value).unwrap();
        assert_eq!(u64::from_ne_bytes(value), 1 << 63);
    }
}
