import java.io.IOException;
import java.nio.file.*;
import java.util.*;

/** Unpacks a text bundle: one file per line, a path and the content. */
class Main {
    static final Path ROOT = Path.of("unpacked");
    static final Set<Path> made = new HashSet<>();

    static int unpack(String line) throws IOException {
        int blank = line.indexOf(' ');
        Path target = ROOT.resolve(line.substring(0, blank)).normalize();
        if (!target.startsWith(ROOT)) {
            throw new IOException("leads out of the target: " + target);
        }
        if (made.add(target.getParent())) {
            Files.createDirectories(target.getParent());
        }
        String content = line.substring(blank + 1);
        Files.writeString(target, content);
        return content.length();
    }

    public static void main(String[] args) throws IOException {
        int files = 0;
        int size = 0;
        for (String line : Files.readAllLines(Path.of("bundle.txt"))) {
            size += unpack(line);
            files++;
        }
        System.out.println("unpacked " + files + " files, " + size + " characters");
    }
}
