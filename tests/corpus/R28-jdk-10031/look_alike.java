import java.io.IOException;
import java.io.RandomAccessFile;

/** Reads a header of four numbers, which is too little for a buffer to be worth its while. */
public class look_alike {
    public static void main(String[] arguments) throws IOException {
        long sum = 0;
        try (RandomAccessFile file = new RandomAccessFile("numbers", "r")) {
            for (int i = 0; i < 4; i++) {
                sum += file.readInt();
            }
        }
        System.out.println("sum " + sum);
    }
}
