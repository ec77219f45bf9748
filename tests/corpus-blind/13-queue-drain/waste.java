import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/** Delivers the waiting messages of a queue directory. */
class Main {
    static List<Path> waiting(Path dir) throws IOException {
        try (Stream<Path> entries = Files.list(dir)) {
            return entries.sorted().collect(Collectors.toList());
        }
    }

    static String recipient(List<String> lines) {
        for (String line : lines) {
            if (line.startsWith("to=")) {
                return line.substring(3);
            }
        }
        return "nobody";
    }

    public static void main(String[] args) throws IOException {
        Map<String, Integer> delivered = new TreeMap<>();
        int count = 0;
        for (Path message : waiting(Path.of("queue"))) {
            if (!Files.exists(message)) {
                continue;
            }
            List<String> lines = Files.readAllLines(message);
            delivered.merge(recipient(lines), 1, Integer::sum);
            count++;
        }
        System.out.println(count + " messages to " + delivered.size() + " users, user3 got " + delivered.get("user3"));
    }
}
