import java.io.IOException;
import java.io.RandomAccessFile;

/** Adds up numbers of a file that does not buffer. */
public class before {
    public static void main(String[] arguments) throws IOException {
        long sum = 0;
        try (RandomAccessFile file = new RandomAccessFile("numbers", "r")) {
            for (int i = 0; i < 200; i++) {
                sum += file.readInt();
            }
        }
        System.out.println("sum " + sum);
    }
}
