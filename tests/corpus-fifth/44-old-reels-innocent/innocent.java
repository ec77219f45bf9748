import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Clears the takes of a recording studio: old ones go, and empty ones; the rest stays and is counted. */
class Main {
    private static final Instant LIMIT = Instant.parse("2010-01-01T00:00:00Z");

    private int old;
    private int empty;
    private int kept;
    private long freed;

    private void consider(Path take) throws IOException {
        BasicFileAttributes a = Files.readAttributes(take, BasicFileAttributes.class);
        if (!a.isRegularFile()) {
            return;
        }
        if (a.size() == 0) {
            empty++;
        } else if (a.lastModifiedTime().toInstant().isBefore(LIMIT)) {
            old++;
        } else {
            kept++;
            return;
        }
        freed += a.size();
        if (!take.toFile().delete()) {
            throw new IOException("cannot remove " + take);
        }
    }

    public static void main(String[] args) throws IOException {
        List<Path> takes;
        try (Stream<Path> s = Files.list(Path.of("takes"))) {
            takes = s.sorted().collect(Collectors.toList());
        }
        Main m = new Main();
        for (Path take : takes) {
            m.consider(take);
        }
        System.out.println("takes: " + takes.size());
        System.out.println("old: " + m.old + ", empty: " + m.empty + ", kept: " + m.kept);
        System.out.println("bytes freed: " + m.freed);
    }
}
