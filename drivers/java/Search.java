// search: count the occurrences of a word. A part of the file owns the
// occurrences that start in it, and is read a word's length less one byte
// further, so every occurrence is found once however the file is divided.

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

final class Search {
    private Search() {}

    static void bufferedReader(Target target, Tools tools, Sink out) throws IOException {
        if (tools.threads() == 1) {
            try (BufferedReader reader = new BufferedReader(new FileReader(target.name(), ISO_8859_1))) {
                out.takeMatches(tools.sizes.get(target.name()), tools.word.count(reader));
            }
            return;
        }
        long size = Files.size(target.path());
        long matches = tools.inParts(size, (number, start, end) -> {
            long last = Math.min(end + tools.word.overlap(), size);
            try (InputStream in = new FileInputStream(target.name())) {
                in.skipNBytes(start);
                InputStream part = new Part(in, last - start);
                return tools.word.count(new BufferedReader(new InputStreamReader(part, ISO_8859_1)));
            }
        });
        out.takeMatches(size, matches);
    }

    static void fileChannel(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            long size = channel.size();
            long matches = tools.inParts(size, (number, start, end) -> {
                long last = Math.min(end + tools.word.overlap(), size);
                return tools.word.count(channel, start, last, tools.searchBuffer(number));
            });
            out.takeMatches(size, matches);
        }
    }

    static void map(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            long size = channel.size();
            long matches = tools.inParts(size, (number, start, end) -> {
                long found = 0;
                for (long from = start; from < end; from += Segments.BYTES) {
                    long last = Math.min(Math.min(end, from + Segments.BYTES) + tools.word.overlap(), size);
                    ByteBuffer data = channel.map(FileChannel.MapMode.READ_ONLY, from, last - from);
                    found += tools.word.count(data, 0, data.limit());
                }
                return found;
            });
            out.takeMatches(size, matches);
        }
    }

    /** The next bytes of a stream, up to a number of them. */
    private static final class Part extends FilterInputStream {
        private long left;

        Part(InputStream in, long length) {
            super(in);
            left = length;
        }

        @Override
        public int read() throws IOException {
            int value = left > 0 ? in.read() : -1;
            left -= value >= 0 ? 1 : 0;
            return value;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = left > 0 ? in.read(buffer, offset, (int) Math.min(length, left)) : -1;
            left -= Math.max(count, 0);
            return count;
        }
    }
}

/** The word that `search` counts, in a reader, a channel or a buffer. An occurrence may overlap another one. */
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
