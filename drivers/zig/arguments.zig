//! The arguments of `run` and what they must satisfy. Nothing is opened here.

const std = @import("std");
const methods = @import("methods.zig");
const offsets = @import("offsets.zig");
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

    pub const Access = enum { random, sequential };
    pub const Alignment = enum { aligned, unaligned };
    pub const Buffer = enum { reused, fresh };
};

const Name = enum { operation, method, path, size, block, access, alignment, buffer, word, threads, seed, marks, latencies };

/// What was wrong with the arguments, for the message on standard error.
pub var complaint: []const u8 = "";

pub const Error = error{ WrongArguments, OutOfMemory };

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
            // 63 bits, so that the number is also a file offset.
            .size => size = try number(u63, value),
            .block => plan.block = try number(u63, value),
            .access => plan.access = try choice(Plan.Access, value),
            .alignment => plan.alignment = try choice(Plan.Alignment, value),
            .buffer => plan.buffer = try choice(Plan.Buffer, value),
            .word => plan.word = value,
            .threads => plan.threads = try number(u16, value),
            .seed => plan.seed = try number(u64, value),
            .marks => unreachable,
            .latencies => plan.latencies = value,
        }
    }
    plan.operation = operation orelse return wrong("--operation is missing");
    plan.paths = paths.items;
    plan.size = size orelse 0;
    plan.methods = try findMethods(arena, &plan, names.items);
    try check(&plan, size != null);
    return plan;
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
    const takes_block = plan.operation == .@"open-read-close" or plan.operation == .@"read-block";
    if (plan.operation != .null and plan.paths.len == 0) return wrong("--path is missing");
    if (plan.block < 1) return wrong("--block must be at least 1");
    if (plan.threads < 1) return wrong("--threads must be at least 1");
    if (plan.word.len == 0) return wrong("--word must not be empty");
    if (takes_block and !sized) return wrong("the operation needs --size");
    if (plan.operation == .@"read-block" and offsets.places(plan) < 1) return wrong("the file has no such block");
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

fn wrong(what: []const u8) Error {
    complaint = what;
    return error.WrongArguments;
}
