import java.io.RandomAccessFile;

/** Mode "rw" for files that are only read. */
public class Before {
    public static void main(String[] arguments) throws Exception {
        long total = 0;
        byte[] bytes = new byte[100];
        for (int number = 1; number <= 20; number++) {
            try (RandomAccessFile file = new RandomAccessFile("data/" + number, "rw")) {
                total += file.read(bytes);
            }
        }
        System.out.println("bytes " + total);
    }
}
