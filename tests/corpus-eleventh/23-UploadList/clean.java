import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** Reports on the uploads named in a list: how many, how big, how old. */
public final class UploadList {
    private int plain, folders, missing, stale;
    private long bytes;
    private final long limit;

    UploadList(long limit) {
        this.limit = limit;
    }

    void look(String name) throws IOException {
        BasicFileAttributes a;
        try {
            a = Files.readAttributes(Path.of("uploads", name), BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            missing++;
            return;
        }
        if (a.isDirectory()) {
            folders++;
        } else if (a.isRegularFile()) {
            plain++;
            bytes += a.size();
            if (a.lastModifiedTime().toMillis() < limit)
                stale++;
        }
    }

    public static void main(String[] args) throws IOException {
        UploadList u = new UploadList(1_600_000_000_000L);
        List<String> names = Files.readAllLines(Path.of("names.txt"));
        for (String n : names)
            u.look(n);
        System.out.printf("%d named: %d plain (%d bytes, %d stale), %d folders, %d missing%n",
                names.size(), u.plain, u.bytes, u.stale, u.folders, u.missing);
    }
}
