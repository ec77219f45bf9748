//! Mapped files, for the methods of several operations: no hint, no MAP_POPULATE.

const std = @import("std");
const posix = std.posix;
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;

pub const Mapping = []align(std.heap.page_size_min) const u8;

/// Maps the whole file, with its size asked of the kernel.
pub fn mapFile(io: std.Io, path: []const u8) Failed!Mapping {
    const file = std.Io.Dir.cwd().openFile(io, path, .{}) catch |err| return failed("openFile", err);
    defer file.close(io);
    const size = file.length(io) catch |err| return failed("length", err);
    return map(file, size);
}

/// Maps the first `length` bytes.
pub fn mapStart(io: std.Io, path: []const u8, length: usize) Failed!Mapping {
    const file = std.Io.Dir.cwd().openFile(io, path, .{}) catch |err| return failed("openFile", err);
    defer file.close(io);
    return map(file, length);
}

/// An empty file cannot be mapped and needs no mapping.
fn map(file: std.Io.File, length: usize) Failed!Mapping {
    if (length == 0) return &.{};
    return posix.mmap(null, length, .{ .READ = true }, .{ .TYPE = .SHARED }, file.handle, 0) catch |err| failed("mmap", err);
}

pub fn unmap(mapping: Mapping) void {
    if (mapping.len > 0) posix.munmap(mapping);
}

/// Maps through the standard library's own type, with its defaults except for
/// the protection: a file opened for reading cannot be mapped for writing.
pub fn createMemoryMap(io: std.Io, file: std.Io.File, length: usize) Failed!std.Io.File.MemoryMap {
    const memory_map = file.createMemoryMap(io, .{ .len = length, .protection = .{ .read = true } }) catch |err| return failed("createMemoryMap", err);
    // Where the kernel refuses, it reads the file instead and says so only here.
    if (memory_map.section == null) {
        var copy = memory_map;
        copy.destroy(io);
        return @import("failure.zig").failedWith("createMemoryMap", .OPNOTSUPP);
    }
    return memory_map;
}
