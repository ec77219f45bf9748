import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.IntStream;

/** Writes a chatty log into numbered parts of bounded size. */
public final class Rotator implements AutoCloseable {
    private final Path dir;
    private final int limit;
    private BufferedWriter out;
    private int part, inPart;
    private long lines;

    Rotator(Path dir, int limit) throws IOException {
        this.dir = Files.createDirectories(dir);
        this.limit = limit;
        next();
    }

    private void next() throws IOException {
        if (out != null)
            out.close();
        Path p = dir.resolve(String.format("part-%04d.log", part++));
        out = Files.newBufferedWriter(p, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        inPart = 0;
    }

    void log(String text) throws IOException {
        if (inPart + text.length() + 1 > limit)
            next();
        out.write(text);
        out.write('\n');
        inPart += text.length() + 1;
        lines++;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    public static void main(String[] args) throws IOException {
        try (Rotator r = new Rotator(Path.of("logs"), 8000)) {
            for (int i = 0; i < 24000; i++)
                r.log("INFO request " + i + " took " + (i * 37 % 1000) + " ms, cache " + (i % 3 == 0 ? "miss" : "hit") + ", worker " + i % 8);
            System.out.println(r.lines + " lines in " + r.part + " parts");
        }
    }
}
