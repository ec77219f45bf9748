// The word that `search` counts, in a reader, a channel or a buffer. An
// occurrence may overlap another one.

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

final class Word {
    private final byte[] bytes;
    /** The bytes as characters of ISO_8859_1. */
    private final String text;

    Word(byte[] bytes) {
        this.bytes = bytes;
        text = new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** How far an occurrence can reach beyond the byte it starts at. */
    int overlap() {
        return bytes.length - 1;
    }

    long count(BufferedReader reader) throws IOException {
        long found = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            for (int at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
                found++;
            }
        }
        return found;
    }

    /** Counts in the bytes from start to end, read into a buffer behind room for the overlap. */
    long count(FileChannel channel, long start, long end, ByteBuffer buffer) throws IOException {
        long found = 0;
        int carried = 0;
        for (long position = start; position < end; ) {
            buffer.clear().position(overlap());
            if (end - position < buffer.remaining()) {
                buffer.limit(overlap() + (int) (end - position));
            }
            int count = channel.read(buffer, position);
            if (count < 0) {
                break;
            }
            position += count;
            int first = overlap() - carried;
            int last = overlap() + count;
            found += count(buffer, first, last);
            // The last bytes may begin an occurrence: they stand before the next piece.
            carried = Math.min(overlap(), last - first);
            for (int i = 0; i < carried; i++) {
                buffer.put(overlap() - carried + i, buffer.get(last - carried + i));
            }
        }
        return found;
    }

    /** Counts in the bytes of a buffer from one index to another. */
    long count(ByteBuffer data, int from, int to) {
        long found = 0;
        byte first = bytes[0];
        for (int i = from; i <= to - bytes.length; i++) {
            if (data.get(i) == first && stands(data, i)) {
                found++;
            }
        }
        return found;
    }

    private boolean stands(ByteBuffer data, int at) {
        for (int i = 1; i < bytes.length; i++) {
            if (data.get(at + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
