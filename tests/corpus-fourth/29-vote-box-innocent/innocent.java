import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Takes votes; a voter gets a receipt only when the vote is on disk. */
class Main {
    private final FileChannel log;
    private int receipts;

    Main(FileChannel log) {
        this.log = log;
    }

    int cast(int voter, String choice) throws IOException {
        ByteBuffer b = ByteBuffer.wrap((voter + " " + choice + "\n").getBytes(StandardCharsets.US_ASCII));
        while (b.hasRemaining()) {
            log.write(b);
        }
        log.force(false);
        return ++receipts;
    }

    public static void main(String[] args) throws IOException {
        String[] choices = {"oak", "lime", "beech"};
        try (FileChannel log = FileChannel.open(Path.of("votes.log"), StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)) {
            Main box = new Main(log);
            int last = 0;
            for (int voter = 1; voter <= 30; voter++) {
                last = box.cast(voter, choices[voter * 7 % 3]);
            }
            System.out.println("last receipt " + last + ", " + log.size() + " bytes");
        }
    }
}
