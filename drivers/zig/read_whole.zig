//! read-whole: open, read the whole file, close.

const std = @import("std");
const linux = std.os.linux;
const mapping = @import("mapping.zig");
const failed = @import("failure.zig").failed;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn readFileAlloc(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const data = std.Io.Dir.cwd().readFileAlloc(task.io, task.paths[which], task.gpa, .unlimited) catch |err| return failed("readFileAlloc", err);
    defer task.gpa.free(data);
    out.take(data);
}

pub fn allocRemaining(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    var buffer: [4096]u8 = undefined;
    var reader = file.reader(task.io, &buffer);
    const data = reader.interface.allocRemaining(task.gpa, .unlimited) catch |err| return failed("allocRemaining", reader.err orelse err);
    defer task.gpa.free(data);
    out.take(data);
}

pub fn readPositionalAll(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const stat = file.stat(task.io) catch |err| return failed("stat", err);
    const data = task.gpa.alloc(u8, stat.size) catch |err| return failed("alloc", err);
    defer task.gpa.free(data);
    const n = file.readPositionalAll(task.io, data, 0) catch |err| return failed("readPositionalAll", err);
    out.take(data[0..n]);
}

pub fn posixRead(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const fd = std.posix.openat(std.posix.AT.FDCWD, task.paths[which], .{ .ACCMODE = .RDONLY }, 0) catch |err| return failed("openat", err);
    defer _ = linux.close(fd);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    while (true) {
        const n = std.posix.read(fd, buffer) catch |err| return failed("read", err);
        if (n == 0) return;
        out.take(buffer[0..n]);
    }
}

pub fn mmap(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const data = try mapping.mapFile(task.io, task.paths[which]);
    defer mapping.unmap(data);
    out.take(data);
}

/// Every byte is read: the buffer holds in the end what a read would have left there.
pub fn mmapCopy(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const data = try mapping.mapFile(task.io, task.paths[which]);
    defer mapping.unmap(data);
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    var rest: []const u8 = data;
    while (rest.len > 0) {
        const n = @min(rest.len, buffer.len);
        @memcpy(buffer[0..n], rest[0..n]);
        out.take(buffer[0..n]);
        rest = rest[n..];
    }
}

pub fn memoryMap(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const size = file.length(task.io) catch |err| return failed("length", err);
    if (size == 0) return;
    var memory_map = try mapping.createMemoryMap(task.io, file, size);
    defer memory_map.destroy(task.io);
    out.take(memory_map.memory);
}
