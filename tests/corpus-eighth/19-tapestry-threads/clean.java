import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts the threads of every colour in a set of woven squares. */
class Main {
    static byte[] load(String path, int size) throws IOException {
        byte[] square = new byte[size];
        try (InputStream in = new FileInputStream(path)) {
            int at = 0;
            while (at < size) {
                int n = in.read(square, at, size - at);
                if (n <= 0) {
                    throw new IOException(path + " is too short");
                }
                at += n;
            }
        }
        return square;
    }

    public static void main(String[] args) throws IOException {
        String[] loom = Files.readString(Path.of("loom.txt")).trim().split(" ");
        int rows = Integer.parseInt(loom[1]), columns = Integer.parseInt(loom[3]);
        int[] threads = new int[26];
        int changes = 0;
        for (int i = 1; i <= 24; i++) {
            byte[] square = load(String.format("weaves/w%02d.dat", i), rows * columns);
            for (int k = 0; k < square.length; k++) {
                threads[square[k] - 'a']++;
                if (k % columns > 0 && square[k] != square[k - 1]) {
                    changes++;
                }
            }
        }
        for (int c = 0; c < 26; c++) {
            if (threads[c] > 0) {
                System.out.println((char) ('a' + c) + " " + threads[c]);
            }
        }
        System.out.println(changes + " changes of colour");
    }
}
