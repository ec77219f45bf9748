import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Sorts the enamel pins of a collector by colour and shape. */
class Main {
    static String load(Path path) throws IOException {
        try (FileChannel ch = FileChannel.open(path)) {
            var map = ch.map(FileChannel.MapMode.READ_ONLY, 0, ch.size());
            return StandardCharsets.US_ASCII.decode(map).toString();
        }
    }

    static Map<String, String> fields(String text) {
        Map<String, String> fields = new HashMap<>();
        for (String line : text.split("\n")) {
            String[] kv = line.split("=", 2);
            fields.put(kv[0], kv[1]);
        }
        return fields;
    }

    public static void main(String[] args) throws IOException {
        List<Path> paths;
        try (var listing = Files.list(Path.of("pins"))) {
            paths = listing.sorted().collect(Collectors.toList());
        }
        Map<String, Integer> count = new TreeMap<>();
        int widest = 0;
        String name = "";
        for (Path p : paths) {
            Map<String, String> pin = fields(load(p));
            count.merge(pin.get("colour") + " " + pin.get("shape"), 1, Integer::sum);
            int mm = Integer.parseInt(pin.get("millimetres"));
            if (mm > widest) {
                widest = mm;
                name = p.getFileName().toString();
            }
        }
        count.forEach((kind, n) -> System.out.println(kind + ": " + n));
        System.out.println(paths.size() + " pins, widest " + name + " with " + widest + " mm");
    }
}
