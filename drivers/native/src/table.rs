//! The table of the methods: what `describe` shows of each.

use super::methods::Operation;

/// One method as `describe` shows it.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) operations: &'static [Operation],
    pub(crate) does: &'static str,
    /// The settings whose values, other than the default, it can do something with.
    pub(crate) takes: &'static [&'static str],
}

impl Described {
    const fn taking(self, takes: &'static [&'static str]) -> Self {
        Self { takes, ..self }
    }
}

const OPEN: &[Operation] = &[Operation::OpenClose];
const OPEN_MISSING: &[Operation] = &[Operation::OpenClose, Operation::OpenMissing];
const OPEN_MISSING_CREATE: &[Operation] = &[Operation::OpenClose, Operation::OpenMissing, Operation::Create];
const FOR_WRITING: &[Operation] = &[Operation::OpenWriteClose];
const LINES: &[Operation] = &[Operation::Lines];
const TEMPLATE: &[Operation] = &[Operation::Template];
const RELOAD: &[Operation] = &[Operation::Reload];
const READ: &[Operation] = &[
    Operation::OpenReadClose,
    Operation::ReadWhole,
    Operation::ReadBlock,
    Operation::Hash,
    Operation::Reload,
];
const PREAD: &[Operation] =
    &[Operation::OpenReadClose, Operation::ReadWhole, Operation::ReadBlock, Operation::Search];
const MMAP: &[Operation] = &[
    Operation::OpenReadClose,
    Operation::ReadWhole,
    Operation::ReadBlock,
    Operation::Search,
    Operation::Hash,
];
const FS_READ: &[Operation] = &[Operation::ReadWhole, Operation::Search, Operation::Hash];
const CREATE: &[Operation] = &[Operation::Create];
const WRITE: &[Operation] = &[Operation::WriteBlock];
const COPY: &[Operation] = &[Operation::Copy];
const TRUNCATE: &[Operation] = &[Operation::Truncate];
const ONE: &[Operation] = &[Operation::OpenReadClose];
const WHOLE: &[Operation] = &[Operation::ReadWhole];
const BLOCK: &[Operation] = &[Operation::ReadBlock];
const WHOLE_BLOCK: &[Operation] = &[Operation::ReadWhole, Operation::ReadBlock];
const DATA: &[Operation] = &[Operation::OpenReadClose, Operation::ReadWhole, Operation::ReadBlock];
const QUEUE: &[&str] = &["threads", "queue-depth"];
const THREADS: &[&str] = &["threads"];
const ALGORITHM: &[&str] = &["algorithm"];
const THREADS_ALGORITHM: &[&str] = &["threads", "algorithm"];

/// Every method, in the order of driver.toml.
#[rustfmt::skip]
pub(crate) const METHODS: &[Described] = &[
    row("null", &Operation::ALL, "everything but the I/O"),
    row("open", OPEN_MISSING, "open(path, O_RDONLY), close"),
    row("openat", OPEN_MISSING, "openat(AT_FDCWD, path, O_RDONLY), close"),
    row("openat+dirfd", OPEN_MISSING_CREATE, "openat(dirfd, name, O_RDONLY), close; the directory is open already; create: O_CREAT|O_WRONLY|O_TRUNC, write"),
    row("openat2", OPEN_MISSING, "syscall(SYS_openat2, AT_FDCWD, path, {O_RDONLY}), close"),
    row("open+O_PATH", OPEN_MISSING, "open(path, O_PATH), close"),
    row("open+O_DIRECT", OPEN, "open(path, O_RDONLY|O_DIRECT), close"),
    row("open+O_CLOEXEC", OPEN, "open(path, O_RDONLY|O_CLOEXEC), close"),
    row("open+O_NOATIME", OPEN, "open(path, O_RDONLY|O_NOATIME), close"),
    row("fopen", OPEN_MISSING, "fopen(path, r), fclose"),
    row("File::open", OPEN_MISSING, "std::fs::File::open, drop"),
    row("syscall-open", OPEN_MISSING, "syscall(SYS_open) and syscall(SYS_close); SYS_openat where there is no SYS_open"),
    row("syscall-openat", OPEN_MISSING, "openat and close by the machine's system call instruction"),
    row("read", READ, "open, read into a buffer (read-whole: until it returns 0), close; read-block: lseek, read; hash: read piece by piece; reload: read and compare").taking(ALGORITHM),
    row("pread", PREAD, "open, pread into a buffer (read-whole: until it returns 0), close; read-block: pread; search: fstat, each thread preads its part").taking(THREADS),
    row("preadv2", DATA, "open, preadv2 into a buffer (read-whole: until it returns 0), close; read-block: preadv2").taking(THREADS),
    row("readv", DATA, "open, readv into a buffer (read-whole: until it returns 0), close; read-block: lseek, readv"),
    row("fread", DATA, "fopen, fread into a buffer (read-whole: until it returns 0), fclose; read-block: fseeko, fread"),
    row("mmap", MMAP, "open, mmap, touch a byte per page, munmap, close (read-whole: fstat first); read-block: touch; search, hash: fstat, mmap, go through it, munmap").taking(THREADS_ALGORITHM),
    row("mmap+MAP_POPULATE", DATA, "open, mmap with MAP_POPULATE, touch a byte per page, munmap, close (read-whole: fstat first); read-block: touch").taking(THREADS),
    row("mmap+copy", WHOLE_BLOCK, "open, fstat, mmap, memcpy of every byte into a buffer, munmap, close; read-block: memcpy of the block"),
    row("mmap+MADV_RANDOM", BLOCK, "touch a byte per page of a mapping with MADV_RANDOM; nothing is copied").taking(THREADS),
    row("mmap+MADV_SEQUENTIAL", WHOLE_BLOCK, "open, fstat, mmap, madvise(MADV_SEQUENTIAL), touch a byte per page, munmap, close; read-block: touch").taking(THREADS),
    row("mmap+MADV_WILLNEED", BLOCK, "touch a byte per page of a mapping with MADV_WILLNEED; nothing is copied").taking(THREADS),
    row("pread+FADV_RANDOM", BLOCK, "pread from a descriptor with POSIX_FADV_RANDOM").taking(THREADS),
    row("pread+FADV_SEQUENTIAL", BLOCK, "pread from a descriptor with POSIX_FADV_SEQUENTIAL").taking(THREADS),
    row("O_DIRECT+pread", DATA, "open with O_DIRECT, pread into an aligned buffer (read-whole: until it is short), close; read-block: pread").taking(THREADS),
    row("read+O_DIRECT", WHOLE, "open with O_DIRECT, read into an aligned buffer until it is short, close"),
    row("io_uring", WHOLE_BLOCK, "IORING_OP_READ, io_uring_enter, as many in flight as the queue is deep; read-whole: open, fstat, pieces of a block, close").taking(QUEUE),
    row("io_uring+O_DIRECT", WHOLE_BLOCK, "the same from a file opened with O_DIRECT into aligned buffers").taking(QUEUE),
    row("io_uring+registered", BLOCK, "IORING_OP_READ_FIXED, io_uring_enter; the buffers and the files are registered beforehand").taking(QUEUE),
    row("File+read", ONE, "std: File::open, Read::read into a buffer, drop"),
    row("File+read_exact_at", BLOCK, "std: FileExt::read_exact_at"),
    row("std::fs::read", FS_READ, "std::fs::read; search: shared by the threads; hash: all of it at once").taking(ALGORITHM),
    row("File+read_to_end", WHOLE, "std: File::open, Read::read_to_end into a Vec, drop"),
    row("BufReader+read_to_end", WHOLE, "std: BufReader::new(File::open), read_to_end into a Vec, drop"),
    row("open+O_WRONLY", FOR_WRITING, "open(path, O_WRONLY), close"),
    row("open+O_WRONLY+fstat", FOR_WRITING, "open(path, O_WRONLY), fstat, close"),
    row("open+O_WRONLY+fstat-fstat", FOR_WRITING, "open+O_WRONLY+fstat whose fstat a library answers: with preload elide-fstat only"),
    row("openat+O_WRONLY", FOR_WRITING, "openat(AT_FDCWD, path, O_WRONLY), close"),
    row("fopen-r+", FOR_WRITING, "fopen(path, r+), fclose"),
    row("OpenOptions+write", FOR_WRITING, "std: OpenOptions::new().write(true).open, drop"),
    row("open+O_CREAT", CREATE, "open(path, O_CREAT|O_WRONLY|O_TRUNC, 0644), write, close"),
    row("File::create", CREATE, "std: File::create, Write::write_all, drop"),
    row("fopen-w", CREATE, "fopen(path, w), fwrite, fclose"),
    row("write", WRITE, "write where the file stands; lseek where the blocks begin anew; sequential only"),
    row("pwrite", WRITE, "pwrite"),
    row("pwrite+O_DIRECT", WRITE, "pwrite out of aligned memory into a file opened with O_DIRECT"),
    row("pwrite+O_DSYNC", WRITE, "pwrite into a file opened with O_DSYNC"),
    row("fwrite", WRITE, "fwrite, at last fflush; sequential only"),
    row("mmap+MAP_SHARED", WRITE, "copy into a shared mapping of a file that ftruncate gave its size beforehand"),
    row("File::write_all", WRITE, "std: Write::write_all on a File; sequential only"),
    row("File+write_all_at", WRITE, "std: FileExt::write_all_at"),
    row("BufWriter", WRITE, "std: Write::write_all on a BufWriter, at last flush; sequential only"),
    row("read+write", COPY, "open, open(O_CREAT|O_WRONLY|O_TRUNC), read and write 64 KiB at a time, close, close"),
    row("sendfile", COPY, "open, fstat, open(O_CREAT|O_WRONLY|O_TRUNC), sendfile, close, close"),
    row("copy_file_range", COPY, "open, fstat, open(O_CREAT|O_WRONLY|O_TRUNC), copy_file_range, close, close"),
    row("FICLONE", COPY, "open, open(O_CREAT|O_WRONLY|O_TRUNC), ioctl(FICLONE), close, close"),
    row("mmap+write", COPY, "open, fstat, open(O_CREAT|O_WRONLY|O_TRUNC), mmap, write, munmap, close, close"),
    row("std::fs::copy", COPY, "std::fs::copy"),
    row("ftruncate", TRUNCATE, "open(path, O_WRONLY), ftruncate, close"),
    row("openat+dirfd+ftruncate", TRUNCATE, "openat(dirfd, name, O_WRONLY), ftruncate, close; the directory is open already"),
    row("File::set_len", TRUNCATE, "std: OpenOptions::new().write(true).open, File::set_len, drop"),
    row("BufReader+split", LINES, "std: BufReader::new(File::open), BufRead::split: a new Vec for each line"),
    row("BufReader+read_until", LINES, "std: BufReader::new(File::open), BufRead::read_until into one Vec"),
    row("getline", LINES, "fopen, getline into one buffer, fclose"),
    row("std::fs::read+split", LINES, "std::fs::read, split at each newline"),
    row("mmap+memchr", LINES, "open, fstat, mmap, memchr for each newline, munmap, close"),
    row("include_str", TEMPLATE, "str::replace on a page that include_str! put into the program"),
    row("std::fs::read_to_string", TEMPLATE, "std::fs::read_to_string, str::replace"),
    row("stat", RELOAD, "stat; reads again when inode, size or time of modification differ"),
    row("statx", RELOAD, "syscall(SYS_statx) for inode, size and time of modification; reads again when they differ"),
    row("std::fs::metadata", RELOAD, "std::fs::metadata; reads again when inode, size or time of modification differ"),
    row("inotify", RELOAD, "read of a non-blocking inotify descriptor; reads again after an event"),
];

/// The method of a name.
pub(crate) fn find(name: &str) -> Option<&'static Described> {
    METHODS.iter().find(|method| method.name == name)
}

const fn row(name: &'static str, operations: &'static [Operation], does: &'static str) -> Described {
    Described { name, operations, does, takes: &[] }
}
