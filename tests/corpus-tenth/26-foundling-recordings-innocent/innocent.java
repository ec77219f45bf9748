import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies recordings of an old dialect to a machine with the other byte order. */
class Main {
    private static final int BLOCK = 16384;

    private long samples;
    private int loudest;

    private void swap(byte[] block, int n) {
        for (int i = 0; i + 1 < n; i += 2) {
            int sample = (short) ((block[i] & 0xff) | block[i + 1] << 8);
            loudest = Math.max(loudest, Math.abs(sample));
            byte low = block[i];
            block[i] = block[i + 1];
            block[i + 1] = low;
        }
        samples += n / 2;
    }

    void convert(Path from, Path to) throws IOException {
        byte[] block = new byte[BLOCK];
        try (InputStream in = Files.newInputStream(from);
             OutputStream out = Files.newOutputStream(to)) {
            int n;
            while ((n = in.readNBytes(block, 0, BLOCK)) > 0) {
                if (n % 2 != 0) throw new IOException(from + " ends within a sample");
                swap(block, n);
                out.write(block, 0, n);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        Main main = new Main();
        int files = 0;
        for (int i = 1; i <= 20; i++) {
            String name = "voice" + i + ".pcm";
            main.convert(Path.of("in", name), Path.of("out", name));
            files++;
        }
        System.out.println(files + " recordings, " + main.samples + " samples");
        System.out.println("loudest " + main.loudest);
    }
}
