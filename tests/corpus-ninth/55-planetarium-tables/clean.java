import java.io.*;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;

class Main {
    static final int HEAD = 64, STAR = 16;
    static final Path CATALOGUE = Path.of("stars.bin");

    static ByteBuffer read() throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(CATALOGUE));
    }

    // Carries the stars' places on by their own motion.
    static double precess(ByteBuffer b, int stars, float years) {
        double moved = 0;
        for (int i = 0; i < stars; i++) {
            int at = HEAD + i * STAR;
            float ra = b.getFloat(at), motion = b.getFloat(at + 8);
            float now = (float) ((ra + motion * years + 360) % 360);
            b.putFloat(at, now);
            moved += Math.abs(motion * years);
        }
        return moved;
    }

    static void save(ByteBuffer b, int from, int length) throws IOException {
        Path next = Path.of(CATALOGUE + ".next");
        try (FileChannel out = FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(b.array(), from, length));
            out.force(true);
        }
        Files.move(next, CATALOGUE, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel here = FileChannel.open(Path.of("."))) {
            here.force(true);
        }
    }

    public static void main(String[] args) throws IOException {
        ByteBuffer b = read();
        int stars = b.getInt(8), epoch = b.getInt(12);
        double moved = precess(b, stars, 50);
        b.putInt(12, epoch + 50);
        save(b, 0, HEAD + stars * STAR);
        System.out.printf(Locale.ROOT, "%d stars from %d to %d%n", stars, epoch, epoch + 50);
        System.out.printf(Locale.ROOT, "moved by %.4f degrees each%n", moved / stars);
    }
}
