//! Where the operations that write make their files: a new directory for each
//! batch, made and filled before the clock starts.

const std = @import("std");
const Io = std.Io;
const content = @import("content.zig");
const failure = @import("failure.zig");
const failed = failure.failed;
const Failed = failure.Failed;
const Plan = @import("arguments.zig").Plan;

/// The directories of all batches of a run.
pub const Ground = struct {
    io: Io,
    gpa: std.mem.Allocator,
    plan: *const Plan,
    content: *const content.Content,
    /// The number of the next directory.
    next: usize = 0,
    /// What the batch before made and this one removes before it starts.
    leftovers: ?Leftovers = null,
    /// The directory of the one file that every batch of `write-block` overwrites.
    data: ?usize = null,

    const Leftovers = struct { directory: usize, count: usize };

    /// Makes the place for a batch of `count` operations.
    pub fn prepare(ground: *Ground, count: usize) Failed!Site {
        if (ground.plan.operation == .@"write-block" and ground.plan.existing == .data) return ground.overwritten();
        const number = ground.next;
        var site: Site = try .init(ground, number);
        errdefer site.deinit();
        const prepared = ground.plan.operation == .create and ground.plan.existing != .fresh and try site.takePrepared(ground);
        if (!prepared) {
            Io.Dir.cwd().createDir(ground.io, site.directory, .default_dir) catch |err| return failure.failedAt("createDir", err, site.directory);
            ground.next += 1;
        }
        try site.open(ground.plan);
        try site.addNames(count);
        switch (ground.plan.operation) {
            .create => {
                if (ground.plan.existing != .fresh and !prepared) try site.fill(ground.plan.existing);
                if (ground.plan.close != .each) try site.reserveFiles();
            },
            // The files of `create` stay: freed inodes would be expensive to reuse within the clock.
            else => ground.leftovers = .{ .directory = number, .count = site.names.len },
        }
        return site;
    }

    fn overwritten(ground: *Ground) Failed!Site {
        const number = ground.data orelse ground.next;
        var site: Site = try .init(ground, number);
        errdefer site.deinit();
        try site.addNames(1);
        if (ground.data == null) {
            Io.Dir.cwd().createDir(ground.io, site.directory, .default_dir) catch |err| return failure.failedAt("createDir", err, site.directory);
            ground.next += 1;
            writeData(ground.io, site.names[0], ground.plan.size, ground.content.pool, true) catch |err| return failure.failedAt("writeStreamingAll", err, site.names[0]);
            ground.data = number;
        }
        try site.open(ground.plan);
        return site;
    }

    /// Removes the files of the batch before.
    pub fn clear(ground: *Ground) Failed!void {
        const leftovers = ground.leftovers orelse return;
        var site: Site = try .init(ground, leftovers.directory);
        defer site.deinit();
        try site.addNames(leftovers.count);
        for (site.names) |name| {
            Io.Dir.cwd().deleteFile(ground.io, name) catch |err| switch (err) {
                // A batch that failed did not make them all.
                error.FileNotFound => {},
                else => return failure.failedAt("deleteFile", err, name),
            };
        }
        ground.leftovers = null;
    }
};

/// The place of one batch.
pub const Site = struct {
    io: Io,
    arena: std.heap.ArenaAllocator,
    operation: @import("operation.zig").Operation,
    directory: [:0]const u8,
    /// For `--sync syncfs`, the directory itself.
    dir: ?Io.Dir = null,
    /// The path of each operation's file; of `write-block` the only one.
    names: []const [:0]const u8 = &.{},
    /// Those that are open, where `create` closes later.
    files: []?Io.File = &.{},
    /// What `write-block` writes into.
    target: Target = .none,

    pub const Target = union(enum) {
        none,
        file: Io.File,
        writer: *@import("write_block.zig").BufferedWriter,
        mapping: Mapping,
    };
    pub const Mapping = struct { file: Io.File, memory: []align(std.heap.page_size_min) u8 };

    fn init(ground: *const Ground, number: usize) Failed!Site {
        var arena: std.heap.ArenaAllocator = .init(ground.gpa);
        errdefer arena.deinit();
        const directory = std.fmt.allocPrintSentinel(arena.allocator(), "{s}/{d}", .{ ground.plan.directory.?, number }, 0) catch |err| return failed("alloc", err);
        return .{ .io = ground.io, .arena = arena, .operation = ground.plan.operation, .directory = directory };
    }

    /// Takes the directory that whoever asked for the batch has made, with the files that it is to find.
    fn takePrepared(site: *Site, ground: *const Ground) Failed!bool {
        const path = std.fmt.allocPrintSentinel(site.arena.allocator(), "{s}/prepared", .{ground.plan.directory.?}, 0) catch |err| return failed("alloc", err);
        const dir = Io.Dir.cwd().openDir(site.io, path, .{}) catch |err| switch (err) {
            error.FileNotFound => return false,
            else => return failure.failedAt("openDir", err, path),
        };
        dir.close(site.io);
        site.directory = path;
        return true;
    }

    pub fn deinit(site: *Site) void {
        for (site.files) |file| if (file) |open_file| open_file.close(site.io);
        if (site.dir) |dir| dir.close(site.io);
        site.arena.deinit();
    }

    /// The one sync at the end of a batch.
    pub fn sync(site: *Site, how: Plan.Sync) Failed!void {
        if (how == .syncfs) std.posix.syncfs(site.dir.?.handle) catch |err| return failure.failedAt("syncfs", err, site.directory);
        if (how != .fsync) return;
        const file = switch (site.target) {
            // The operations synced their own.
            .none => return,
            .file => |file| file,
            .writer => |buffered| buffered.writer.file,
            .mapping => |mapping| mapping.file,
        };
        file.sync(site.io) catch |err| return failure.failedAt("sync", err, site.names[0]);
    }

    fn open(site: *Site, plan: *const Plan) Failed!void {
        if (plan.sync != .syncfs) return;
        site.dir = Io.Dir.cwd().openDir(site.io, site.directory, .{ .iterate = true }) catch |err| return failure.failedAt("openDir", err, site.directory);
    }

    fn addNames(site: *Site, count: usize) Failed!void {
        const arena = site.arena.allocator();
        const single = site.operation == .@"write-block";
        const names = arena.alloc([:0]const u8, if (single) 1 else count) catch |err| return failed("alloc", err);
        for (names, 0..) |*name, i| {
            const made = switch (site.operation) {
                .copy => std.fmt.allocPrintSentinel(arena, "{s}/c{d}", .{ site.directory, i }, 0),
                .@"write-block" => std.fmt.allocPrintSentinel(arena, "{s}/f", .{site.directory}, 0),
                else => std.fmt.allocPrintSentinel(arena, "{s}/f{d}", .{ site.directory, i }, 0),
            };
            name.* = made catch |err| return failed("alloc", err);
        }
        site.names = names;
    }

    fn reserveFiles(site: *Site) Failed!void {
        site.files = site.arena.allocator().alloc(?Io.File, site.names.len) catch |err| return failed("alloc", err);
        @memset(site.files, null);
    }

    /// Makes the files that `create` finds, with their data on the device.
    fn fill(site: *Site, existing: Plan.Existing) Failed!void {
        var data: [4096]u8 = undefined;
        content.fillPattern(&data);
        for (site.names) |name| {
            const bytes: u64 = if (existing == .data) data.len else 0;
            writeData(site.io, name, bytes, &data, false) catch |err| return failure.failedAt("writeStreamingAll", err, name);
        }
        // One sync for all of them: one for each would take long.
        const dir = Io.Dir.cwd().openDir(site.io, site.directory, .{ .iterate = true }) catch |err| return failure.failedAt("openDir", err, site.directory);
        defer dir.close(site.io);
        std.posix.syncfs(dir.handle) catch |err| return failure.failedAt("syncfs", err, site.directory);
    }
};

/// Makes a file of `size` bytes.
fn writeData(io: Io, path: []const u8, size: u64, data: []const u8, sync: bool) !void {
    const file = try Io.Dir.cwd().createFile(io, path, .{});
    defer file.close(io);
    var rest = size;
    while (rest > 0) {
        const piece = data[0..@intCast(@min(rest, data.len))];
        try file.writeStreamingAll(io, piece);
        rest -= piece.len;
    }
    if (sync) try file.sync(io);
}
