import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts the pots on the benches of an orangery by kind of tree. */
class Main {
    static String kind(Path pot) {
        String name = pot.getFileName().toString();
        int dash = name.indexOf('-');
        return dash < 0 ? "" : name.substring(0, dash);
    }

    static List<String> trees(Path bench) throws IOException {
        Stream<Path> pots = Files.list(bench);
        return pots.map(Main::kind).filter(k -> !k.isEmpty()).sorted().toList();
    }

    public static void main(String[] args) throws IOException {
        List<Path> benches = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("benches"))) {
            all.sorted().forEach(benches::add);
        }

        Map<String, Integer> total = new TreeMap<>();
        StringBuilder crowded = new StringBuilder();
        for (Path bench : benches) {
            List<String> trees = trees(bench);
            for (String t : trees) {
                total.merge(t, 1, Integer::sum);
            }
            if (trees.size() > 4) {
                crowded.append(bench.getFileName()).append(' ').append(trees.size()).append('\n');
            }
        }
        Files.writeString(Path.of("crowded.txt"), crowded.toString());

        System.out.println(benches.size() + " benches");
        total.forEach((k, n) -> System.out.println(k + " " + n));
    }
}
