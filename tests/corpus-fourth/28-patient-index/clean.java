import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeMap;

/** Admits patients; the index of a hospital is a file sorted by their numbers. */
class Main {
    static final Path INDEX = Path.of("patients.idx");

    static void save(TreeMap<Integer, String> patients) throws IOException {
        List<String> lines = patients.entrySet().stream().map(e -> e.getKey() + ";" + e.getValue()).toList();
        Path next = Path.of("patients.idx.next");
        try (FileOutputStream out = new FileOutputStream(next.toFile())) {
            out.write((String.join("\n", lines) + "\n").getBytes());
            out.getFD().sync();
        }
        Files.move(next, INDEX, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel dir = FileChannel.open(Path.of("."), StandardOpenOption.READ)) {
            dir.force(true);
        }
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
