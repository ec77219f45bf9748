//! The methods that read files, or hold what they read.

const hash = @import("hash.zig");
const lines = @import("lines.zig");
const open_read_close = @import("open_read_close.zig");
const read_block = @import("read_block.zig");
const read_whole = @import("read_whole.zig");
const reload = @import("reload.zig");
const search = @import("search.zig");
const template = @import("template.zig");
const write_block = @import("write_block.zig");
const Method = @import("methods.zig").Method;

pub const table = [_]Method{
    .{
        .name = "std.Io.File.readStreaming",
        .does = "Dir.openFile, File.readStreaming, File.close; hash in pieces of the block size, std.crypto.hash.Md5 or std.hash.XxHash64 update and final",
        .takes = &.{"algorithm"},
        .actions = .init(.{
            .@"open-read-close" = .{ .perform = open_read_close.readStreaming },
            .hash = .{ .perform = hash.readStreaming },
        }),
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
        .does = "Dir.openFile, posix.mmap, File.close, posix.munmap, a byte touched per page; File.length for a whole file; read-block keeps the mapping; hash std.crypto.hash.Md5 or std.hash.XxHash64; write-block @memcpy into a shared mapping of a file made long enough before",
        .takes = &.{"algorithm"},
        .actions = .init(.{
            .@"open-read-close" = .{ .perform = open_read_close.mmap },
            .@"read-whole" = .{ .perform = read_whole.mmap },
            .@"read-block" = .{ .perform = read_block.mmap, .hold = read_block.holdMapping, .drop = read_block.dropMapping },
            .hash = .{ .perform = hash.mmap },
            .@"write-block" = .{ .perform = write_block.mmap, .makes = .{ .open = write_block.openMapping, .close = write_block.closeMapping } },
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
        .does = "Dir.cwd().readFileAlloc with the program's general-purpose allocator, Allocator.free; template renders what it read; reload compares it with mem.eql",
        .actions = .init(.{
            .@"read-whole" = .{ .perform = read_whole.readFileAlloc },
            .template = .{ .perform = template.readFileAlloc },
            .reload = .{ .perform = reload.readFileAlloc, .hold = reload.holdCopy },
        }),
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
        .name = "pread+FADV_RANDOM",
        .does = "linux.pread, after linux.fadvise with POSIX_FADV.RANDOM on the whole file",
        .actions = .init(.{ .@"read-block" = .{ .perform = read_block.linuxPread, .hold = read_block.holdRandomDescriptor, .drop = read_block.dropDescriptor } }),
    },
    .{
        .name = "mmap+copy",
        .does = "Dir.openFile, File.length, posix.mmap, @memcpy of every byte into a buffer, File.close, posix.munmap; read-block: @memcpy of the block",
        .actions = .init(.{
            .@"read-whole" = .{ .perform = read_whole.mmapCopy },
            .@"read-block" = .{ .perform = read_block.mmapCopy, .hold = read_block.holdMapping, .drop = read_block.dropMapping },
        }),
    },
    .{
        .name = "mmap+MADV_RANDOM",
        .does = "a byte touched per page of a mapping, after linux.madvise with MADV.RANDOM on all of it",
        .actions = .init(.{ .@"read-block" = .{ .perform = read_block.mmap, .hold = read_block.holdRandomMapping, .drop = read_block.dropMapping } }),
    },
    .{
        .name = "mmap+MADV_SEQUENTIAL",
        .does = "a byte touched per page of a mapping, after linux.madvise with MADV.SEQUENTIAL on all of it",
        .actions = .init(.{ .@"read-block" = .{ .perform = read_block.mmap, .hold = read_block.holdSequentialMapping, .drop = read_block.dropMapping } }),
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
        .name = "@embedFile",
        .does = "@embedFile of the template, rendered into a Writer.Allocating, Allocator.free",
        .actions = .init(.{ .template = .{ .perform = template.embedFile } }),
    },
    .{
        .name = "std.Io.Dir.statFile",
        .does = "Dir.cwd().statFile, whose mtime, size and inode are compared",
        .actions = .init(.{ .reload = .{ .perform = reload.statFile, .hold = reload.holdCopy } }),
    },
};
