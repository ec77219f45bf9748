// A file in memory, in buffers small enough for Java's 31-bit indices: mapped,
// or copied outside the heap, where the collector does not see it.

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

final class Segments {
    /** Each segment starts this far behind the one before. */
    static final long BYTES = 1 << 30;

    private final ByteBuffer[] segments;

    private Segments(ByteBuffer[] segments) {
        this.segments = segments;
    }

    /** Maps a file's first bytes; a segment goes on behind the start of the next by the length of a block. */
    static Segments map(Target target, long size, int overlap) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            ByteBuffer[] segments = room(size);
            for (int i = 0; i < segments.length; i++) {
                segments[i] = channel.map(FileChannel.MapMode.READ_ONLY, i * BYTES, length(i, size, overlap));
            }
            return new Segments(segments);
        }
    }

    /** Copies a file's first bytes, the whole file if there are fewer. */
    static Segments copy(Target target, long most, int overlap) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            long size = Math.min(most, channel.size());
            ByteBuffer[] segments = room(size);
            for (int i = 0; i < segments.length; i++) {
                ByteBuffer data = ByteBuffer.allocateDirect((int) length(i, size, overlap));
                while (data.hasRemaining()) {
                    if (channel.read(data, i * BYTES + data.position()) < 0) {
                        throw new EOFException();
                    }
                }
                segments[i] = data.flip();
            }
            return new Segments(segments);
        }
    }

    /** Delivers one block. */
    void deliver(long offset, int length, Sink out) {
        out.take(segments[(int) (offset / BYTES)], (int) (offset % BYTES), length);
    }

    /** Copies one block, as long as the array. */
    void copy(long offset, byte[] array) {
        segments[(int) (offset / BYTES)].get((int) (offset % BYTES), array);
    }

    /** Delivers everything; segments must not overlap. */
    void deliver(Sink out) {
        for (ByteBuffer segment : segments) {
            out.take(segment);
        }
    }

    private static ByteBuffer[] room(long size) {
        return new ByteBuffer[Math.toIntExact((size + BYTES - 1) / BYTES)];
    }

    private static long length(int number, long size, int overlap) {
        return Math.min(Math.min(BYTES + overlap, Integer.MAX_VALUE), size - number * BYTES);
    }
}

/** Mappings that nothing uses any more. Java (before its arenas of version 22) cannot unmap; the collector does when it finds the buffer unreachable. Here it is told to look, outside the clock, and waited for. */
final class Mappings {
    private static final int ATTEMPTS = 200;
    /** In a line of maps the path follows five columns. */
    private static final int COLUMNS = 6;

    private Mappings() {}

    static void collect(List<Target> targets) throws IOException {
        Set<String> paths = new HashSet<>();
        for (Target target : targets) {
            if (Files.exists(target.path())) {
                paths.add(target.path().toRealPath().toString());
            }
        }
        for (int i = 0; i < ATTEMPTS && isMapped(paths); i++) {
            // Another thread unmaps what the collector found, so look a few times.
            if (i % 10 == 0) {
                System.gc();
            }
            try {
                Thread.sleep(Math.min(i, 20));
            } catch (InterruptedException error) {
                throw new IOException(error);
            }
        }
        if (isMapped(paths)) {
            throw new IOException("Device or resource busy");
        }
    }

    private static boolean isMapped(Set<String> paths) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.UTF_8)) {
            return lines.map(line -> line.split(" +", COLUMNS))
                    .anyMatch(columns -> columns.length == COLUMNS && paths.contains(columns[COLUMNS - 1]));
        }
    }
}
