import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;

/** The daily round through the ripening cellar of a goat farm. */
class Main {
    enum Care { TURN, WASH, SELL, WAIT }

    record Cheese(String name, int days, int humidity) {
        static Cheese parse(String line) {
            String[] w = line.split(" ");
            return new Cheese(w[0], Integer.parseInt(w[1]), Integer.parseInt(w[2]));
        }

        Care care() {
            if (days > 30) {
                return Care.SELL;
            }
            if (humidity < 70) {
                return Care.WASH;
            }
            return days % 2 == 0 ? Care.TURN : Care.WAIT;
        }
    }

    static final Path LOG = Path.of("ripening.log");

    static void log(String text) throws IOException {
        Files.writeString(LOG, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    public static void main(String[] args) throws IOException {
        Map<Care, Integer> counts = new EnumMap<>(Care.class);
        String driest = "";
        int lowest = 100;
        for (String line : Files.readAllLines(Path.of("shelf.txt"))) {
            Cheese cheese = Cheese.parse(line);
            Care care = cheese.care();
            counts.merge(care, 1, Integer::sum);
            if (cheese.humidity() < lowest) {
                lowest = cheese.humidity();
                driest = cheese.name();
            }
            log(cheese.name() + " day " + cheese.days() + ": " + care.name().toLowerCase());
        }
        counts.forEach((care, n) -> System.out.println(care.name().toLowerCase() + " " + n));
        System.out.println("driest " + driest + " at " + lowest + " %");
    }
}
