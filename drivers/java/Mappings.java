// Mappings that nothing uses any more. Java (before its arenas of version 22)
// cannot unmap; the collector does when it finds the buffer unreachable. Here it
// is told to look, outside the clock, and waited for.

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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
