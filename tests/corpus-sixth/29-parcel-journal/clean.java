import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** Sorts scanned parcels to chutes; parcels without a chute are journalled for the night crew. */
class Main {
    static final class Journal implements AutoCloseable {
        private final FileChannel channel;
        private int entries;
        private boolean dirty;

        Journal(Path path) throws IOException {
            channel = FileChannel.open(path, StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        }

        void note(String id, String dest, int grams) throws IOException {
            String line = id + '\t' + dest + '\t' + grams + '\n';
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) channel.write(bytes);
            entries++;
            dirty = true;
        }

        /** Called before the belt moves on: what was noted must be on disk. */
        void checkpoint() throws IOException {
            if (!dirty) return;
            channel.force(false);
            dirty = false;
        }

        int entries() { return entries; }

        @Override public void close() throws IOException { channel.close(); }
    }

    public static void main(String[] args) throws IOException {
        List<String> scans = Files.readAllLines(Path.of("scans.txt"));
        int[] chutes = new int[12];
        long weight = 0;
        try (Journal journal = new Journal(Path.of("misrouted.tsv"))) {
            for (String scan : scans) {
                String[] part = scan.split(" ");
                int grams = Integer.parseInt(part[2]);
                weight += grams;
                if (part[1].startsWith("CHUTE")) {
                    chutes[Integer.parseInt(part[1].substring(5))]++;
                } else {
                    journal.note(part[0], part[1], grams);
                }
                journal.checkpoint();
            }
            System.out.println("parcels " + scans.size() + ", misrouted " + journal.entries());
        }
        StringBuilder line = new StringBuilder("chutes");
        for (int n : chutes) line.append(' ').append(n);
        System.out.println(line);
        System.out.println("weight " + weight + " g");
    }
}
