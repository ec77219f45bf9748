import java.io.IOException;
import java.nio.file.*;
import java.util.*;

/** Puts the closed tickets of a help desk into archive/YEAR/MONTH/NNNN.txt. */
class Main {
    record Ticket(String id, String date, String topic, int minutes) {
        static Ticket parse(String line) {
            String[] f = line.split(";");
            return new Ticket(f[0], f[1], f[2], Integer.parseInt(f[3]));
        }

        Path folder() {
            return Path.of("archive", date.substring(0, 4), date.substring(5, 7));
        }

        String text() {
            return "ticket " + id + "\nclosed " + date + "\n" + topic + ", " + minutes + " min\n";
        }
    }

    static void store(Ticket t) throws IOException {
        Path folder = t.folder();
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(t.id() + ".txt"), t.text(), StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    }

    public static void main(String[] args) throws IOException {
        Map<String, Integer> minutes = new TreeMap<>();
        Set<Path> folders = new TreeSet<>();
        int n = 0;
        for (String line : Files.readAllLines(Path.of("tickets.csv"))) {
            Ticket t = Ticket.parse(line);
            store(t);
            folders.add(t.folder());
            minutes.merge(t.topic(), t.minutes(), Integer::sum);
            n++;
        }
        System.out.println(n + " tickets in " + folders.size() + " folders");
        minutes.forEach((topic, m) -> System.out.println(topic + ": " + m + " minutes"));
        System.out.println("last folder " + ((TreeSet<Path>) folders).last());
    }
}
