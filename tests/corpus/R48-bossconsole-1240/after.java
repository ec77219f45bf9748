import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Saves settings three times: a new file each, forced to the device, then moved over the old one. */
class Settings {
    static void save(Path path, String text) throws IOException {
        Path next = path.resolveSibling(path.getFileName() + ".new");
        try (var file = FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            file.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        try (var here = FileChannel.open(Path.of("."), StandardOpenOption.READ)) {
            here.force(true);
        }
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
