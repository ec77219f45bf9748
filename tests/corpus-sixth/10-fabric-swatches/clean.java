import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Puts together the swatches a customer has ordered. */
class Main {
    static final List<String> SHELVES = List.of("silk", "wool", "linen", "felt");

    static final Map<String, Path> STOCK = new HashMap<>();

    static void takeStock() throws IOException {
        for (String shelf : SHELVES) {
            try (DirectoryStream<Path> ds = Files.newDirectoryStream(Path.of("shelves", shelf))) {
                for (Path p : ds) {
                    STOCK.putIfAbsent(p.getFileName().toString(), p);
                }
            }
        }
    }

    static Path find(String name) throws IOException {
        Path p = STOCK.get(name);
        if (p == null) throw new NoSuchFileException(name);
        return p;
    }

    public static void main(String[] args) throws IOException {
        takeStock();
        Map<String, Integer> perShelf = new TreeMap<>();
        int weight = 0;
        int dark = 0;
        for (int i = 1; i <= 60; i++) {
            Path p = find("f" + i + ".swatch");
            String[] w = Files.readString(p).trim().split(" ");
            weight += Integer.parseInt(w[3]);
            if (Integer.parseInt(w[1]) < 8) dark++;
            perShelf.merge(p.getParent().getFileName().toString(), 1, Integer::sum);
        }
        perShelf.forEach((shelf, n) -> System.out.println(shelf + ": " + n));
        System.out.println("weight " + weight + ", dark " + dark);
    }
}
