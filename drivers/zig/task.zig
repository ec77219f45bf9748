//! Tasks: a method bound to the files of a run, ready to be repeated.

const std = @import("std");
const Io = std.Io;
const failure = @import("failure.zig");
const Buffers = @import("buffers.zig").Buffers;
const Failed = failure.Failed;
const Method = @import("methods.zig").Method;
const Part = @import("search.zig").Part;
const Plan = @import("arguments.zig").Plan;
const SeekingReader = @import("read_block.zig").SeekingReader;
const Sink = @import("sink.zig").Sink;

/// How a method performs one operation.
pub const Action = struct {
    /// Performs it on path number `which`, for read-block at `offset`.
    perform: *const fn (task: *Task, which: usize, offset: u64, out: *Sink) Failed!void,
    /// Makes `task.held[which]`, which stays between operations.
    hold: ?*const fn (task: *Task, which: usize) Failed!void = null,
    /// Closes it; what has no `drop` holds no file and stays for good.
    drop: ?*const fn (task: *Task, which: usize) void = null,
};

/// What a method keeps of one file between operations.
pub const Held = union(enum) {
    nothing,
    file: Io.File,
    fd: std.os.linux.fd_t,
    reader: *SeekingReader,
    mapping: []align(std.heap.page_size_min) const u8,
    memory_map: Io.File.MemoryMap,
    bytes: []const u8,
    answer: Sink,
};

pub const Task = struct {
    io: Io,
    gpa: std.mem.Allocator,
    plan: *const Plan,
    action: Action,
    paths: []const [:0]const u8,
    /// What open-read-close and read-block read.
    length: usize,
    /// One for each thread.
    buffers: []Buffers,
    parts: []Part,
    held: []Held,
    /// How many of `held` are held.
    taken: usize = 0,

    pub fn init(io: Io, gpa: std.mem.Allocator, arena: std.mem.Allocator, plan: *const Plan, method: *const Method) !Task {
        const length = switch (plan.operation) {
            // Never more than the file holds: readPositionalAll asks again after a short read.
            .@"open-read-close" => @min(plan.block, plan.size),
            // The end of one piece is searched together with the next.
            .search => plan.block + plan.word.len - 1,
            else => plan.block,
        };
        const buffers = try arena.alloc(Buffers, if (plan.operation == .search) plan.threads else 1);
        for (buffers) |*each| each.* = try .init(gpa, length, plan.buffer == .fresh);
        const held = try arena.alloc(Held, @max(1, plan.paths.len));
        @memset(held, .nothing);
        return .{
            .io = io,
            .gpa = gpa,
            .plan = plan,
            .action = method.actions.get(plan.operation).?,
            .paths = plan.paths,
            .length = length,
            .buffers = buffers,
            .parts = try arena.alloc(Part, buffers.len),
            .held = held,
        };
    }

    /// Opens what the task keeps between operations, unless it is open.
    pub fn takeUp(task: *Task) Failed!void {
        const hold = task.action.hold orelse return;
        while (task.taken < task.paths.len) : (task.taken += 1) {
            hold(task, task.taken) catch |err| {
                failure.last.path = task.paths[task.taken];
                return err;
            };
        }
    }

    /// Closes it.
    pub fn release(task: *Task) void {
        const drop = task.action.drop orelse return;
        while (task.taken > 0) {
            task.taken -= 1;
            drop(task, task.taken);
            task.held[task.taken] = .nothing;
        }
    }
};
