//! The methods that write into files.

const copy = @import("copy.zig");
const write_block = @import("write_block.zig");
const Method = @import("methods.zig").Method;

pub const table = [_]Method{
    .{
        .name = "std.Io.File.writePositionalAll",
        .does = "File.writePositionalAll",
        .actions = .init(.{ .@"write-block" = .{ .perform = write_block.writePositionalAll, .makes = .{ .open = write_block.openFile, .close = write_block.closeFile } } }),
    },
    .{
        .name = "std.os.linux.pwrite",
        .does = "linux.pwrite",
        .actions = .init(.{ .@"write-block" = .{ .perform = write_block.linuxPwrite, .makes = .{ .open = write_block.openDescriptor, .close = write_block.closeFile } } }),
    },
    .{
        .name = "std.Io.File.Writer",
        .does = "File.writer with a buffer of 4096 bytes, Writer.writeAll, one Writer.flush at the end; sequential only",
        .actions = .init(.{ .@"write-block" = .{
            .perform = write_block.bufferedWrite,
            .sequential = true,
            .makes = .{ .open = write_block.openWriter, .flush = write_block.flushWriter, .close = write_block.closeWriter },
        } }),
    },
    .{
        .name = "std.Io.Dir.copyFile",
        .does = "Dir.copyFile, which makes a temporary file, copies by copy_file_range and renames",
        .actions = .init(.{ .copy = .{ .perform = copy.copyFile, .hold = copy.holdSize, .closes = true, .makes = .{} } }),
    },
    .{
        .name = "std.Io.File.readStreaming+writeStreamingAll",
        .does = "Dir.openFile, Dir.createFile, File.readStreaming and File.writeStreamingAll in pieces of the block size, File.close twice",
        .actions = .init(.{ .copy = .{ .perform = copy.readWrite, .makes = .{} } }),
    },
};
