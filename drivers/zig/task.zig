//! Tasks: a method bound to the files of a run, ready to be repeated.

const std = @import("std");
const Io = std.Io;
const content = @import("content.zig");
const failure = @import("failure.zig");
const Buffers = @import("buffers.zig").Buffers;
const Copy = @import("reload.zig").Copy;
const Failed = failure.Failed;
const Ground = @import("site.zig").Ground;
const Method = @import("methods.zig").Method;
const Part = @import("search.zig").Part;
const Plan = @import("arguments.zig").Plan;
const SeekingReader = @import("read_block.zig").SeekingReader;
const Sink = @import("sink.zig").Sink;
const Site = @import("site.zig").Site;

/// Performs an operation on path number `which`. The place is the offset, where
/// the operation has offsets, else the operation's number within its batch.
pub const Perform = *const fn (task: *Task, which: usize, place: u64, out: *Sink) Failed!void;

/// How a method performs one operation.
pub const Action = struct {
    perform: Perform,
    /// The steps of `create`, for batches that take each with all files.
    phases: ?Phases = null,
    /// Where it makes files: what surrounds the operations of a batch.
    makes: ?Makes = null,
    /// It cannot write at random places.
    sequential: bool = false,
    /// It closes what it wrote by itself, before anybody could sync it.
    closes: bool = false,
    /// Makes `task.held[which]`, which stays between operations.
    hold: ?*const fn (task: *Task, which: usize) Failed!void = null,
    /// Closes it; what has no `drop` holds no file and stays for good.
    drop: ?*const fn (task: *Task, which: usize) void = null,
};

pub const Phases = struct { open: Perform, sync: Perform, close: Perform };

pub const Makes = struct {
    /// Opens what stays open during a batch.
    open: ?*const fn (task: *Task) Failed!void = null,
    /// Hands over what is buffered, within the clock.
    flush: ?*const fn (task: *Task) Failed!void = null,
    close: ?*const fn (task: *Task) void = null,
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
    copy: Copy,
    size: u64,
    answer: Sink,
};

pub const Task = struct {
    io: Io,
    gpa: std.mem.Allocator,
    plan: *const Plan,
    action: Action,
    /// What a batch does with all of its operations, one after the other.
    phases: []const Perform,
    paths: []const [:0]const u8,
    /// What open-read-close and read-block read.
    length: usize,
    /// One for each thread.
    buffers: []Buffers,
    parts: []Part,
    held: []Held,
    /// How many of `held` are held.
    taken: usize = 0,
    /// For operations that write: all their places, the batch's, and what comes into it next.
    ground: *Ground,
    site: Site = undefined,
    blocks: content.Blocks = undefined,

    pub fn init(io: Io, gpa: std.mem.Allocator, arena: std.mem.Allocator, plan: *const Plan, method: *const Method, ground: *Ground) !Task {
        const action = method.actions.get(plan.operation).?;
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
            .action = action,
            .phases = try listPhases(arena, plan, action),
            .paths = plan.paths,
            .length = length,
            .buffers = buffers,
            .parts = try arena.alloc(Part, buffers.len),
            .held = held,
            .ground = ground,
        };
    }

    fn listPhases(arena: std.mem.Allocator, plan: *const Plan, action: Action) ![]const Perform {
        var list: std.ArrayList(Perform) = .empty;
        if (action.phases == null or plan.close == .each) {
            try list.append(arena, action.perform);
            return list.items;
        }
        const phases = action.phases.?;
        try list.append(arena, phases.open);
        if (plan.sync == .fsync) try list.append(arena, phases.sync);
        if (plan.close == .all) try list.append(arena, phases.close);
        return list.items;
    }

    /// Makes the place for a batch of `count` operations, the first of which has number `first`.
    pub fn prepare(task: *Task, first: u64, count: u64) Failed!void {
        if (!task.plan.operation.writes()) return;
        try task.ground.clear();
        if (task.plan.operation == .@"write-block") task.blocks = .init(task.ground.content.pool, task.plan.block, first);
        const makes = task.action.makes orelse return;
        task.site = try task.ground.prepare(@intCast(count));
        errdefer task.site.deinit();
        if (makes.open) |open| try open(task);
    }

    /// Ends a batch's work, within its clock.
    pub fn end(task: *Task) Failed!void {
        const makes = task.action.makes orelse return;
        if (makes.flush) |flush| try flush(task);
        try task.site.sync(task.plan.sync);
    }

    /// Closes what the batch left open, after its clock.
    pub fn leave(task: *Task) void {
        const makes = task.action.makes orelse return;
        if (makes.close) |close| close(task);
        task.site.deinit();
    }

    /// The file that an operation is about, for its failures.
    pub fn pathOf(task: *const Task, which: usize, place: u64) ?[]const u8 {
        if (task.action.makes != null) switch (task.plan.operation) {
            .create => return task.site.names[@intCast(place)],
            .@"write-block" => return task.site.names[0],
            else => {},
        };
        return if (which < task.paths.len) task.paths[which] else null;
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
