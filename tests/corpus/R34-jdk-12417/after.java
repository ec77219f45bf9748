import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Reads twenty rows of a table, giving the offset of each. */
public class after {
    public static void main(String[] arguments) throws IOException {
        ByteBuffer row = ByteBuffer.allocateDirect(1000);
        int bytes = 0;
        try (FileChannel table = FileChannel.open(Path.of("table"))) {
            for (int i = 0; i < 20; i++) {
                bytes += table.read(row.clear(), (i * 7 + 3) % 20 * 10_000);
            }
        }
        System.out.println(bytes + " bytes");
    }
}
