import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Draws a map of beetle traps for each of ten forest districts. */
class Main {
    record Trap(int x, int y, int beetles) {}

    static Path workDirectory() throws IOException {
        return Files.createTempDirectory(Path.of("maps"), ".new");
    }

    static Map<Integer, List<Trap>> read(Path from) throws IOException {
        Map<Integer, List<Trap>> districts = new TreeMap<>();
        for (String line : Files.readAllLines(from)) {
            String[] w = line.split(" ");
            districts.computeIfAbsent(Integer.parseInt(w[0]), k -> new ArrayList<>())
                     .add(new Trap(Integer.parseInt(w[1]), Integer.parseInt(w[2]), Integer.parseInt(w[3])));
        }
        return districts;
    }

    static int draw(Path to, List<Trap> traps) throws IOException {
        int[][] field = new int[12][20];
        int sum = 0;
        for (Trap t : traps) {
            field[t.y()][t.x()] += t.beetles();
            sum += t.beetles();
        }
        try (BufferedWriter out = Files.newBufferedWriter(to)) {
            for (int[] row : field) {
                StringBuilder line = new StringBuilder();
                for (int n : row) {
                    line.append(n == 0 ? '.' : n < 10 ? (char) ('0' + n) : '#');
                }
                out.write(line.toString());
                out.newLine();
            }
        }
        return sum;
    }

    public static void main(String[] args) throws IOException {
        Path work = workDirectory();
        int all = 0;
        List<Path> drawn = new ArrayList<>();
        for (var d : read(Path.of("traps.txt")).entrySet()) {
            Path map = work.resolve("district" + d.getKey() + ".map");
            int sum = draw(map, d.getValue());
            System.out.println("district " + d.getKey() + ": " + sum + " beetles in " + d.getValue().size() + " traps");
            all += sum;
            drawn.add(map);
        }
        for (Path map : drawn) {
            Files.move(map, Path.of("maps").resolve(map.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(work);
        System.out.println(all + " beetles, " + drawn.size() + " maps");
    }
}
