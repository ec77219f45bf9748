import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Saves settings three times: a new file each, moved over the old one. */
class Settings {
    static void save(Path path, String text) throws IOException {
        Path next = path.resolveSibling(path.getFileName() + ".new");
        Files.writeString(next, text);
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
    }

    public static void main(String[] words) throws IOException {
        Path path = Path.of("settings");
        String text = Files.readString(path);
        for (int change = 0; change < 3; change++) {
            text += "change=" + change + "\n";
            save(path, text);
        }
        System.out.println("saved " + text.length() + " characters");
    }
}
