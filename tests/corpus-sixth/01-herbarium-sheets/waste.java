import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;

/** Checks scanned herbarium sheets and prints a catalogue line for the drawer. */
class Main {
    static ByteBuffer load(Path sheet) throws IOException {
        int size = (int) Files.size(sheet);
        byte[] data = new byte[size];
        try (InputStream in = Files.newInputStream(sheet)) {
            int off = 0;
            while (off < size) {
                int n = in.read(data, off, size - off);
                if (n < 0) throw new EOFException(sheet.toString());
                off += n;
            }
        }
        return ByteBuffer.wrap(data);
    }

    public static void main(String[] args) throws IOException {
        Path drawer = Path.of("sheets");
        long bytes = 0;
        long numbers = 0;
        CRC32 all = new CRC32();
        for (int i = 1; i <= 80; i++) {
            Path sheet = drawer.resolve("s" + i + ".bin");
            ByteBuffer b = load(sheet);
            bytes += b.remaining();
            all.update(b.duplicate());
            numbers += b.getInt();
            if (i % 20 == 0) {
                System.out.printf("sheet %d: %d bytes so far%n", i, bytes);
            }
        }
        System.out.printf("drawer: %d bytes, accession sum %d, crc %08x%n", bytes, numbers, all.getValue());
    }
}
