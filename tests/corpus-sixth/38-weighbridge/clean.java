import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Exports the weighbridge tickets of a finished day for the office. */
class Main {
    record Weighing(String truck, int gross, int tare) {
        int net() { return gross - tare; }

        static Weighing parse(String line) {
            String[] w = line.split(" ");
            return new Weighing(w[0], Integer.parseInt(w[1]), Integer.parseInt(w[2]));
        }

        String ticket(int nr) {
            return String.format("%04d;%s;%d;%d;%d%n", nr, truck, gross, tare, net());
        }
    }

    static void export(List<Weighing> day, Path target) throws IOException {
        StringBuilder text = new StringBuilder();
        int nr = 1;
        for (Weighing w : day) text.append(w.ticket(nr++));
        try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE,
                StandardOpenOption.DSYNC)) {
            out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    public static void main(String[] args) throws IOException {
        List<Weighing> day = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("weighings.txt"))) {
            day.add(Weighing.parse(line));
        }
        Path target = Path.of("tickets.csv");
        export(day, target);
        TreeMap<String, Integer> net = new TreeMap<>();
        for (Weighing w : day) net.merge(w.truck(), w.net(), Integer::sum);
        System.out.println(day.size() + " tickets, " + Files.size(target) + " bytes");
        net.entrySet().stream().limit(3)
                .forEach(e -> System.out.println(e.getKey() + " " + e.getValue() + " kg"));
    }
}
