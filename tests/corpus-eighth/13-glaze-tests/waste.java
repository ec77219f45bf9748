import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Average flux of the glaze tests, by colour. */
class Main {
    record Test(int cone, int flux, String colour) {
        static Test parse(String text) {
            int cone = 0, flux = 0;
            String colour = "?";
            for (String line : text.split("\n")) {
                String[] kv = line.split(" ", 2);
                switch (kv[0]) {
                    case "cone" -> cone = Integer.parseInt(kv[1]);
                    case "flux" -> flux = Integer.parseInt(kv[1]);
                    default -> colour = kv[1];
                }
            }
            return new Test(cone, flux, colour);
        }
    }

    public static void main(String[] args) throws IOException {
        List<Path> paths;
        try (Stream<Path> listing = Files.list(Path.of("tests"))) {
            paths = listing.sorted().toList();
        }
        Map<String, List<Test>> byColour = new TreeMap<>();
        for (Path p : paths) {
            if (!Files.exists(p)) {
                continue;
            }
            Test t = Test.parse(Files.readString(p));
            byColour.computeIfAbsent(t.colour(), k -> new ArrayList<>()).add(t);
        }
        byColour.forEach((colour, tests) -> {
            double flux = tests.stream().mapToInt(Test::flux).average().orElse(0);
            int hottest = tests.stream().mapToInt(Test::cone).max().orElse(0);
            System.out.printf("%s: %d tests, flux %.1f, cone %d%n", colour, tests.size(), flux, hottest);
        });
    }
}
