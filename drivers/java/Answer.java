// What one operation on a file delivers.

record Answer(long bytes, long digest, long lines, long matches, long crc) {
    static Answer of(Sink full) {
        return new Answer(full.bytes, full.digest, full.lines, full.matches, full.checksum());
    }
}
