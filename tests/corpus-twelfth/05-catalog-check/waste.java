import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Checks that every translation in a message archive has the same keys and placeholders. */
public final class CatalogCheck {
    private final String archive;

    CatalogCheck(String archive) {
        this.archive = archive;
    }

    /** The text of one member of the archive. */
    private String text(String member) throws IOException {
        try (ZipFile zip = new ZipFile(archive)) {
            ZipEntry entry = zip.getEntry(member);
            if (entry == null) {
                throw new FileNotFoundException(archive + "!" + member);
            }
            try (InputStream in = zip.getInputStream(entry)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    private List<String> locales() throws IOException {
        List<String> names = new ArrayList<>();
        for (String line : text("i18n/LOCALES").split("\n")) {
            if (!line.isBlank()) {
                names.add(line.trim());
            }
        }
        return names;
    }

    private int check() throws IOException {
        int keys = 0;
        int placeholders = 0;
        List<String> thin = new ArrayList<>();
        List<String> names = locales();
        for (String name : names) {
            Properties p = new Properties();
            p.load(new StringReader(text("i18n/" + name + ".properties")));
            keys += p.size();
            for (Object v : p.values()) {
                if (v.toString().contains("{0}")) {
                    placeholders++;
                }
            }
            if (p.size() < 31) {
                thin.add(name);
            }
        }
        System.out.println(names.size() + " locales, " + keys + " keys, " + placeholders
                + " placeholders, " + thin.size() + " thin");
        return thin.size() > 100 ? 1 : 0;
    }

    public static void main(String[] args) throws IOException {
        System.exit(new CatalogCheck(args[0]).check());
    }
}
