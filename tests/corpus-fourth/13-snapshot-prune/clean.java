import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps one snapshot of each six hours and removes the others. */
class Main {
    public static void main(String[] args) throws IOException {
        List<Path> snapshots = new ArrayList<>();
        try (DirectoryStream<Path> dir = Files.newDirectoryStream(Path.of("snapshots"), "*.snap")) {
            for (Path p : dir) {
                snapshots.add(p);
            }
        }
        Collections.sort(snapshots);
        int removed = 0;
        String kept = "";
        for (Path p : snapshots) {
            String name = p.getFileName().toString();
            int hour = Integer.parseInt(name.substring(11, 13));
            if (hour % 6 == 0) {
                kept = name;
            } else {
                Files.delete(p);
                removed++;
            }
        }
        System.out.println(removed + " removed, the newest kept is " + kept);
    }
}
