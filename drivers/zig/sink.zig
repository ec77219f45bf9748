//! Where methods deliver what they read: the digest that proves the data was
//! there, and for `verify` the CRC-32 of all of it.

const std = @import("std");
const Crc32 = std.hash.Crc32;

const page_bytes = 4096;

pub const Sink = struct {
    bytes: u64 = 0,
    digest: u64 = 0,
    /// Lines or matches.
    count: u64 = 0,
    /// Bytes of the operation in progress.
    position: u64 = 0,
    /// Kept for `verify` only.
    crc: ?Crc32 = null,

    /// A sink that keeps the CRC too.
    pub fn full() Sink {
        return .{ .crc = .init() };
    }

    /// Starts the data of another operation.
    pub fn begin(sink: *Sink) void {
        sink.position = 0;
    }

    /// Accepts the next piece of the operation's data.
    pub fn take(sink: *Sink, data: []const u8) void {
        // One byte per page, counted from the operation's first byte, whatever the pieces.
        var i: u64 = (0 -% sink.position) & (page_bytes - 1);
        while (i < data.len) : (i += page_bytes) sink.digest += data[i];
        sink.position += data.len;
        sink.bytes += data.len;
        if (sink.crc) |*crc| crc.update(data);
    }

    /// Accepts a line, without its newline.
    pub fn takeLine(sink: *Sink, line: []const u8) void {
        sink.bytes += line.len;
        if (line.len > 0) sink.digest += line[0];
        sink.count += 1;
        if (sink.crc) |*crc| {
            crc.update(line);
            crc.update("\n");
        }
    }

    /// Accepts the number of matches in a file of `bytes`.
    pub fn takeMatches(sink: *Sink, bytes: u64, matches: u64) void {
        sink.bytes += bytes;
        sink.digest += matches;
        sink.count += matches;
        if (sink.crc) |*crc| {
            var digits: [20]u8 = undefined;
            crc.update(digits[0..std.fmt.printInt(&digits, matches, 10, .lower, .{})]);
        }
    }

    /// Accepts the hash of a file of `bytes`; it is at least 8 bytes long.
    pub fn takeHash(sink: *Sink, bytes: u64, hash: []const u8) void {
        sink.bytes += bytes;
        sink.digest +%= std.mem.readInt(u64, hash[0..8], .big);
        if (sink.crc) |*crc| crc.update(hash);
    }

    /// Accepts what was written into a file whose data no digest covers.
    pub fn takeWritten(sink: *Sink, data: []const u8) void {
        sink.bytes += data.len;
        if (sink.crc) |*crc| crc.update(data);
    }

    /// Accepts what another sink took in one operation.
    pub fn takeAnswer(sink: *Sink, answer: *const Sink) void {
        sink.bytes += answer.bytes;
        sink.digest +%= answer.digest;
        sink.count += answer.count;
        if (sink.crc != null) sink.crc = answer.crc;
    }
};
