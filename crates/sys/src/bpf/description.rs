//! The kernel's description of its own types (BTF), as one stretch of bytes.

use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::c_void;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The bytes of a description that never changes while the kernel runs.
#[derive(Debug)]
pub struct KernelDescription(Bytes);

#[derive(Debug)]
enum Bytes {
    Mapped { start: *mut c_void, length: usize },
    Read(Vec<u8>),
}

impl KernelDescription {
    /// Where the running kernel has its own.
    pub const FILE: &str = "/sys/kernel/btf/vmlinux";

    /// That of the running kernel. Newer kernels (6.16) let it be mapped; of others it is read, a
    /// page a call.
    pub fn of_running_kernel() -> io::Result<Self> {
        let mut file = File::open(Path::new(Self::FILE))?;
        let length = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        // SAFETY: a new mapping at an address of the kernel's choice disturbs no other.
        let mapped =
            unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::PRIVATE, &file, 0) };
        if let Ok(start) = mapped {
            return Ok(Self(Bytes::Mapped { start, length }));
        }
        let mut read = Vec::with_capacity(length);
        file.read_to_end(&mut read)?;
        Ok(Self(Bytes::Read(read)))
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read(read) => read,
            Bytes::Mapped { start, length } => {
                // SAFETY: mapped for reading in that length as long as `self` lives; nobody writes the
                // kernel's description, and the file cannot become shorter.
                unsafe { std::slice::from_raw_parts(start.cast::<u8>().cast_const(), *length) }
            }
        }
    }
}

impl Drop for KernelDescription {
    fn drop(&mut self) {
        if let Bytes::Mapped { start, length } = self.0 {
            // SAFETY: our own mapping, into which no reference is left.
            let _ = unsafe { munmap(start, length) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_or_read_it_is_what_the_file_holds() {
        let Ok(read) = std::fs::read(KernelDescription::FILE) else {
            eprintln!("skipped: this kernel does not describe its types");
            return;
        };
        let description = KernelDescription::of_running_kernel().unwrap();
        assert!(description.bytes() == read, "{} bytes, {}", description.bytes().len(), read.len());
    }
}
