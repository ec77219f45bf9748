import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Fills in the customs declarations for the parcels of a day. */
class Main {
    static Properties tariff() throws IOException {
        Properties p = new Properties();
        try (Reader r = Files.newBufferedReader(Path.of("customs.properties"))) {
            p.load(r);
        }
        return p;
    }

    static long dutyFor(String kind, long cents) throws IOException {
        Properties tariff = tariff();
        if (cents <= Long.parseLong(tariff.getProperty("free.limit"))) return 0;
        return cents * Long.parseLong(tariff.getProperty(kind)) / 1000;
    }

    public static void main(String[] args) throws IOException {
        List<String> parcels = Files.readAllLines(Path.of("parcels.txt"));
        Map<String, Long> perKind = new TreeMap<>();
        StringBuilder forms = new StringBuilder();
        int free = 0;
        for (String line : parcels) {
            String[] w = line.split(" ");
            long cents = Long.parseLong(w[2]);
            long duty = dutyFor(w[1], cents);
            if (duty == 0) free++;
            perKind.merge(w[1], duty, Long::sum);
            forms.append("CN22 ").append(w[0]).append(' ').append(w[1]).append(" value ").append(cents)
                 .append(" duty ").append(duty).append('\n');
        }
        Files.writeString(Path.of("forms.txt"), forms);
        perKind.forEach((k, d) -> System.out.println(k + " " + d));
        System.out.println(parcels.size() + " parcels, " + free + " free of duty");
    }
}
