import java.io.*;
import java.nio.charset.StandardCharsets;

/** Prints a summary of all customer records. */
class Main {
    static final int FIELD = 8;

    static long field(RandomAccessFile file) throws IOException {
        byte[] raw = new byte[FIELD];
        file.readFully(raw);
        return Long.parseLong(new String(raw, StandardCharsets.US_ASCII));
    }

    public static void main(String[] args) throws IOException {
        long turnover = 0;
        long best = -1;
        long bestId = -1;
        for (int i = 0; i < 100; i++) {
            try (RandomAccessFile file = new RandomAccessFile("records/" + i + ".rec", "r")) {
                long id = field(file);
                long amount = field(file);
                turnover += amount;
                if (amount > best) {
                    best = amount;
                    bestId = id;
                }
            }
        }
        System.out.println("turnover " + turnover + ", best customer " + bestId);
    }
}
