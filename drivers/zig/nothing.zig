//! null: the loop, the dispatch and the answer of a method, without its I/O
//! and without its work on the data.

const std = @import("std");
const failed = @import("failure.zig").failed;
const hashMemory = @import("hash.zig").hashMemory;
const render = @import("template.zig").render;
const takeLines = @import("lines.zig").takeLines;
const occurrences = @import("search.zig").occurrences;
const Failed = @import("failure.zig").Failed;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

pub fn perform(_: *Task, _: usize, _: u64, _: *Sink) Failed!void {}

/// Copies the file into memory. The copy is no hold on the file, and loading
/// it again would fill the cache that the caller wants to empty, so it stays.
pub fn holdBytes(task: *Task, which: usize) Failed!void {
    task.held[which] = .{ .bytes = try load(task, which) };
}

pub fn deliverStart(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    const bytes = task.held[which].bytes;
    out.take(bytes[0..@min(bytes.len, task.length)]);
}

pub fn deliverWhole(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    out.take(task.held[which].bytes);
}

pub fn holdBlocks(task: *Task, which: usize) Failed!void {
    try holdBytes(task, which);
    if (task.held[which].bytes.len < task.plan.size) return failed("readFileAlloc", error.EndOfStream);
}

pub fn deliverBlock(task: *Task, which: usize, offset: u64, out: *Sink) Failed!void {
    out.take(task.held[which].bytes[offset..][0..task.length]);
}

pub fn holdLines(task: *Task, which: usize) Failed!void {
    const text = try load(task, which);
    defer task.gpa.free(text);
    var answer: Sink = .full();
    takeLines(text, &answer);
    task.held[which] = .{ .answer = answer };
}

pub fn holdMatches(task: *Task, which: usize) Failed!void {
    const text = try load(task, which);
    defer task.gpa.free(text);
    var answer: Sink = .full();
    answer.takeMatches(text.len, occurrences(text, task.plan.word));
    task.held[which] = .{ .answer = answer };
}

pub fn holdHash(task: *Task, which: usize) Failed!void {
    const data = try load(task, which);
    defer task.gpa.free(data);
    var answer: Sink = .full();
    hashMemory(task.plan.algorithm, data, &answer);
    task.held[which] = .{ .answer = answer };
}

/// A copy delivers its size and no digest.
pub fn holdCopy(task: *Task, which: usize) Failed!void {
    const data = try load(task, which);
    defer task.gpa.free(data);
    var answer: Sink = .full();
    answer.takeWritten(data);
    task.held[which] = .{ .answer = answer };
}

pub fn holdPage(task: *Task, which: usize) Failed!void {
    const text = try load(task, which);
    defer task.gpa.free(text);
    task.held[which] = .{ .bytes = render(task.gpa, text) catch |err| return failed("render", err) };
}

/// For `create`: the loop and its phases, and no file.
pub fn deliverText(task: *Task, _: usize, _: u64, out: *Sink) Failed!void {
    out.takeWritten(task.ground.content.text);
}

/// For `write-block`: the block that would be written.
pub fn deliverPoolBlock(task: *Task, _: usize, _: u64, out: *Sink) Failed!void {
    out.take(task.blocks.next());
}

pub fn deliverAnswer(task: *Task, which: usize, _: u64, out: *Sink) Failed!void {
    out.takeAnswer(&task.held[which].answer);
}

fn load(task: *Task, which: usize) Failed![]u8 {
    return std.Io.Dir.cwd().readFileAlloc(task.io, task.paths[which], task.gpa, .unlimited) catch |err| failed("readFileAlloc", err);
}
