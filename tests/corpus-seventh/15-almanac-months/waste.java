import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

class Main {
    private final Path root;
    private final Set<Path> folders = new HashSet<>();
    private final Map<String, Integer> pages = new TreeMap<>();

    Main(Path root) {
        this.root = root;
    }

    private Path folder(String month) throws IOException {
        Path folder = root.resolve(month);
        Files.createDirectories(folder);
        folders.add(folder);
        return folder;
    }

    void page(String line) throws IOException {
        String[] words = line.split(" ");
        if (words.length != 4) {
            return;
        }
        String text = words[0] + "\n  " + words[2] + "\n  " + words[3] + "\n";
        Files.writeString(folder(words[1]).resolve(words[0] + ".txt"), text);
        pages.merge(words[1], 1, Integer::sum);
    }

    public static void main(String[] args) throws IOException {
        Main almanac = new Main(Path.of("almanac"));
        for (String line : Files.readAllLines(Path.of("almanac.txt"))) {
            almanac.page(line);
        }
        System.out.println(almanac.folders.size() + " months " + almanac.pages);
    }
}
