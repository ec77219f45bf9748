import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;

class Index {
    private final Path dir;

    Index(Path dir) { this.dir = dir; }

    int generation() throws IOException {
        return Integer.parseInt(Files.readString(dir.resolve("current.idx")).trim().split(" ")[1]);
    }

    void rebuild(List<String> words) throws IOException {
        StringBuilder sb = new StringBuilder("generation " + (generation() + 1) + "\n");
        Path tmp = dir.resolve("building.idx");
        try (FileChannel ch = FileChannel.open(tmp, StandardOpenOption.CREATE,
                StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer b = ByteBuffer.wrap(sb.toString().getBytes());
            while (b.hasRemaining())
                ch.write(b);
            ch.force(true);
        }
        Files.deleteIfExists(dir.resolve("current.idx"));
        Files.move(tmp, dir.resolve("current.idx"));
        try (FileChannel d = FileChannel.open(dir)) {
            d.force(true);
        }
    }
}

class Main {
    public static void main(String[] args) throws IOException {
        Index ix = new Index(Path.of("idx").toAbsolutePath());
        for (int i = 0; i < 4; i++)
            ix.rebuild(List.of("a" + i, "b" + i));
        System.out.println("generation " + ix.generation());
    }
}
