//! A stopped thread's memory and what `/proc` says of it.

use crate::witness::{Memory, Tracee};
use fathom_model::{ExecutedProgram, FileKind, Reading};
use fathom_stacks::Registers;
use fathom_sys::ptrace_support as ptrace;
use rustix::fs::{FileType, major, stat, statfs};
use rustix::io::Errno;
use rustix::process::Pid;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileExt, MetadataExt};

const PAGE_BYTES: u64 = 4096;
const LONGEST_PATH_BYTES: usize = 4096;
const SETUID: u32 = 0o4000;
const SETGID: u32 = 0o2000;
/// The magic numbers of proc, sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, bpf
/// and selinuxfs.
const MADE_UP: [u32; 9] = [
    0x9fa0,
    0x6265_6572,
    0x0027_e0eb,
    0x6367_7270,
    0x6462_6720,
    0x7472_6163,
    0x7363_6673,
    0xcafe_4a11,
    0xf97c_ff8c,
];

/// A thread that is stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoppedThread(pub(crate) Pid);

/// The bytes at an address up to their NUL; of endless ones as many as a path may have.
pub(crate) fn bytes_to_nul(memory: &dyn Memory, address: u64) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut next = address;
    while text.len() < LONGEST_PATH_BYTES {
        // To the end of the page at most: the next one may not be mapped.
        let mut piece = [0; 256];
        let length = usize::try_from(PAGE_BYTES - next % PAGE_BYTES).unwrap_or(256).min(256);
        let copied = memory.copy(next, &mut piece[..length]);
        if copied == 0 {
            return None;
        }
        if let Some(end) = piece[..copied].iter().position(|byte| *byte == 0) {
            text.extend_from_slice(&piece[..end]);
            break;
        }
        text.extend_from_slice(&piece[..copied]);
        next = next.checked_add(copied as u64)?;
    }
    Some(text)
}

impl Memory for StoppedThread {
    fn copy(&self, address: u64, buffer: &mut [u8]) -> usize {
        match ptrace::read_memory(self.0, address, buffer) {
            Ok(copied) => copied,
            // The program's own mistake: nothing is mapped there.
            Err(Errno::FAULT) => 0,
            // Its tracer has another way, where the call is refused.
            Err(_) => {
                File::open(self.path("mem")).and_then(|memory| memory.read_at(buffer, address)).unwrap_or(0)
            }
        }
    }

    fn copy_pieces(&self, pieces: &[(u64, usize)], buffer: &mut [u8]) -> bool {
        match ptrace::read_memory_pieces(self.0, pieces, buffer) {
            Ok(copied) => copied == buffer.len(),
            Err(Errno::FAULT) => false,
            // As above.
            Err(_) => {
                let mut rest = buffer;
                pieces.iter().all(|&(address, length)| {
                    let piece = std::mem::take(&mut rest).split_at_mut_checked(length);
                    piece.is_some_and(|(piece, others)| {
                        rest = others;
                        self.copy(address, piece) == length
                    })
                })
            }
        }
    }
}

impl Tracee for StoppedThread {
    fn text(&self, address: u64) -> Option<String> {
        bytes_to_nul(self, address).map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    fn file_kind(&self, descriptor: i32) -> Option<FileKind> {
        let path = self.path(&format!("fd/{descriptor}"));
        // Follows to the file itself, also where no path leads to it.
        let found = stat(&path).ok()?;
        Some(match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile if is_made_up(&path, found.st_dev) => FileKind::Other,
            FileType::RegularFile => FileKind::Regular,
            FileType::Directory => FileKind::Directory,
            FileType::Unknown => match fs::read_link(&path).ok()?.to_str() {
                Some("anon_inode:[eventfd]") => FileKind::Eventfd,
                Some("anon_inode:[eventpoll]") => FileKind::Epoll,
                _ => FileKind::Other,
            },
            _ => FileKind::Other,
        })
    }

    fn process(&self) -> Option<i32> {
        status_field(&self.file("status")?, "Tgid")?.parse().ok()
    }

    fn name(&self) -> Option<String> {
        Some(self.file("comm")?.trim_end_matches('\n').to_owned())
    }

    fn executed_path(&self) -> Option<OsString> {
        let pairs = fs::read(self.path("auxv")).ok()?;
        bytes_to_nul(self, executed_path_address(&pairs)?).map(OsString::from_vec)
    }

    fn program(&self) -> ExecutedProgram {
        let words = fs::read(self.path("cmdline")).unwrap_or_default();
        let words = words.strip_suffix(b"\0").unwrap_or(&words);
        let arguments = words.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
        let path = fs::read_link(self.path("exe")).map_err(|error| format!("/proc/PID/exe: {error}"));
        ExecutedProgram {
            path: Reading::from(path),
            arguments: arguments.collect(),
            privilege_lost: self.privilege_lost(),
        }
    }

    fn registers(&self) -> Option<Registers> {
        Some(walked_from(&ptrace::registers(self.0).ok()?))
    }

    #[cfg(target_arch = "x86_64")]
    fn thread_pointer(&self) -> Option<u64> {
        Some(ptrace::registers(self.0).ok()?.fs_base)
    }
}

#[cfg(target_arch = "x86_64")]
fn walked_from(known: &libc::user_regs_struct) -> Registers {
    Registers { program_counter: known.rip, stack_pointer: known.rsp, frame_pointer: known.rbp }
}

#[cfg(target_arch = "aarch64")]
fn walked_from(known: &libc::user_regs_struct) -> Registers {
    Registers {
        program_counter: known.pc,
        stack_pointer: known.sp,
        frame_pointer: known.regs[29],
        link: known.regs[30],
    }
}

impl StoppedThread {
    fn path(self, name: &str) -> String {
        format!("/proc/{}/{name}", self.0.as_raw_nonzero())
    }

    fn file(self, name: &str) -> Option<String> {
        fs::read(self.path(name)).ok().map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    /// What the program's file gives to whoever executes it and this process has not got.
    fn privilege_lost(self) -> Option<String> {
        let file = fs::metadata(self.path("exe")).ok()?;
        let status = self.file("status")?;
        let capabilities =
            rustix::fs::getxattr(self.path("exe"), "security.capability", &mut [0_u8; 64]).is_ok();
        let given = Given { mode: file.mode(), owner: file.uid(), group: file.gid(), capabilities };
        lost(&given, &status).map(str::to_owned)
    }
}

/// Where the path of the exec stands, from the vector of pairs of a kind and a value
/// that the kernel gives to a program.
fn executed_path_address(pairs: &[u8]) -> Option<u64> {
    let word = |bytes: &[u8]| bytes.try_into().map(u64::from_ne_bytes).ok();
    let half = |bytes: &[u8]| bytes.try_into().map(u32::from_ne_bytes).map(u64::from).ok();
    let whole = pairs.chunks_exact(16).find(|pair| word(&pair[..8]) == Some(libc::AT_EXECFN));
    whole.and_then(|pair| word(&pair[8..])).or_else(|| {
        // Of a 32-bit program.
        let pair = pairs.chunks_exact(8).find(|pair| half(&pair[..4]) == Some(libc::AT_EXECFN))?;
        half(&pair[4..])
    })
}

/// True of a file whose content the kernel makes up as it is read.
fn is_made_up(path: &str, device: u64) -> bool {
    // All of them, and few others, are on no block device.
    major(device) == 0
        && statfs(path).is_ok_and(|found| {
            let magic = u32::try_from(found.f_type).unwrap_or(0);
            MADE_UP.contains(&magic)
        })
}

/// What a file gives to a process that executes it.
struct Given {
    mode: u32,
    owner: u32,
    group: u32,
    capabilities: bool,
}

fn lost(given: &Given, status: &str) -> Option<&'static str> {
    // Real, effective, saved and file system's id.
    let effective = |name| status_field(status, name)?.split_whitespace().nth(1)?.parse::<u32>().ok();
    let permitted = status_field(status, "CapPrm").and_then(|bits| u64::from_str_radix(bits, 16).ok());
    if given.mode & SETUID != 0 && effective("Uid") != Some(given.owner) {
        Some("setuid")
    } else if given.mode & SETGID != 0 && effective("Gid") != Some(given.group) {
        Some("setgid")
    } else if given.capabilities && permitted == Some(0) {
        Some("file capabilities")
    } else {
        None
    }
}

fn status_field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    fn me() -> StoppedThread {
        StoppedThread(rustix::process::getpid())
    }

    #[test]
    fn text_is_read_across_pieces_and_pages() {
        for length in [0, 1, 255, 256, 3000] {
            let long = "x".repeat(length) + "\0tail";
            let text = me().text(long.as_ptr().addr() as u64).unwrap();
            assert_eq!(text, "x".repeat(length));
        }
        assert_eq!(me().text(8), None, "nothing is mapped there");
    }

    #[test]
    fn the_path_of_an_exec_is_found_among_pairs_of_both_widths() {
        let numbers = [6, 4096, libc::AT_EXECFN, 0x7ffd, 0, 0];
        let wide: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let narrow = numbers.iter().flat_map(|number| u32::try_from(*number).unwrap().to_ne_bytes());
        assert_eq!(executed_path_address(&wide), Some(0x7ffd));
        assert_eq!(executed_path_address(&narrow.collect::<Vec<u8>>()), Some(0x7ffd));
        assert_eq!(executed_path_address(&wide[..32][..16]), None);
        let me = me().executed_path().unwrap();
        assert_eq!(me.to_string_lossy(), std::env::args().next().unwrap());
    }

    #[test]
    fn proc_tells_who_it_is() {
        let pid = rustix::process::getpid().as_raw_nonzero().get();
        assert_eq!(me().process(), Some(pid));
        let program = me().program();
        assert_eq!(program.path, Reading::Value(std::env::current_exe().unwrap()));
        let words: Vec<_> = std::env::args().collect();
        assert_eq!((program.arguments, program.privilege_lost), (words, None));
        let me = StoppedThread(rustix::thread::gettid());
        let named = std::thread::current().name().unwrap_or_default().to_owned();
        assert!(named.starts_with(&me.name().unwrap()), "{named}");
    }

    #[test]
    fn descriptors_are_told_by_what_they_stand_for() {
        let file = File::open(std::env::current_exe().unwrap()).unwrap();
        let directory = File::open("/").unwrap();
        let null = File::open("/dev/null").unwrap();
        let made_up = File::open("/proc/self/status").unwrap();
        let (pipe, _writer) = std::io::pipe().unwrap();
        let (socket, _other) = std::os::unix::net::UnixStream::pair().unwrap();
        let epoll = rustix::event::epoll::create(rustix::event::epoll::CreateFlags::CLOEXEC).unwrap();
        let counter = rustix::event::eventfd(0, rustix::event::EventfdFlags::CLOEXEC).unwrap();
        let kinds: [(&dyn AsRawFd, _); 8] = [
            (&file, FileKind::Regular),
            (&directory, FileKind::Directory),
            (&null, FileKind::Other),
            (&made_up, FileKind::Other),
            (&pipe, FileKind::Other),
            (&socket, FileKind::Other),
            (&epoll, FileKind::Epoll),
            (&counter, FileKind::Eventfd),
        ];
        for (descriptor, kind) in kinds {
            let descriptor = descriptor.as_raw_fd();
            assert_eq!(me().file_kind(descriptor), Some(kind), "{descriptor}");
            let me_as_thread = StoppedThread(rustix::thread::gettid());
            assert_eq!(me_as_thread.file_kind(descriptor), Some(kind));
        }
        assert_eq!(me().file_kind(-1), None);
    }

    #[test]
    fn privileges_are_lost_when_the_file_gives_them_and_the_process_has_none() {
        let status = "Uid:\t1001\t1001\t1001\t1001\nGid:\t1001\t5\t5\t5\nCapPrm:\t0000000000000000\n";
        let plain = Given { mode: 0o755, owner: 0, group: 0, capabilities: false };
        assert_eq!(lost(&plain, status), None);
        assert_eq!(lost(&Given { mode: 0o4755, ..plain }, status), Some("setuid"));
        assert_eq!(lost(&Given { mode: 0o4755, owner: 1001, ..plain }, status), None);
        assert_eq!(lost(&Given { mode: 0o2755, ..plain }, status), Some("setgid"));
        assert_eq!(lost(&Given { mode: 0o2755, group: 5, ..plain }, status), None);
        assert_eq!(lost(&Given { capabilities: true, ..plain }, status), Some("file capabilities"));
        let capable = "CapPrm:\t00000000000000ff\n";
        assert_eq!(lost(&Given { capabilities: true, ..plain }, capable), None);
    }
}
