import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A payment ledger: a payment is acknowledged only when it is on disk. */
public final class Ledger implements AutoCloseable {
    private final FileChannel log;
    private long balance;

    Ledger(Path path) throws IOException {
        log = FileChannel.open(path, StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    void commit(String line) throws IOException {
        String[] f = line.split(" ");
        if (f.length != 3 || !f[0].equals("PAY")) {
            throw new IOException("bad request: " + line);
        }
        ByteBuffer b = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
        while (b.hasRemaining()) {
            log.write(b);
        }
        log.force(false);
        balance += Long.parseLong(f[2]);
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Ledger ledger = new Ledger(Path.of(args[0]))) {
            String line;
            while ((line = in.readLine()) != null && !line.equals("BYE")) {
                ledger.commit(line);
                System.out.println("ACK " + ledger.balance);
                System.out.flush();
            }
        }
    }
}
