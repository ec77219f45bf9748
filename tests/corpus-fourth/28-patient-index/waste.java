import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** Admits patients; the index of a hospital is a file sorted by their numbers. */
class Main {
    static final Path INDEX = Path.of("patients.idx");

    static void save(TreeMap<Integer, String> patients) throws IOException {
        List<String> lines = patients.entrySet().stream().map(e -> e.getKey() + ";" + e.getValue()).toList();
        Files.write(INDEX, lines);
    }

    static TreeMap<Integer, String> load() throws IOException {
        TreeMap<Integer, String> patients = new TreeMap<>();
        for (String line : Files.readAllLines(INDEX)) {
            int cut = line.indexOf(';');
            patients.put(Integer.parseInt(line.substring(0, cut)), line.substring(cut + 1));
        }
        return patients;
    }

    public static void main(String[] args) throws IOException {
        for (int n = 0; n < 6; n++) {
            TreeMap<Integer, String> patients = load();
            patients.put(200 + n * 3, "patient new " + n + ";ward 9");
            save(patients);
        }
        TreeMap<Integer, String> patients = load();
        System.out.println(patients.size() + " patients, last " + patients.lastEntry());
    }
}
