import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/** Adds up the seconds that each subscriber has called; a record has 512 bytes. */
class Main {
    static final int RECORD = 512;

    public static void main(String[] args) throws IOException {
        Map<Integer, Long> seconds = new TreeMap<>();
        byte[] record = new byte[RECORD];
        int count = 250;
        try (RandomAccessFile in = new RandomAccessFile("calls.cdr", "r")) {
            for (int i = 0; i < count; i++) {
                in.readFully(record);
                ByteBuffer b = ByteBuffer.wrap(record);
                int subscriber = b.getInt();
                long duration = b.getInt() & 0xffffffffL;
                seconds.merge(subscriber, duration, Long::sum);
            }
        }
        seconds.forEach((s, n) -> System.out.println("+" + s + " " + n + " s"));
    }
}
