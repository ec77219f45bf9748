import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sorts vaccinations into one reminder card per owner. */
class Main {
    static final Path CARDS = Path.of("cards");

    record Visit(String owner, String pet, String vaccine, String day) {
        static Visit parse(String line) {
            String[] f = line.split(",");
            return new Visit("owner" + f[0], f[1], f[2], f[3]);
        }
    }

    static void remind(Map<String, List<String>> cards, Visit v) {
        int year = Integer.parseInt(v.day().substring(0, 4));
        int next = v.vaccine().equals("rabies") ? year + 3 : year + 1;
        String line = v.pet() + ": " + v.vaccine() + " again in " + next + v.day().substring(4);
        cards.computeIfAbsent(v.owner(), k -> new ArrayList<>()).add(line);
    }

    public static void main(String[] args) throws IOException {
        Map<String, List<String>> cards = new TreeMap<>();
        int count = 0;
        if (!Files.isDirectory(CARDS)) {
            throw new IllegalStateException("no folder for cards");
        }
        for (String line : Files.readAllLines(Path.of("visits.csv"))) {
            remind(cards, Visit.parse(line));
            count++;
        }
        for (var e : cards.entrySet()) {
            Files.writeString(CARDS.resolve(e.getKey() + ".txt"), String.join("\n", e.getValue()) + "\n");
        }
        System.out.println(count + " visits on " + cards.size() + " cards");
    }
}
