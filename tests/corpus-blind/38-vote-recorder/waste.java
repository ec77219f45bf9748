import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;

/** Imports the votes of a meeting into one file. */
class Main {
    static byte[] line(int member, boolean yes) {
        return ("m" + member + (yes ? " yes\n" : " no\n")).getBytes(StandardCharsets.US_ASCII);
    }

    public static void main(String[] args) throws IOException {
        int yes = 0;
        try (OutputStream out = Files.newOutputStream(Path.of("votes.txt"),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            for (int member = 0; member < 100; member++) {
                boolean vote = member * 7 % 5 < 3;
                out.write(line(member, vote));
                if (vote) {
                    yes++;
                }
            }
        }
        System.out.println("votes 100, yes " + yes + ", file " + Files.size(Path.of("votes.txt")));
    }
}
