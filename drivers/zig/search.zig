//! search: count the occurrences of a word in a file, on one thread or several.

const std = @import("std");
const failure = @import("failure.zig");
const mapping = @import("mapping.zig");
const failed = failure.failed;
const Failed = failure.Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

/// One thread's part of the work: the matches that start in it.
pub const Part = struct {
    thread: usize,
    begin: u64,
    end: u64,
    /// The size of the file; matches may end after the part.
    size: u64,
    matches: u64 = 0,
    failure: ?failure.Failure = null,
};

pub fn readFindPos(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const file = std.Io.Dir.cwd().openFile(task.io, task.paths[which], .{}) catch |err| return failed("openFile", err);
    defer file.close(task.io);
    const size = file.length(task.io) catch |err| return failed("length", err);
    out.takeMatches(size, try share(task, size, file, countInFile));
}

pub fn mmapFindPos(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const text = try mapping.mapFile(task.io, task.paths[which]);
    defer mapping.unmap(text);
    out.takeMatches(text.len, try share(task, text.len, @as([]const u8, text), countInMemory));
}

/// Divides the work among the threads; the caller's takes the first part.
fn share(task: *Task, size: u64, source: anytype, comptime count: fn (*Task, @TypeOf(source), *Part) Failed!void) Failed!u64 {
    const worker = struct {
        fn run(shared: *Task, from: @TypeOf(source), part: *Part) void {
            count(shared, from, part) catch {
                part.failure = failure.last;
            };
        }
    };
    const parts = task.parts;
    for (parts, 0..) |*part, i| part.* = .{
        .thread = i,
        .begin = size / parts.len * i,
        .end = if (i + 1 == parts.len) size else size / parts.len * (i + 1),
        .size = size,
    };
    var group: std.Io.Group = .init;
    defer group.cancel(task.io);
    for (parts[1..]) |*part| {
        group.concurrent(task.io, worker.run, .{ task, source, part }) catch |err| return failed("Group.concurrent", err);
    }
    worker.run(task, source, &parts[0]);
    group.await(task.io) catch |err| return failed("Group.await", err);
    var matches: u64 = 0;
    for (parts) |part| {
        if (part.failure) |cause| {
            failure.last = cause;
            return error.Failed;
        }
        matches += part.matches;
    }
    return matches;
}

/// Reads the part in pieces; the end of each is searched again with the next.
fn countInFile(task: *Task, file: std.Io.File, part: *Part) Failed!void {
    const buffers = &task.buffers[part.thread];
    const buffer = try buffers.take();
    defer buffers.give(buffer);
    const word = task.plan.word;
    const end = @min(part.end + word.len - 1, part.size);
    var position = part.begin;
    var kept: usize = 0;
    while (position < end) {
        const wanted = @min(task.plan.block, end - position);
        const n = file.readPositional(task.io, &.{buffer[kept..][0..wanted]}, position) catch |err| return failed("readPositional", err);
        if (n == 0) return failed("readPositional", error.EndOfStream);
        position += n;
        const text = buffer[0 .. kept + n];
        part.matches += occurrences(text, word);
        kept = @min(text.len, word.len - 1);
        @memmove(buffer[0..kept], text[text.len - kept ..]);
    }
}

fn countInMemory(task: *Task, text: []const u8, part: *Part) Failed!void {
    const word = task.plan.word;
    const end = @min(part.end + word.len - 1, text.len);
    part.matches = occurrences(text[part.begin..end], word);
}

/// Counts the places where the word stands, also where it overlaps itself.
pub fn occurrences(text: []const u8, word: []const u8) u64 {
    var count: u64 = 0;
    var start: usize = 0;
    while (std.mem.findPos(u8, text, start, word)) |found| {
        count += 1;
        start = found + 1;
    }
    return count;
}
