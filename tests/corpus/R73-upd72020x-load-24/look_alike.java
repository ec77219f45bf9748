import java.io.RandomAccessFile;

/** What a file holds decides whether it is written to. */
public class LookAlike {
    public static void main(String[] arguments) throws Exception {
        long total = 0;
        byte[] bytes = new byte[100];
        for (int number = 1; number <= 20; number++) {
            try (RandomAccessFile file = new RandomAccessFile("data/" + number, "rw")) {
                total += file.read(bytes);
                if (number % 4 == 0) {
                    file.write(bytes, 0, 5);
                }
            }
        }
        System.out.println("bytes " + total);
    }
}
