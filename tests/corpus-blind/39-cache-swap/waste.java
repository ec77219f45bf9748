import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;

/** Rebuilds a search index twice. */
class Main {
    static final Path INDEX = Path.of("index/main.idx");

    static void build(Path target, int generation) throws IOException {
        StringBuilder text = new StringBuilder("generation " + generation + "\n");
        for (int i = 0; i < 100; i++) {
            text.append("term").append(i * generation % 37).append(' ').append(i).append('\n');
        }
        try (FileChannel out = FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(text.toString().getBytes()));
            out.force(true);
        }
    }

    static void install(int generation) throws IOException {
        Path fresh = INDEX.resolveSibling("main.idx.new");
        build(fresh, generation);
        Files.deleteIfExists(INDEX);
        Files.move(fresh, INDEX);
        try (FileChannel dir = FileChannel.open(INDEX.getParent(), StandardOpenOption.READ)) {
            dir.force(true);
        }
    }

    public static void main(String[] args) throws IOException {
        install(1);
        install(2);
        System.out.println(Files.readAllLines(INDEX).get(0) + ", " + Files.size(INDEX) + " bytes");
    }
}
