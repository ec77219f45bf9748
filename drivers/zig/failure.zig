//! Failures: which call failed and the name of its errno.

const std = @import("std");
const linux = std.os.linux;

pub const Failed = error{Failed};

pub const Failure = struct {
    /// The call or API that failed.
    op: []const u8,
    errno: []const u8,
    /// The path it failed on, where it is another than the operation's.
    path: ?[]const u8 = null,

    /// True where the kernel or the file system cannot, as opposed to a file
    /// that is not there.
    pub fn isRefusal(failure: Failure) bool {
        for ([_][]const u8{ "EINVAL", "EOPNOTSUPP", "ENODEV", "ENOSYS" }) |errno| {
            if (std.mem.eql(u8, failure.errno, errno)) return true;
        }
        return false;
    }
};

/// The failure behind the last `error.Failed` of this thread.
pub threadlocal var last: Failure = undefined;

/// Notes that `op` returned an error of the standard library.
pub fn failed(op: []const u8, err: anyerror) Failed {
    @branchHint(.cold);
    last = .{ .op = op, .errno = errnoOf(err) };
    return error.Failed;
}

/// Notes that the system call `op` returned an errno.
pub fn failedWith(op: []const u8, errno: linux.E) Failed {
    @branchHint(.cold);
    last = .{ .op = op, .errno = nameOf(errno) };
    return error.Failed;
}

/// `failed` at a path that is not the operation's.
pub fn failedAt(op: []const u8, err: anyerror, path: []const u8) Failed {
    @branchHint(.cold);
    failed(op, err) catch {};
    setPath(path);
    return error.Failed;
}

/// `failedWith` at a path that is not the operation's.
pub fn failedWithAt(op: []const u8, errno: linux.E, path: []const u8) Failed {
    @branchHint(.cold);
    failedWith(op, errno) catch {};
    setPath(path);
    return error.Failed;
}

threadlocal var path_buffer: [std.posix.PATH_MAX]u8 = undefined;

/// Keeps a copy of the path: names of a batch's files end with the batch.
pub fn setPath(path: []const u8) void {
    const length = @min(path.len, path_buffer.len);
    @memcpy(path_buffer[0..length], path[0..length]);
    last.path = path_buffer[0..length];
}

fn nameOf(errno: linux.E) []const u8 {
    return switch (errno) {
        _ => "EIO",
        inline else => |known| "E" ++ @tagName(known),
    };
}

/// The standard library gives errors names of its own; this gives the kernel's
/// back. Where it makes one error of several errnos, the likelier one.
fn errnoOf(err: anyerror) []const u8 {
    return switch (err) {
        error.FileNotFound => "ENOENT",
        error.AccessDenied => "EACCES",
        error.PermissionDenied => "EPERM",
        error.IsDir => "EISDIR",
        error.NotDir => "ENOTDIR",
        error.SymLinkLoop => "ELOOP",
        error.NameTooLong => "ENAMETOOLONG",
        error.BadPathName => "EINVAL",
        error.ProcessFdQuotaExceeded => "EMFILE",
        error.SystemFdQuotaExceeded => "ENFILE",
        error.OutOfMemory, error.SystemResources => "ENOMEM",
        error.LockedMemoryLimitExceeded, error.WouldBlock => "EAGAIN",
        error.ConcurrencyUnavailable => "EAGAIN",
        error.MemoryMappingNotSupported => "ENODEV",
        error.NoDevice => "ENXIO",
        error.NoSpaceLeft => "ENOSPC",
        error.DiskQuota => "EDQUOT",
        error.ReadOnlyFileSystem => "EROFS",
        error.FileBusy => "ETXTBSY",
        error.DeviceBusy => "EBUSY",
        error.FileTooBig => "EFBIG",
        error.PathAlreadyExists => "EEXIST",
        error.Unseekable => "ESPIPE",
        error.NotOpenForReading, error.NotOpenForWriting => "EBADF",
        error.Canceled => "ECANCELED",
        // The file is shorter than it was said to be.
        error.EndOfStream => "ENODATA",
        else => "EIO",
    };
}
