import java.io.IOException;
import java.io.RandomAccessFile;

/** Reads twenty rows of a table by moving to each. */
public class before {
    public static void main(String[] arguments) throws IOException {
        byte[] row = new byte[1000];
        int bytes = 0;
        try (RandomAccessFile table = new RandomAccessFile("table", "r")) {
            for (int i = 0; i < 20; i++) {
                table.seek((i * 7 + 3) % 20 * 10_000);
                bytes += table.read(row);
            }
        }
        System.out.println(bytes + " bytes");
    }
}
