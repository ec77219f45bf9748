//! Loop devices: a file as a block device (`linux/loop.h`).

use crate::SysError;
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use std::path::PathBuf;

const LOOP_CTL_GET_FREE: libc::Ioctl = 0x4C82;
const LOOP_CONFIGURE: libc::Ioctl = 0x4C0A;
const LO_FLAGS_AUTOCLEAR: u32 = 4;
/// Another process may take the device that was just said to be free.
const ATTEMPTS: u32 = 16;

/// An attached device. The kernel detaches it when nobody has it open or
/// mounted any more, however that comes about.
#[derive(Debug)]
pub struct LoopDevice {
    /// Its path: `/dev/loop0`.
    pub path: PathBuf,
    _open: OwnedFd,
}

#[repr(C)]
struct LoopInfo {
    device_inode_rdevice_offset_limit: [u64; 5],
    number: u32,
    encryption: [u32; 2],
    flags: u32,
    names_and_key: [u8; 160],
    init: [u64; 2],
}

#[repr(C)]
struct LoopConfig {
    fd: u32,
    block_size: u32,
    info: LoopInfo,
    reserved: [u64; 8],
}

/// Attaches a file, open for reading and writing, to a free device.
pub fn attach(file: impl AsFd) -> Result<LoopDevice, SysError> {
    let flags = OFlags::RDWR | OFlags::CLOEXEC;
    let control = open("/dev/loop-control", flags, Mode::empty()).map_err(SysError::of("open"))?;
    for _ in 0..ATTEMPTS {
        // SAFETY: LOOP_CTL_GET_FREE takes no argument.
        let number = unsafe { libc::ioctl(control.as_raw_fd(), LOOP_CTL_GET_FREE) };
        if number < 0 {
            return Err(SysError::last("ioctl(LOOP_CTL_GET_FREE)"));
        }
        let path = PathBuf::from(format!("/dev/loop{number}"));
        let device = open(&path, flags, Mode::empty()).map_err(SysError::of("open"))?;
        match configure(&device, &file) {
            Ok(()) => return Ok(LoopDevice { path, _open: device }),
            Err(error) if error.errno() == Some(Errno::BUSY) => {}
            Err(error) => return Err(error),
        }
    }
    Err(SysError::Refused { call: "ioctl(LOOP_CONFIGURE)", errno: Errno::BUSY })
}

fn configure(device: &OwnedFd, file: &impl AsFd) -> Result<(), SysError> {
    let nonsense = |_| SysError::Nonsense { call: "open", what: "a negative descriptor".to_owned() };
    let config = LoopConfig {
        fd: u32::try_from(file.as_fd().as_raw_fd()).map_err(nonsense)?,
        block_size: 0,
        info: LoopInfo {
            device_inode_rdevice_offset_limit: [0; 5],
            number: 0,
            encryption: [0; 2],
            flags: LO_FLAGS_AUTOCLEAR,
            names_and_key: [0; 160],
            init: [0; 2],
        },
        reserved: [0; 8],
    };
    // SAFETY: the argument is a `struct loop_config` that outlives the call; the kernel only reads it.
    let result = unsafe { libc::ioctl(device.as_raw_fd(), LOOP_CONFIGURE, &raw const config) };
    if result == 0 { Ok(()) } else { Err(SysError::last("ioctl(LOOP_CONFIGURE)")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn the_layout_is_the_kernels() {
        assert_eq!(size_of::<LoopInfo>(), 232);
        assert_eq!(size_of::<LoopConfig>(), 304);
        assert_eq!(std::mem::offset_of!(LoopInfo, flags), 52);
    }

    #[test]
    fn a_file_is_read_through_its_device_which_goes_with_it() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![7; 1 << 16]).unwrap();
        let device = match attach(&file) {
            Ok(device) => device,
            // An ordinary user may not, and a container may have no such device.
            Err(error) => {
                let known = [Errno::ACCESS, Errno::PERM, Errno::NOENT, Errno::NODEV, Errno::NXIO];
                assert!(known.contains(&error.errno().unwrap()), "{error}");
                return;
            }
        };
        let mut piece = [0; 512];
        std::fs::File::open(&device.path).unwrap().read_exact(&mut piece).unwrap();
        assert_eq!(piece, [7; 512]);
        let name = device.path.file_name().unwrap().to_string_lossy().into_owned();
        drop(device);
        // The kernel detaches a moment later.
        let backing = format!("/sys/block/{name}/loop/backing_file");
        let begun = std::time::Instant::now();
        while std::fs::read_to_string(&backing).is_ok_and(|text| text.contains("deleted")) {
            assert!(begun.elapsed().as_secs() < 60, "{name} stays attached");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}
