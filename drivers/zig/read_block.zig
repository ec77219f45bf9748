//! read-block: read one block of a file that stays open, or stays mapped.

const std = @import("std");
const linux = std.os.linux;
const failure = @import("failure.zig");
const mapping = @import("mapping.zig");
const failed = failure.failed;
const Failed = failure.Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn holdFile(task: *Task, which: usize) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    task.held[which] = .{ .file = file };
}

pub fn dropFile(task: *Task, which: usize) void {
    task.held[which].file.close(task.io);
}

pub fn readPositionalAll(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const n = task.held[which].file.readPositionalAll(task.io, buffer, offset) catch |err| return failed("readPositionalAll", err);
    if (n < buffer.len) return failed("readPositionalAll", error.EndOfStream);
    out.take(buffer);
}

/// A reader keeps its buffer for as long as it lives.
pub const SeekingReader = struct {
    buffer: [4096]u8,
    reader: std.Io.File.Reader,
};

pub fn holdReader(task: *Task, which: usize) Failed!void {
    const held = task.gpa.create(SeekingReader) catch |err| return failed("create", err);
    errdefer task.gpa.destroy(held);
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    held.reader = file.reader(task.io, &held.buffer);
    task.held[which] = .{ .reader = held };
}

pub fn dropReader(task: *Task, which: usize) void {
    const held = task.held[which].reader;
    held.reader.file.close(task.io);
    task.gpa.destroy(held);
}

pub fn seekToRead(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const reader = &task.held[which].reader.reader;
    reader.seekTo(offset) catch |err| return failed("seekTo", err);
    reader.interface.readSliceAll(buffer) catch |err| return failed("readSliceAll", reader.err orelse err);
    out.take(buffer);
}

pub fn holdDescriptor(task: *Task, which: usize) Failed!void {
    const result = linux.open(task.paths[which], .{ .ACCMODE = .RDONLY }, 0);
    if (linux.errno(result) != .SUCCESS) return failure.failedWith("open", linux.errno(result));
    task.held[which] = .{ .fd = @intCast(result) };
}

pub fn holdRandomDescriptor(task: *Task, which: usize) Failed!void {
    try holdDescriptor(task, which);
    errdefer dropDescriptor(task, which);
    const result = linux.fadvise(task.held[which].fd, 0, 0, linux.POSIX_FADV.RANDOM);
    if (linux.errno(result) != .SUCCESS) return failure.failedWith("fadvise", linux.errno(result));
}

pub fn dropDescriptor(task: *Task, which: usize) void {
    _ = linux.close(task.held[which].fd);
}

pub fn linuxPread(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const n = linux.pread(task.held[which].fd, buffer.ptr, buffer.len, @intCast(offset));
    if (linux.errno(n) != .SUCCESS) return failure.failedWith("pread", linux.errno(n));
    if (n < buffer.len) return failed("pread", error.EndOfStream);
    out.take(buffer);
}

pub fn linuxSeekRead(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    const fd = task.held[which].fd;
    const position = linux.lseek(fd, @intCast(offset), linux.SEEK.SET);
    if (linux.errno(position) != .SUCCESS) return failure.failedWith("lseek", linux.errno(position));
    const n = std.posix.read(fd, buffer) catch |err| return failed("read", err);
    if (n < buffer.len) return failed("read", error.EndOfStream);
    out.take(buffer);
}

pub fn holdMapping(task: *Task, which: usize) Failed!void {
    task.held[which] = .{ .mapping = try mapping.mapStart(task.io, task.paths[which], task.plan.size) };
}

pub fn holdRandomMapping(task: *Task, which: usize) Failed!void {
    try holdAdvisedMapping(task, which, linux.MADV.RANDOM);
}

pub fn holdSequentialMapping(task: *Task, which: usize) Failed!void {
    try holdAdvisedMapping(task, which, linux.MADV.SEQUENTIAL);
}

fn holdAdvisedMapping(task: *Task, which: usize, advice: u32) Failed!void {
    try holdMapping(task, which);
    errdefer dropMapping(task, which);
    const data = task.held[which].mapping;
    const result = linux.madvise(@constCast(data.ptr), data.len, advice);
    if (linux.errno(result) != .SUCCESS) return failure.failedWith("madvise", linux.errno(result));
}

pub fn dropMapping(task: *Task, which: usize) void {
    mapping.unmap(task.held[which].mapping);
}

pub fn mmap(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    out.take(task.held[which].mapping[offset..][0..task.length]);
}

pub fn mmapCopy(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    const buffer = try task.buffers[0].take();
    defer task.buffers[0].give(buffer);
    @memcpy(buffer, task.held[which].mapping[offset..][0..buffer.len]);
    out.take(buffer);
}

pub fn holdMemoryMap(task: *Task, which: usize) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    errdefer file.close(task.io);
    task.held[which] = .{ .memory_map = try mapping.createMemoryMap(task.io, file, task.plan.size) };
}

pub fn dropMemoryMap(task: *Task, which: usize) void {
    const memory_map = &task.held[which].memory_map;
    const file = memory_map.file;
    memory_map.destroy(task.io);
    file.close(task.io);
}

pub fn memoryMap(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    out.take(task.held[which].memory_map.memory[offset..][0..task.length]);
}
