import java.io.RandomAccessFile;

/** Mode "r". */
public class After {
    public static void main(String[] arguments) throws Exception {
        long total = 0;
        byte[] bytes = new byte[100];
        for (int number = 1; number <= 20; number++) {
            try (RandomAccessFile file = new RandomAccessFile("data/" + number, "r")) {
                total += file.read(bytes);
            }
        }
        System.out.println("bytes " + total);
    }
}
