import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;

class Main {
    private static final int BLOCK = 64 * 1024;

    static long[] pack(String from, String to) throws IOException {
        CRC32 crc = new CRC32();
        long bytes = 0;
        long bars = 0;
        byte[] block = new byte[BLOCK];
        try (InputStream in = new FileInputStream(from);
             OutputStream file = new BufferedOutputStream(new FileOutputStream(to), BLOCK);
             OutputStream out = new GZIPOutputStream(file, BLOCK)) {
            int n;
            while ((n = in.read(block)) > 0) {
                for (int i = 0; i < n; i++) {
                    if (block[i] == '\n') {
                        bars++;
                    }
                }
                crc.update(block, 0, n);
                out.write(block, 0, n);
                bytes += n;
            }
        }
        return new long[] {bytes, bars, crc.getValue()};
    }

    public static void main(String[] args) throws IOException {
        long[] facts = pack("chorale.txt", "chorale.gz");
        System.out.printf("%d bytes, %d bars, crc %08x%n", facts[0], facts[1], facts[2]);
    }
}
