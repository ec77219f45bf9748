//! A session: it prepares what the arguments ask for, then obeys lines until
//! the input ends.

const std = @import("std");
const Io = std.Io;
const batch = @import("batch.zig");
const descriptors = @import("descriptors.zig");
const failure = @import("failure.zig");
const faults = @import("faults.zig");
const offsets = @import("offsets.zig");
const protocol = @import("protocol.zig");
const Content = @import("content.zig").Content;
const Failed = failure.Failed;
const Ground = @import("site.zig").Ground;
const Plan = @import("arguments.zig").Plan;
const Task = @import("task.zig").Task;

/// Bounds the memory for operations' own times to 1 GiB.
const max_latencies = 1 << 27;

/// One `run`.
pub const Session = struct {
    io: Io,
    gpa: std.mem.Allocator,
    plan: *const Plan,
    tasks: []Task,
    performed: []u64,
    latencies: ?Io.File,
    content: Content,
    ground: Ground,

    /// Binds the methods to the files and takes up what they hold. A file that
    /// cannot be opened is not reported here but by the batch that needs it.
    pub fn init(session: *Session, io: Io, gpa: std.mem.Allocator, arena: std.mem.Allocator, plan: *const Plan) !void {
        faults.install();
        batch.warmUp(io);
        session.* = .{
            .io = io,
            .gpa = gpa,
            .plan = plan,
            .tasks = try arena.alloc(Task, plan.methods.len),
            .performed = try arena.alloc(u64, plan.methods.len),
            .latencies = null,
            .content = try .init(arena, plan),
            .ground = .{ .io = io, .gpa = gpa, .plan = plan, .content = &session.content },
        };
        if (plan.operation == .create and plan.close != .each) descriptors.raiseLimit();
        @memset(session.performed, 0);
        for (session.tasks, plan.methods) |*task, method| {
            task.* = try .init(io, gpa, arena, plan, method, &session.ground);
            task.takeUp() catch if (failure.last.isRefusal()) return error.Refused;
        }
        if (plan.latencies) |path| session.latencies = try Io.Dir.cwd().createFile(io, path, .{ .truncate = false });
    }

    /// Answers lines until `quit` or the end of input.
    pub fn obey(session: *Session, in: *Io.Reader, out: *Io.Writer) !void {
        var line: Io.Writer.Allocating = .init(session.gpa);
        defer line.deinit();
        try out.writeAll("ready\n");
        while (true) {
            try out.flush();
            line.clearRetainingCapacity();
            _ = try in.streamDelimiterEnding(&line.writer, '\n');
            const ended = in.bufferedLen() == 0;
            if (ended and line.written().len == 0) return;
            if (!ended) in.toss(1);
            if (std.mem.eql(u8, line.written(), "quit")) return out.flush();
            session.answer(line.written(), out) catch |err| switch (err) {
                error.Failed => try printFailure(out),
                error.Nonsense => try out.print("error op=protocol errno=EINVAL path={s}\n", .{line.written()}),
                error.WriteFailed, error.Refused => return err,
            };
        }
    }

    const Error = Failed || protocol.Nonsense || Io.Writer.Error || error{Refused};

    fn answer(session: *Session, line: []const u8, out: *Io.Writer) Error!void {
        var words = std.mem.tokenizeScalar(u8, line, ' ');
        const Order = enum { batch, blocks, verify, release };
        switch (std.meta.stringToEnum(Order, words.next() orelse "") orelse return error.Nonsense) {
            .batch => try session.answerBatch(&words, out),
            .blocks => try session.answerBlocks(&words, out),
            .verify => try session.answerVerify(&words, out),
            .release => {
                if (words.next() != null) return error.Nonsense;
                for (session.tasks) |*task| task.release();
                try out.writeAll("released\n");
            },
        }
    }

    fn answerBatch(session: *Session, words: *protocol.Words, out: *Io.Writer) Error!void {
        const order = try protocol.parseBatch(words, session.tasks.len);
        const latencies = try session.reserveLatencies(order.count);
        defer if (latencies) |times| session.gpa.free(times);
        const space = try session.reserveOffsets(order.preroll + order.count);
        defer if (space) |numbers| session.gpa.free(numbers);
        const outcome = try session.perform(order, space, latencies);
        if (latencies) |times| try session.appendLatencies(times);
        try outcome.print(session.plan.operation, session.plan.threads, out);
    }

    fn answerBlocks(session: *Session, words: *protocol.Words, out: *Io.Writer) Error!void {
        var schedule: std.ArrayList(protocol.Batch) = .empty;
        defer schedule.deinit(session.gpa);
        var longest: u64 = 0;
        while (words.next()) |word| {
            const order = try protocol.parseBlock(word, session.tasks.len);
            schedule.append(session.gpa, order) catch |err| return failure.failed("blocks", err);
            longest = @max(longest, order.preroll + order.count);
        }
        if (schedule.items.len == 0) return error.Nonsense;
        const outcomes = session.gpa.alloc(batch.Outcome, schedule.items.len) catch |err| return failure.failed("blocks", err);
        defer session.gpa.free(outcomes);
        const space = try session.reserveOffsets(longest);
        defer if (space) |numbers| session.gpa.free(numbers);

        var performed: usize = 0;
        const ending = for (schedule.items, outcomes) |order, *outcome| {
            outcome.* = session.perform(order, space, null) catch |err| break err;
            performed += 1;
        } else {};
        for (outcomes[0..performed]) |*outcome| try outcome.print(session.plan.operation, session.plan.threads, out);
        try ending;
        try out.writeAll("end\n");
    }

    fn answerVerify(session: *Session, words: *protocol.Words, out: *Io.Writer) Error!void {
        const number = try protocol.parseVerify(words, session.tasks.len);
        const first = [_]u64{if (session.plan.operation.hasOffsets()) offsets.offset(session.plan, 0) else 0};
        const given: ?[]const u64 = if (session.plan.operation.hasOffsets()) &first else null;
        var data = try batch.runUntimed(&session.tasks[number], given);
        try out.print("verified bytes={d} crc32={x:0>8}\n", .{ data.bytes, data.crc.?.final() });
    }

    fn perform(session: *Session, order: protocol.Batch, space: ?[]u64, latencies: ?[]u64) (Failed || error{Refused})!batch.Outcome {
        const action = session.tasks[order.method].action;
        const keeps_open = action.makes != null and action.phases != null and session.plan.close != .each;
        if (keeps_open) try descriptors.expect(@max(order.count, order.preroll));
        const first = session.performed[order.method];
        if (space) |numbers| {
            for (numbers[0..@intCast(order.preroll + order.count)], first..) |*offset, k| offset.* = offsets.offset(session.plan, k);
        }
        return batch.run(.{
            .task = &session.tasks[order.method],
            .first = first,
            .preroll = order.preroll,
            .count = order.count,
            .offsets = space,
            .latencies = latencies,
            .marks = session.plan.marks,
        }, &session.performed[order.method]);
    }

    /// Makes room for the offsets of `count` operations, where they have any.
    fn reserveOffsets(session: *Session, count: u64) Failed!?[]u64 {
        if (!session.plan.operation.hasOffsets()) return null;
        return session.gpa.alloc(u64, @intCast(count)) catch |err| failure.failed("offsets", err);
    }

    fn reserveLatencies(session: *Session, count: u64) Failed!?[]u64 {
        const path = session.plan.latencies orelse return null;
        const times = if (count > max_latencies) error.OutOfMemory else session.gpa.alloc(u64, @intCast(count));
        // Touched here, so that no page of it is met for the first time within the clock.
        if (times) |memory| {
            @memset(memory, 0);
            return memory;
        } else |err| {
            const failed = failure.failed("latencies", err);
            failure.last.path = path;
            return failed;
        }
    }

    fn appendLatencies(session: *Session, times: []u64) Failed!void {
        const file = session.latencies.?;
        for (times) |*time| time.* = std.mem.nativeToLittle(u64, time.*);
        const end = file.length(session.io) catch |err| return session.failedLatencies(err);
        file.writePositionalAll(session.io, std.mem.sliceAsBytes(times), end) catch |err| return session.failedLatencies(err);
    }

    fn failedLatencies(session: *Session, err: anyerror) Failed {
        const failed = failure.failed("latencies", err);
        failure.last.path = session.plan.latencies;
        return failed;
    }
};

fn printFailure(out: *Io.Writer) Io.Writer.Error!void {
    const last = failure.last;
    try out.print("error op={s} errno={s} path={s}\n", .{ last.op, last.errno, last.path orelse "" });
}
