//! The arguments of `run` and what they must satisfy. Nothing is opened here.

const std = @import("std");
const linux = std.os.linux;
const methods = @import("methods.zig");
const offsets = @import("offsets.zig");
const pool_bytes = @import("content.zig").pool_bytes;
const Operation = @import("operation.zig").Operation;

/// What the arguments of `run` ask for.
pub const Plan = struct {
    operation: Operation,
    methods: []const *const methods.Method,
    paths: []const [:0]const u8,
    size: u64,
    block: usize,
    access: Access,
    alignment: Alignment,
    buffer: Buffer,
    word: []const u8,
    threads: usize,
    seed: u64,
    marks: bool,
    latencies: ?[]const u8,
    queue_depth: usize,
    algorithm: Algorithm,
    directory: ?[]const u8,
    existing: Existing,
    write: usize,
    close: Close,
    sync: Sync,
    content: Content,

    pub const Access = enum { random, sequential };
    pub const Alignment = enum { aligned, unaligned };
    pub const Buffer = enum { reused, fresh };
    pub const Algorithm = enum { md5, xxh64 };
    pub const Existing = enum { fresh, empty, data };
    pub const Close = enum { each, all, none };
    pub const Sync = enum { none, fsync, syncfs };
    pub const Content = enum { random, pattern };
};

const Name = enum {
    operation,
    method,
    path,
    @"path-list",
    size,
    block,
    access,
    alignment,
    buffer,
    word,
    threads,
    seed,
    marks,
    latencies,
    @"queue-depth",
    algorithm,
    directory,
    existing,
    write,
    close,
    sync,
    content,
    format,
};

/// What `config-load` parses; no method here does.
const Format = enum { json, yaml, toml };

/// What was wrong with the arguments, for the message on standard error.
pub var complaint: []const u8 = "";

pub const Error = error{ WrongArguments, NotSupported, OutOfMemory };

/// Reads the arguments after `run`.
pub fn parse(arena: std.mem.Allocator, words: []const [:0]const u8) Error!Plan {
    var operation: ?Operation = null;
    var size: ?u64 = null;
    var names: std.ArrayList([]const u8) = .empty;
    var paths: std.ArrayList([:0]const u8) = .empty;
    var plan: Plan = .{
        .operation = undefined,
        .methods = undefined,
        .paths = undefined,
        .size = 0,
        .block = 65536,
        .access = .random,
        .alignment = .aligned,
        .buffer = .reused,
        .word = "ERROR",
        .threads = 1,
        .seed = 1,
        .marks = false,
        .latencies = null,
        .queue_depth = 1,
        .algorithm = .md5,
        .directory = null,
        .existing = .fresh,
        .write = 0,
        .close = .each,
        .sync = .none,
        .content = .random,
    };
    var i: usize = 0;
    while (i < words.len) : (i += 1) {
        const word = words[i];
        const stem = std.mem.cutPrefix(u8, word, "--") orelse return wrong(word);
        const name = std.meta.stringToEnum(Name, stem) orelse return wrong(word);
        if (name == .marks) {
            plan.marks = true;
            continue;
        }
        i += 1;
        if (i == words.len) return wrong(word);
        const value = words[i];
        switch (name) {
            .operation => {
                if (operation != null) return wrong("--operation is given twice");
                operation = try choice(Operation, value);
            },
            .method => try names.append(arena, value),
            .path => try paths.append(arena, value),
            .@"path-list" => try appendListed(arena, &paths, value),
            // 63 bits, so that the number is also a file offset.
            .size => size = try number(u63, value),
            .block => plan.block = try number(u63, value),
            .access => plan.access = try choice(Plan.Access, value),
            .alignment => plan.alignment = try choice(Plan.Alignment, value),
            .buffer => {
                if (std.mem.eql(u8, value, "stack")) {
                    complaint = "its buffers are of the heap, none on the stack";
                    return error.NotSupported;
                }
                plan.buffer = try choice(Plan.Buffer, value);
            },
            .word => plan.word = value,
            .threads => plan.threads = try number(u16, value),
            .seed => plan.seed = try number(u64, value),
            .marks => unreachable,
            .latencies => plan.latencies = value,
            .@"queue-depth" => plan.queue_depth = try number(u16, value),
            .algorithm => plan.algorithm = try choice(Plan.Algorithm, value),
            .directory => plan.directory = value,
            .existing => plan.existing = try choice(Plan.Existing, value),
            .write => plan.write = try number(u63, value),
            .close => plan.close = try choice(Plan.Close, value),
            .sync => plan.sync = try choice(Plan.Sync, value),
            .content => plan.content = try choice(Plan.Content, value),
            .format => _ = try choice(Format, value),
        }
    }
    plan.operation = operation orelse return wrong("--operation is missing");
    plan.paths = paths.items;
    plan.size = size orelse 0;
    plan.methods = try findMethods(arena, &plan, names.items);
    try check(&plan, size != null);
    for (plan.methods) |method| try checkAbility(&plan, method);
    return plan;
}

/// Each path of the file ends with a zero byte.
fn appendListed(arena: std.mem.Allocator, paths: *std.ArrayList([:0]const u8), list: [:0]const u8) Error!void {
    const text = readList(arena, list) catch return wrong("--path-list cannot be read");
    var rest = text;
    while (std.mem.indexOfScalar(u8, rest, 0)) |end| {
        try paths.append(arena, rest[0..end :0]);
        rest = rest[end + 1 ..];
    }
}

fn readList(arena: std.mem.Allocator, path: [:0]const u8) ![]u8 {
    const opened = linux.open(path, .{ .CLOEXEC = true }, 0);
    if (linux.errno(opened) != .SUCCESS) return error.CannotOpen;
    const fd: i32 = @intCast(opened);
    defer _ = linux.close(fd);
    var text: std.ArrayList(u8) = .empty;
    var block: [65536]u8 = undefined;
    while (true) {
        const bytes = linux.read(fd, &block, block.len);
        if (linux.errno(bytes) != .SUCCESS) return error.CannotRead;
        if (bytes == 0) return text.items;
        try text.appendSlice(arena, block[0..bytes]);
    }
}

fn findMethods(arena: std.mem.Allocator, plan: *const Plan, names: []const []const u8) Error![]const *const methods.Method {
    if (names.len == 0) return wrong("--method is missing");
    const found = try arena.alloc(*const methods.Method, names.len);
    for (names, found) |name, *method| {
        method.* = methods.find(name) orelse return wrong(name);
        if (!method.*.actions.contains(plan.operation)) return wrong("a method cannot perform the operation");
        if (!method.*.absolute) continue;
        for (plan.paths) |path| {
            if (!std.fs.path.isAbsolute(path)) return wrong("the method takes absolute paths only");
        }
    }
    return found;
}

fn check(plan: *const Plan, sized: bool) Error!void {
    const takes_block = plan.operation == .@"open-read-close" or plan.operation.hasOffsets();
    const takes_path = switch (plan.operation) {
        .null, .create, .@"write-block" => false,
        else => true,
    };
    if (takes_path and plan.paths.len == 0) return wrong("--path is missing");
    if (plan.operation.writes() and plan.directory == null) return wrong("--directory is missing");
    if (plan.block < 1) return wrong("--block must be at least 1");
    if (plan.threads < 1) return wrong("--threads must be at least 1");
    if (plan.word.len == 0) return wrong("--word must not be empty");
    if (takes_block and !sized) return wrong("the operation needs --size");
    if (plan.operation.hasOffsets() and offsets.places(plan) < 1) return wrong("the file has no such block");
    if (plan.queue_depth < 1) return wrong("--queue-depth must be at least 1");
    if (plan.operation == .@"write-block" and plan.block > pool_bytes) return wrong("write-block writes blocks of at most 1 MiB");
}

/// Settings that some method could follow, but not this one.
fn checkAbility(plan: *const Plan, method: *const methods.Method) Error!void {
    const action = method.actions.get(plan.operation).?;
    if (action.sequential and plan.access == .random) return refuse("the method writes sequentially only");
    if (action.closes and plan.sync == .fsync) return refuse("the method closes the file before it could be synced");
    // `null` answers the same whatever the setting.
    if (method.actions.contains(.null)) return;
    const shared = plan.operation == .@"read-block" or plan.operation == .@"read-whole";
    if (shared and plan.threads > 1) return refuse("the method reads on one thread");
    if (plan.queue_depth > 1) return refuse("the method has one read in flight");
}

fn choice(Enum: type, word: []const u8) Error!Enum {
    return std.meta.stringToEnum(Enum, word) orelse wrong(word);
}

fn number(Integer: type, text: []const u8) Error!Integer {
    return digits(Integer, text) orelse wrong(text);
}

/// Reads a decimal number; unlike parseInt it takes no sign and no underscore.
pub fn digits(Integer: type, text: []const u8) ?Integer {
    for (text) |c| if (!std.ascii.isDigit(c)) return null;
    return std.fmt.parseInt(Integer, text, 10) catch null;
}

fn refuse(what: []const u8) Error {
    complaint = what;
    return error.NotSupported;
}

fn wrong(what: []const u8) Error {
    complaint = what;
    return error.WrongArguments;
}
