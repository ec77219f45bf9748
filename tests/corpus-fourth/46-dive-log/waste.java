import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import static java.nio.file.StandardOpenOption.*;

/** Adds a dive to the log; the log before it is kept as a backup. */
class Main {
    public static void main(String[] args) throws IOException {
        Path log = Path.of("dives.log"), backup = Path.of("dives.bak"), fresh = Path.of("dives.tmp");
        byte[] before = Files.readAllBytes(log);
        try (FileChannel old = FileChannel.open(backup, CREATE, TRUNCATE_EXISTING, WRITE);
             FileChannel now = FileChannel.open(fresh, CREATE, TRUNCATE_EXISTING, WRITE)) {
            write(old, before);
            write(now, before);
            write(now, "dive 40: 27 m\n".getBytes(StandardCharsets.US_ASCII));
            old.force(true);
        }
        Files.move(fresh, log, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        System.out.println(Files.readAllLines(log).size() + " dives");
    }

    static void write(FileChannel to, byte[] bytes) throws IOException {
        ByteBuffer b = ByteBuffer.wrap(bytes);
        while (b.hasRemaining()) to.write(b);
    }
}
