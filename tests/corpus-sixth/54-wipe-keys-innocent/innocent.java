import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Destroys the withdrawn vault keys: each is overwritten, forced to disk and then removed. */
class Main {
    private static final SecureRandom RANDOM = new SecureRandom();

    static List<Path> withdrawn(Path dir) throws IOException {
        List<Path> keys = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(dir, "*.key")) {
            for (Path key : all) {
                int number = Integer.parseInt(key.getFileName().toString().replaceAll("\\D", ""));
                if (number % 3 != 0) keys.add(key);
            }
        }
        keys.sort(null);
        return keys;
    }

    static long wipe(Path key) throws IOException {
        long length;
        try (FileChannel channel = FileChannel.open(key, StandardOpenOption.WRITE)) {
            length = channel.size();
            byte[] noise = new byte[(int) Math.min(length, 1 << 16)];
            for (long at = 0; at < length; ) {
                RANDOM.nextBytes(noise);
                int n = (int) Math.min(noise.length, length - at);
                ByteBuffer part = ByteBuffer.wrap(noise, 0, n);
                while (part.hasRemaining()) at += channel.write(part, at);
            }
            channel.force(false);
        }
        Files.delete(key);
        return length;
    }

    public static void main(String[] args) throws IOException {
        Path dir = Path.of("keys");
        long bytes = 0;
        int count = 0;
        for (Path key : withdrawn(dir)) {
            bytes += wipe(key);
            count++;
        }
        try (FileChannel channel = FileChannel.open(dir, StandardOpenOption.READ)) {
            channel.force(true);
        }
        System.out.println(count + " keys destroyed, " + bytes + " bytes overwritten");
    }
}
