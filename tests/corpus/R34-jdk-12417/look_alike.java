import java.io.IOException;
import java.io.RandomAccessFile;

/** Moves to each of eight parts of a table and reads on from there. */
public class look_alike {
    public static void main(String[] arguments) throws IOException {
        byte[] row = new byte[1000];
        int bytes = 0;
        try (RandomAccessFile table = new RandomAccessFile("table", "r")) {
            for (int i = 0; i < 8; i++) {
                table.seek((i * 3 + 2) % 8 * 20_000);
                for (int j = 0; j < 3; j++) {
                    bytes += table.read(row);
                }
            }
        }
        System.out.println(bytes + " bytes");
    }
}
