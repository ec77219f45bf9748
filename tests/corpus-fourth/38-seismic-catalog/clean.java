import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import static java.nio.file.StandardOpenOption.*;

/** Writes the catalogue of a year's earthquakes; a reader waits for the whole of it. */
class Main {
    public static void main(String[] args) throws IOException {
        double strongest = 0;
        StringBuilder all = new StringBuilder();
        try (FileChannel out = FileChannel.open(Path.of("catalog.csv"), EnumSet.of(WRITE, CREATE, TRUNCATE_EXISTING, SYNC))) {
            for (int i = 0; i < 90; i++) {
                double m = 2 + (i * 29 % 53) / 12.0;
                String line = String.format("%d,%.2f,%.1f%n", i, m, 4 + i * 7 % 90 / 2.0);
                all.append(line);
                strongest = Math.max(strongest, m);
            }
            ByteBuffer b = StandardCharsets.US_ASCII.encode(all.toString());
            while (b.hasRemaining()) out.write(b);
            System.out.printf("90 events, strongest %.2f, %d bytes%n", strongest, out.size());
        }
    }
}
