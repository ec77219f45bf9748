import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Season averages of a cricket club from the batting files. */
class Main {
    record Batsman(String name, int runs, int outs, int best) {
        double average() {
            return outs == 0 ? runs : (double) runs / outs;
        }
    }

    static Batsman load(File file) throws IOException {
        try (RandomAccessFile raf = new RandomAccessFile(file, "r")) {
            byte[] head = new byte[16];
            raf.readFully(head);
            String text = new String(head, StandardCharsets.US_ASCII);
            if (!text.startsWith("BATS")) {
                throw new IOException(file + ": not a batting file");
            }
            return new Batsman(file.getName().replace(".bat", ""),
                    Integer.parseInt(text.substring(4, 8)),
                    Integer.parseInt(text.substring(8, 12)),
                    Integer.parseInt(text.substring(12, 16)));
        }
    }

    public static void main(String[] args) throws IOException {
        File[] files = new File("players").listFiles((dir, name) -> name.endsWith(".bat"));
        if (files == null) {
            throw new IOException("no players");
        }
        Arrays.sort(files);
        List<Batsman> club = new ArrayList<>();
        for (File f : files) {
            club.add(load(f));
        }
        club.sort(Comparator.comparingDouble(Batsman::average).reversed().thenComparing(Batsman::name));

        int runs = club.stream().mapToInt(Batsman::runs).sum();
        System.out.println(club.size() + " batsmen, " + runs + " runs");
        for (Batsman b : club.subList(0, 5)) {
            System.out.println(String.format(Locale.ROOT, "%s %.2f (best %d)", b.name(), b.average(), b.best()));
        }
    }
}
