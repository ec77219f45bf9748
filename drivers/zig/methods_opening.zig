//! The methods that open files and make them.

const create = @import("create.zig");
const open_close = @import("open_close.zig");
const open_missing = @import("open_missing.zig");
const open_write_close = @import("open_write_close.zig");
const Method = @import("methods.zig").Method;

pub const table = [_]Method{
    .{
        .name = "std.Io.Dir.openFile",
        .does = "Dir.cwd().openFile, File.close; Io is std.Io.Threaded",
        .actions = .init(.{
            .@"open-close" = .{ .perform = open_close.dirOpenFile },
            .@"open-missing" = .{ .perform = open_missing.dirOpenFile },
        }),
    },
    .{
        .name = "std.Io.Dir.openFileAbsolute",
        .does = "Dir.openFileAbsolute, File.close",
        .absolute = true,
        .actions = .init(.{
            .@"open-close" = .{ .perform = open_close.openFileAbsolute },
            .@"open-missing" = .{ .perform = open_missing.openFileAbsolute },
        }),
    },
    .{
        .name = "std.posix.openat",
        .does = "posix.openat with AT.FDCWD and RDONLY, linux.close (std.posix has no open and no close any more)",
        .actions = .init(.{
            .@"open-close" = .{ .perform = open_close.posixOpenat },
            .@"open-missing" = .{ .perform = open_missing.posixOpenat },
        }),
    },
    .{
        .name = "std.os.linux.open",
        .does = "linux.open with RDONLY, linux.errno, linux.close; create with WRONLY, CREAT, TRUNC and linux.write",
        .actions = .init(.{
            .@"open-close" = .{ .perform = open_close.linuxOpen },
            .@"open-missing" = .{ .perform = open_missing.linuxOpen },
            .create = create.linuxOpen,
        }),
    },
    .{
        .name = "std.Io.Dir.openFile+write_only",
        .does = "Dir.cwd().openFile with .mode = .write_only, File.close",
        .actions = .init(.{ .@"open-write-close" = .{ .perform = open_write_close.dirOpenFile } }),
    },
    .{
        .name = "std.Io.Dir.createFile",
        .does = "Dir.cwd().createFile, File.close; create writes with File.writeStreamingAll; open-write-close truncates the file, which had to exist before the first batch",
        .actions = .init(.{
            .@"open-write-close" = .{ .perform = open_write_close.dirCreateFile, .hold = open_write_close.mustExist },
            .create = create.dirCreateFile,
        }),
    },
    .{
        .name = "std.posix.openat+WRONLY",
        .does = "posix.openat with AT.FDCWD and WRONLY, linux.close",
        .actions = .init(.{ .@"open-write-close" = .{ .perform = open_write_close.posixOpenat } }),
    },
};
