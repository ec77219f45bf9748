import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;

/** Adds up numbers of a file through a buffer. */
public class after {
    public static void main(String[] arguments) throws IOException {
        long sum = 0;
        try (DataInputStream file = new DataInputStream(new BufferedInputStream(new FileInputStream("numbers")))) {
            for (int i = 0; i < 200; i++) {
                sum += file.readInt();
            }
        }
        System.out.println("sum " + sum);
    }
}
