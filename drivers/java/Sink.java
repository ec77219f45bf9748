// Where methods deliver what they read: the digest that proves the data was
// there, and for `verify` the CRC of all of it.

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

final class Sink {
    private static final int PAGE = 4096;

    long bytes;
    long digest;
    long lines;
    long matches;
    /** Of what `verify` speaks of; null where operations are timed. */
    private final CRC32 crc;
    /** An answer computed beforehand, with its own checksum. */
    private Answer answered;
    /** Bytes of the operation in progress. */
    private long position;

    Sink(boolean full) {
        crc = full ? new CRC32() : null;
    }

    void clear() {
        bytes = 0;
        digest = 0;
        lines = 0;
        matches = 0;
    }

    /** Starts the data of another operation. */
    void begin() {
        position = 0;
    }

    void take(byte[] data) {
        take(data, data.length);
    }

    /** Accepts the next piece of the operation's data. */
    void take(byte[] data, int length) {
        take(data, 0, length);
    }

    void take(byte[] data, int from, int length) {
        // One byte per page, counted from the operation's first byte, whatever the pieces.
        for (int i = toNextPage(); i < length; i += PAGE) {
            digest += data[from + i] & 0xff;
        }
        advance(length);
        if (crc != null) {
            crc.update(data, from, length);
        }
    }

    /** Counts what was written and is not looked at. */
    void takeWritten(long length) {
        bytes += length;
    }

    void take(ByteBuffer data) {
        take(data, 0, data.limit());
    }

    void take(ByteBuffer data, int from, int length) {
        for (int i = toNextPage(); i < length; i += PAGE) {
            digest += data.get(from + i) & 0xff;
        }
        advance(length);
        if (crc != null) {
            crc.update(data.slice(from, length));
        }
    }

    /** Accepts characters that are bytes. */
    void take(String data) {
        for (int i = toNextPage(); i < data.length(); i += PAGE) {
            digest += data.charAt(i);
        }
        advance(data.length());
        if (crc != null) {
            crc.update(data.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    void takeLine(String line) {
        lines++;
        bytes += line.length();
        if (!line.isEmpty()) {
            digest += line.charAt(0);
        }
        if (crc != null) {
            crc.update((line + '\n').getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    void takeMatches(long size, long found) {
        bytes += size;
        digest += found;
        matches += found;
        if (crc != null) {
            crc.update(Long.toString(found).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    void takeHash(long size, byte[] hash) {
        bytes += size;
        digest += ByteBuffer.wrap(hash).getLong();
        if (crc != null) {
            crc.update(hash);
        }
    }

    /** Adds what one operation delivered before. */
    void takeAnswer(Answer answer) {
        bytes += answer.bytes();
        digest += answer.digest();
        lines += answer.lines();
        matches += answer.matches();
        if (crc != null) {
            answered = answer;
        }
    }

    /** The checksum of one operation on a full sink. */
    long checksum() {
        return answered == null ? crc.getValue() : answered.crc();
    }

    private int toNextPage() {
        return (int) (-position & (PAGE - 1));
    }

    private void advance(int length) {
        position += length;
        bytes += length;
    }
}

/** What one operation on a file delivers. */
record Answer(long bytes, long digest, long lines, long matches, long crc) {
    static Answer of(Sink full) {
        return new Answer(full.bytes, full.digest, full.lines, full.matches, full.checksum());
    }
}
