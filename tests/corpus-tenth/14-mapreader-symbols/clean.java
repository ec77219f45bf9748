import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Places the symbols of a walking map and reports the crowded squares. */
class Main {
    record Symbol(String glyph, int weight) {}

    private static final Properties table = new Properties();

    static Symbol symbol(String kind) throws IOException {
        if (table.isEmpty()) {
            try (InputStream in = new FileInputStream("symbols.properties")) {
                table.load(in);
            }
        }
        String glyph = table.getProperty(kind + ".glyph");
        if (glyph == null) throw new IOException("no symbol for " + kind);
        return new Symbol(glyph, Integer.parseInt(table.getProperty(kind + ".weight")));
    }

    public static void main(String[] args) throws IOException {
        int[][] load = new int[5][5];
        List<String> placed = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("features.txt"))) {
            String[] f = line.split(" ");
            int x = Integer.parseInt(f[1]), y = Integer.parseInt(f[2]);
            Symbol s = symbol(f[0]);
            load[y / 20][x / 20] += s.weight();
            placed.add(x + "," + y + " " + s.glyph());
        }
        Files.write(Path.of("placed.txt"), placed);
        int crowded = 0, heaviest = 0;
        for (int[] row : load) {
            for (int w : row) {
                if (w > 12) crowded++;
                heaviest = Math.max(heaviest, w);
            }
        }
        System.out.println(placed.size() + " symbols, " + crowded + " crowded squares");
        System.out.println("heaviest square " + heaviest);
    }
}
