import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;

class Journal implements AutoCloseable {
    static final int REC = 100;
    final Path path;
    final FileChannel ch;

    Journal(Path path) throws IOException {
        this.path = path;
        ch = FileChannel.open(path);
    }

    boolean has(int n) throws IOException {
        return (long) (n + 1) * REC <= Files.size(path);
    }

    int kind(int n) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(4);
        ch.read(b, (long) n * REC);
        return Integer.parseInt(new String(b.array()));
    }

    @Override public void close() throws IOException { ch.close(); }
}

class Main {
    public static void main(String[] args) throws IOException {
        int[] kinds = new int[9];
        int n = 0;
        try (Journal j = new Journal(Path.of("journal.bin"))) {
            while (j.has(n))
                kinds[j.kind(n++)]++;
        }
        System.out.println(n + " records, kind 0: " + kinds[0] + ", kind 8: " + kinds[8]);
    }
}
