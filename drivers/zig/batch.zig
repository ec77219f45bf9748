//! A batch: what lies between the two readings of the clock, and what is kept
//! out of it.

const std = @import("std");
const Io = std.Io;
const failure = @import("failure.zig");
const faults = @import("faults.zig");
const marks = @import("marks.zig");
const Failed = failure.Failed;
const Figures = @import("figures.zig").Figures;
const Operation = @import("operation.zig").Operation;
const Perform = @import("task.zig").Perform;
const Sink = @import("sink.zig").Sink;
const Task = @import("task.zig").Task;

/// The result of one batch.
pub const Outcome = struct {
    count: u64,
    ns: u64,
    data: Sink,
    figures: Figures,

    pub fn print(outcome: *const Outcome, operation: Operation, threads: usize, out: *Io.Writer) Io.Writer.Error!void {
        try out.print("done ops={d} ns={d} bytes={d} digest={d}", .{ outcome.count, outcome.ns, outcome.data.bytes, outcome.data.digest });
        if (operation.counted()) |key| try out.print(" {s}={d}", .{ key, outcome.data.count });
        const figures = outcome.figures;
        // With several threads, the figures of this one would not cover the operations.
        if (threads == 1) try out.print(" cpu_ns={d} nivcsw={d} minflt={d} majflt={d}", .{ figures.cpu_ns, figures.nivcsw, figures.minflt, figures.majflt });
        try out.writeByte('\n');
    }
};

/// What a batch needs, made before its clock starts.
pub const Order = struct {
    task: *Task,
    /// The number of the first operation, pre-roll included.
    first: u64,
    preroll: u64,
    count: u64,
    /// Of every operation, where it has one.
    offsets: ?[]const u64,
    /// Takes each timed operation's own time; it comes zeroed.
    latencies: ?[]u64,
    marks: bool,
};

/// Runs one batch; `performed` counts its operations even when one fails.
pub fn run(order: Order, performed: *u64) Failed!Outcome {
    const task = order.task;
    try task.takeUp();
    if (order.preroll > 0) try runPreroll(order, performed);
    const first = order.first + order.preroll;
    try task.prepare(first, order.count);
    defer task.leave();
    var data: Sink = .{};
    const offsets = if (order.offsets) |all| all[@intCast(order.preroll)..] else null;
    var loop: Loop = .init(task, first, order.count, offsets, &data);
    defer performed.* += loop.performed;

    const before: Figures = .read();
    if (order.marks) marks.begin();
    const begin = now(task.io);
    if (order.latencies) |latencies| try loop.runEach(latencies, begin) else try loop.run();
    try task.end();
    const end = now(task.io);
    if (order.marks) marks.end();
    const figures = Figures.read().since(before);
    try checkFaults(task);
    return .{ .count = order.count, .ns = end - begin, .data = data, .figures = figures };
}

/// The pre-roll, for operations that write a batch of its own.
fn runPreroll(order: Order, performed: *u64) Failed!void {
    const task = order.task;
    try task.prepare(order.first, order.preroll);
    defer task.leave();
    var data: Sink = .{};
    var loop: Loop = .init(task, order.first, order.preroll, order.offsets, &data);
    defer performed.* += loop.performed;
    try loop.run();
    try task.end();
}

/// Runs operation number 0 for `verify`; it does not count.
pub fn runUntimed(task: *Task, offsets: ?[]const u64) Failed!Sink {
    var data: Sink = .full();
    try task.takeUp();
    try task.prepare(0, 1);
    defer task.leave();
    var loop: Loop = .init(task, 0, 1, offsets, &data);
    try loop.run();
    try task.end();
    try checkFaults(task);
    if (task.action.makes == null) return data;
    // Of what was written counts what now stands in the file.
    data = .full();
    const offset = if (offsets) |all| all[0] else 0;
    try @import("verify.zig").readBack(task, offset, &data);
    return data;
}

/// A mapping that was patched is of no use to the next batch.
fn checkFaults(task: *Task) Failed!void {
    if (!faults.taken()) return;
    task.release();
    const failed = failure.failedWith("mmap", .FAULT);
    // Which of several files it was is not known.
    if (task.paths.len < 2) {
        if (task.pathOf(0, 0)) |path| failure.setPath(path);
    }
    return failed;
}

/// The first reading of the clock looks for the vDSO, and the first of each
/// figure meets pages that were never touched: have it over before anything is counted.
pub fn warmUp(io: Io) void {
    _ = Figures.read();
    _ = now(io);
}

/// CLOCK_MONOTONIC, through the vDSO.
fn now(io: Io) u64 {
    return @intCast(Io.Clock.awake.now(io).nanoseconds);
}

/// Repeats one task over the paths in turn: the only code, besides the
/// methods, that runs while the clock does.
const Loop = struct {
    task: *Task,
    out: *Sink,
    count: u64,
    offsets: ?[]const u64,
    paths: usize,
    /// The path of the first operation.
    start: usize,
    /// The path of the next operation, or of the one that failed.
    which: usize = 0,
    /// Of the phase in progress.
    done: u64 = 0,
    /// Operations begun, in whatever phase.
    performed: u64 = 0,

    fn init(task: *Task, first: u64, count: u64, offsets: ?[]const u64, out: *Sink) Loop {
        const paths = @max(1, task.paths.len);
        return .{ .task = task, .out = out, .count = count, .offsets = offsets, .paths = paths, .start = @intCast(first % paths) };
    }

    fn run(loop: *Loop) Failed!void {
        for (loop.task.phases) |perform| {
            loop.begin();
            defer loop.performed = @max(loop.performed, loop.done);
            for (0..loop.count) |_| try loop.step(perform);
        }
    }

    /// `run` with a reading of the clock after every operation; its time is that of all its phases.
    fn runEach(loop: *Loop, latencies: []u64, first: u64) Failed!void {
        var last = first;
        for (loop.task.phases) |perform| {
            loop.begin();
            defer loop.performed = @max(loop.performed, loop.done);
            for (latencies) |*latency| {
                try loop.step(perform);
                const time = now(loop.task.io);
                latency.* += time - last;
                last = time;
            }
        }
    }

    fn begin(loop: *Loop) void {
        loop.which = loop.start;
        loop.done = 0;
    }

    inline fn step(loop: *Loop, perform: Perform) Failed!void {
        const place = if (loop.offsets) |offsets| offsets[loop.done] else loop.done;
        loop.out.begin();
        loop.done += 1;
        perform(loop.task, loop.which, place, loop.out) catch |err| {
            if (failure.last.path == null) {
                if (loop.task.pathOf(loop.which, place)) |path| failure.setPath(path);
            }
            return err;
        };
        loop.which += 1;
        if (loop.which == loop.paths) loop.which = 0;
    }
};
