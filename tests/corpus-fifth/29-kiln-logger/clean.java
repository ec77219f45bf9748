import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Keeps the firing record of a kiln: one line for every change of temperature, safe on disk. */
class Main {
    private final FileChannel record;
    private int last = Integer.MIN_VALUE;
    private int changes;
    private boolean unsaved;

    Main(Path path) throws IOException {
        record = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    private void note(int second, int degrees) throws IOException {
        if (degrees == last) {
            return;
        }
        String line = String.format("%05d %4d C%n", second, degrees);
        ByteBuffer buf = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
        while (buf.hasRemaining()) {
            record.write(buf);
        }
        last = degrees;
        changes++;
        unsaved = true;
    }

    /** Called at the end of every second of the control loop. */
    private void tick() throws IOException {
        if (unsaved) {
            record.force(false);
            unsaved = false;
        }
    }

    public static void main(String[] args) throws IOException {
        List<String> readings = Files.readAllLines(Path.of("readings.txt"));
        Main log = new Main(Path.of("firing.log"));
        for (String r : readings) {
            String[] f = r.split(" ");
            log.note(Integer.parseInt(f[0]), Integer.parseInt(f[1]));
            log.tick();
        }
        log.record.close();
        System.out.println("seconds watched: " + readings.size());
        System.out.println("changes kept: " + log.changes);
        System.out.print(Files.readString(Path.of("firing.log")));
    }
}
