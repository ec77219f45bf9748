import java.io.IOException;
import java.nio.file.*;
import java.util.*;

/** Checks the translations of an application for missing texts. */
class Main {
    static final List<String> KEYS = List.of("hello", "bye", "thanks");

    static Properties bundle(String name) throws IOException {
        Path path = Path.of("i18n", name + ".properties");
        Properties texts = new Properties();
        if (Files.exists(path)) {
            try (var in = Files.newInputStream(path)) {
                texts.load(in);
            }
        }
        return texts;
    }

    public static void main(String[] args) throws IOException {
        int missing = 0;
        int present = 0;
        for (int i = 0; i < 103; i++) {
            Properties texts = bundle("b" + i);
            for (String key : KEYS) {
                if (texts.getProperty(key) == null) {
                    missing++;
                } else {
                    present++;
                }
            }
        }
        System.out.println("present " + present + ", missing " + missing);
    }
}
