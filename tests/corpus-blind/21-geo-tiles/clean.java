import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;

/** Adds up the climbs of a track over a height model. */
class Main implements Closeable {
    static final int CELL = 4;
    private final FileChannel file;

    Main(String path) throws IOException {
        file = FileChannel.open(Path.of(path), StandardOpenOption.READ);
    }

    int height(int x, int y) throws IOException {
        byte[] cell = new byte[CELL];
        long at = (long) (y * 50 + x) * CELL;
        if (file.read(ByteBuffer.wrap(cell), at) != CELL) {
            throw new EOFException();
        }
        return Integer.parseInt(new String(cell, StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    public static void main(String[] args) throws IOException {
        long climb = 0;
        try (Main model = new Main("heights.hgt")) {
            int last = 0;
            for (int step = 0; step < 400; step++) {
                int here = model.height(step * 17 % 50, step * 11 % 40);
                climb += Math.max(0, here - last);
                last = here;
            }
        }
        System.out.println("steps 400, climb " + climb);
    }
}
