//! The table of methods: the one list that `describe` prints and `run` looks in.
//! How each method works stands in the file of its operation.

const std = @import("std");
const hash = @import("hash.zig");
const lines = @import("lines.zig");
const nothing = @import("nothing.zig");
const open_close = @import("open_close.zig");
const open_read_close = @import("open_read_close.zig");
const open_write_close = @import("open_write_close.zig");
const read_block = @import("read_block.zig");
const read_whole = @import("read_whole.zig");
const search = @import("search.zig");
const Action = @import("task.zig").Action;
const Operation = @import("operation.zig").Operation;

const Actions = std.EnumMap(Operation, Action);

/// One way to perform operations.
pub const Method = struct {
    name: []const u8,
    /// The calls a user of the language would write.
    does: []const u8,
    /// It takes absolute paths only.
    absolute: bool = false,
    actions: Actions,
};

pub fn find(name: []const u8) ?*const Method {
    for (&table) |*method| {
        if (std.mem.eql(u8, method.name, name)) return method;
    }
    return null;
}

pub const table = [_]Method{
    .{
        .name = "std.Io.Dir.openFile",
        .does = "Dir.cwd().openFile, File.close; Io is std.Io.Threaded",
        .actions = .init(.{ .@"open-close" = .{ .perform = open_close.dirOpenFile } }),
    },
    .{
        .name = "std.Io.Dir.openFileAbsolute",
        .does = "Dir.openFileAbsolute, File.close",
        .absolute = true,
        .actions = .init(.{ .@"open-close" = .{ .perform = open_close.openFileAbsolute } }),
    },
    .{
        .name = "std.posix.openat",
        .does = "posix.openat with AT.FDCWD and RDONLY, linux.close (std.posix has no open and no close any more)",
        .actions = .init(.{ .@"open-close" = .{ .perform = open_close.posixOpenat } }),
    },
    .{
        .name = "std.os.linux.open",
        .does = "linux.open with RDONLY, linux.errno, linux.close",
        .actions = .init(.{ .@"open-close" = .{ .perform = open_close.linuxOpen } }),
    },

    .{
        .name = "std.Io.Dir.openFile+write_only",
        .does = "Dir.cwd().openFile with .mode = .write_only, File.close",
        .actions = .init(.{ .@"open-write-close" = .{ .perform = open_write_close.dirOpenFile } }),
    },
    .{
        .name = "std.Io.Dir.createFile",
        .does = "Dir.cwd().createFile, File.close; truncates the file, which had to exist before the first batch",
        .actions = .init(.{ .@"open-write-close" = .{ .perform = open_write_close.dirCreateFile, .hold = open_write_close.mustExist } }),
    },
    .{
        .name = "std.posix.openat+WRONLY",
        .does = "posix.openat with AT.FDCWD and WRONLY, linux.close",
        .actions = .init(.{ .@"open-write-close" = .{ .perform = open_write_close.posixOpenat } }),
    },

    .{
        .name = "std.Io.File.readStreaming",
        .does = "Dir.openFile, File.readStreaming, File.close",
        .actions = .init(.{ .@"open-read-close" = .{ .perform = open_read_close.readStreaming } }),
    },
    .{
        .name = "std.Io.File.readPositionalAll",
        .does = "Dir.openFile, File.readPositionalAll, File.close; for a whole file File.stat and Allocator.alloc before; read-block keeps the file open",
        .actions = .init(.{
            .@"open-read-close" = .{ .perform = open_read_close.readPositionalAll },
            .@"read-whole" = .{ .perform = read_whole.readPositionalAll },
            .@"read-block" = .{ .perform = read_block.readPositionalAll, .hold = read_block.holdFile, .drop = read_block.dropFile },
        }),
    },
    .{
        .name = "std.posix.read",
        .does = "posix.openat, posix.read (for a whole file until it returns 0), linux.close",
        .actions = .init(.{
            .@"open-read-close" = .{ .perform = open_read_close.posixRead },
            .@"read-whole" = .{ .perform = read_whole.posixRead },
        }),
    },
    .{
        .name = "std.os.linux.pread",
        .does = "linux.open, linux.pread, linux.close; read-block keeps the descriptor",
        .actions = .init(.{
            .@"open-read-close" = .{ .perform = open_read_close.linuxPread },
            .@"read-block" = .{ .perform = read_block.linuxPread, .hold = read_block.holdDescriptor, .drop = read_block.dropDescriptor },
        }),
    },
    .{
        .name = "mmap",
        .does = "Dir.openFile, posix.mmap, File.close, posix.munmap, a byte touched per page; File.length for a whole file; read-block keeps the mapping",
        .actions = .init(.{
            .@"open-read-close" = .{ .perform = open_read_close.mmap },
            .@"read-whole" = .{ .perform = read_whole.mmap },
            .@"read-block" = .{ .perform = read_block.mmap, .hold = read_block.holdMapping, .drop = read_block.dropMapping },
        }),
    },
    .{
        .name = "std.Io.File.createMemoryMap",
        .does = "Dir.openFile, File.createMemoryMap (which maps with MAP_POPULATE), MemoryMap.destroy, File.close; File.length for a whole file; read-block keeps the mapping",
        .actions = .init(.{
            .@"open-read-close" = .{ .perform = open_read_close.memoryMap },
            .@"read-whole" = .{ .perform = read_whole.memoryMap },
            .@"read-block" = .{ .perform = read_block.memoryMap, .hold = read_block.holdMemoryMap, .drop = read_block.dropMemoryMap },
        }),
    },

    .{
        .name = "std.Io.Dir.readFileAlloc",
        .does = "Dir.cwd().readFileAlloc with the program's general-purpose allocator, Allocator.free",
        .actions = .init(.{ .@"read-whole" = .{ .perform = read_whole.readFileAlloc } }),
    },
    .{
        .name = "std.Io.Reader.allocRemaining",
        .does = "Dir.openFile, File.reader with a buffer of 4096 bytes, Reader.allocRemaining, Allocator.free, File.close",
        .actions = .init(.{ .@"read-whole" = .{ .perform = read_whole.allocRemaining } }),
    },

    .{
        .name = "std.Io.File.Reader.seekTo+readSliceAll",
        .does = "File.Reader.seekTo and Reader.readSliceAll on one reader with a buffer of 4096 bytes",
        .actions = .init(.{ .@"read-block" = .{ .perform = read_block.seekToRead, .hold = read_block.holdReader, .drop = read_block.dropReader } }),
    },
    .{
        .name = "std.os.linux.lseek+std.posix.read",
        .does = "linux.lseek, posix.read",
        .actions = .init(.{ .@"read-block" = .{ .perform = read_block.linuxSeekRead, .hold = read_block.holdDescriptor, .drop = read_block.dropDescriptor } }),
    },

    .{
        .name = "std.Io.Reader.takeDelimiter",
        .does = "Dir.openFile, File.reader with a buffer of the block size, Reader.takeDelimiter, File.close; a line longer than the buffer by streamDelimiterEnding",
        .actions = .init(.{ .lines = .{ .perform = lines.takeDelimiter } }),
    },
    .{
        .name = "std.Io.Reader.streamDelimiterEnding",
        .does = "Dir.openFile, File.reader with a buffer of the block size, Reader.streamDelimiterEnding into a Writer.Allocating, File.close",
        .actions = .init(.{ .lines = .{ .perform = lines.streamDelimiterEnding } }),
    },
    .{
        .name = "mmap+std.mem.findScalarPos",
        .does = "Dir.openFile, File.length, posix.mmap, File.close, mem.findScalarPos (once indexOfScalarPos), posix.munmap",
        .actions = .init(.{ .lines = .{ .perform = lines.mmap } }),
    },

    .{
        .name = "std.Io.File.readPositional+std.mem.findPos",
        .does = "Dir.openFile, File.length, File.readPositional in pieces of the block size, mem.findPos (once indexOfPos), File.close; threads by Io.Group.concurrent",
        .actions = .init(.{ .search = .{ .perform = search.readFindPos } }),
    },
    .{
        .name = "mmap+std.mem.findPos",
        .does = "Dir.openFile, File.length, posix.mmap, File.close, mem.findPos (once indexOfPos), posix.munmap; threads by Io.Group.concurrent",
        .actions = .init(.{ .search = .{ .perform = search.mmapFindPos } }),
    },

    .{
        .name = "std.Io.File.readStreaming+std.crypto.hash.Md5",
        .does = "Dir.openFile, File.readStreaming in pieces of the block size, Md5.update and final, File.close",
        .actions = .init(.{ .hash = .{ .perform = hash.readStreaming } }),
    },
    .{
        .name = "mmap+std.crypto.hash.Md5",
        .does = "Dir.openFile, File.length, posix.mmap, File.close, Md5.hash, posix.munmap",
        .actions = .init(.{ .hash = .{ .perform = hash.mmap } }),
    },

    .{
        .name = "null",
        .does = "everything but the I/O; for lines, search and hash also without the work: the answer was computed before",
        .actions = .init(.{
            .null = .{ .perform = nothing.perform },
            .@"open-close" = .{ .perform = nothing.perform },
            .@"open-write-close" = .{ .perform = nothing.perform },
            .@"open-read-close" = .{ .perform = nothing.deliverStart, .hold = nothing.holdBytes },
            .@"read-whole" = .{ .perform = nothing.deliverWhole, .hold = nothing.holdBytes },
            .@"read-block" = .{ .perform = nothing.deliverBlock, .hold = nothing.holdBlocks },
            .lines = .{ .perform = nothing.deliverAnswer, .hold = nothing.holdLines },
            .search = .{ .perform = nothing.deliverAnswer, .hold = nothing.holdMatches },
            .hash = .{ .perform = nothing.deliverAnswer, .hold = nothing.holdHash },
        }),
    },
};
