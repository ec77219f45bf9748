// The first read of a fresh virtual machine: what the scenario `first-read` asks of
// this runtime. `Driver first-read PREPARATION FILE READS SPAWNED WATCHED` prepares, reads
// the file once, goes on reading for WATCHED ms, and prints what that took, on one line, as JSON.
// Management classes are loaded after the clock: loading them would prepare, too.

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

final class FirstRead {
    /** How long the published program waits for the collector. */
    private static final long REST_MS = 100;
    /** Later reads are timed in windows of this length. */
    private static final long WINDOW_NS = 20_000_000;

    private FirstRead() {}

    /** SPAWNED is when the process was started, in ns of the monotonic clock, which nanoTime reads. */
    static void run(String[] words, PrintStream out) throws UsageException, IOException {
        if (words.length != 6) {
            throw new UsageException("usage: Driver first-read PREPARATION FILE READS SPAWNED WATCHED");
        }
        Path path = Path.of(words[2]);
        prepare(words[1], path, Integer.parseInt(words[3]));
        long spawned = Long.parseLong(words[4]);
        long begin = System.nanoTime();
        byte[] data = Files.readAllBytes(path);
        long end = System.nanoTime();
        String windows = watch(path, Integer.parseInt(words[5]), spawned);
        out.print("{\"first_ns\":" + (end - begin) + ",\"bytes\":" + data.length + ",\"at_ns\":" + (begin - spawned)
                + ",\"collections\":" + collections() + ",\"windows\":[" + windows + "]}\n");
        out.flush();
    }

    /** What is to make the first read fast. */
    private static void prepare(String preparation, Path path, int reads) throws UsageException, IOException {
        try {
            switch (preparation) {
                case "none" -> {}
                case "reflection" ->
                    Class.forName("java.nio.file.Files").getMethod("readAllBytes", Path.class).invoke(null, path);
                case "executed" -> execute(path, reads);
                case "executed-rested" -> {
                    execute(path, reads);
                    Thread.sleep(REST_MS);
                }
                case "collected" -> collect();
                case "executed-collected" -> {
                    execute(path, reads);
                    collect();
                }
                default -> throw new UsageException("no preparation " + preparation);
            }
        } catch (ReflectiveOperationException | InterruptedException error) {
            throw new IOException(error);
        }
    }

    private static void execute(Path path, int reads) throws IOException {
        for (int i = 0; i < reads; i++) {
            Files.readAllBytes(path);
        }
    }

    private static void collect() throws InterruptedException {
        Runtime.getRuntime().gc();
        Thread.sleep(REST_MS);
    }

    /** For each window: when it ended, in ns from the start of the process, and ns for each read. */
    private static String watch(Path path, int watchedMs, long spawned) throws IOException {
        StringBuilder windows = new StringBuilder();
        long now = System.nanoTime();
        long over = now + watchedMs * 1_000_000L;
        while (now < over) {
            long begin = now;
            long reads = 0;
            while (now - begin < WINDOW_NS) {
                Files.readAllBytes(path);
                reads++;
                now = System.nanoTime();
            }
            windows.append(windows.isEmpty() ? "[" : ",[").append(now - spawned).append(',').append((now - begin) / reads).append(']');
        }
        return windows.toString();
    }

    private static long collections() {
        long collections = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += collector.getCollectionCount();
        }
        return collections;
    }
}
