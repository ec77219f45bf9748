import java.io.IOException;
import java.nio.file.*;
import java.util.*;

class Main {
    static final Path ROOT = Path.of("www/docs/manual/en");
    static final Map<Path, Integer> hits = new TreeMap<>();

    static Path target(String href) throws IOException {
        Path p = ROOT.resolve(href).toRealPath();
        if (!p.startsWith(ROOT.toRealPath()))
            throw new IOException("outside: " + href);
        return p;
    }

    public static void main(String[] args) throws IOException {
        for (int i = 1; i <= 80; i++) {
            String text = Files.readString(ROOT.resolve("p" + i + ".html"));
            for (String w : text.trim().split(" "))
                if (w.endsWith(".html"))
                    hits.merge(target(w), 1, Integer::sum);
        }
        Path first = hits.keySet().iterator().next();
        System.out.println(hits.size() + " targets, first " + first.getFileName());
    }
}
