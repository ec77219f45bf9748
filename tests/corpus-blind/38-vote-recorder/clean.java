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
        ByteBuffer out = ByteBuffer.allocate(8192);
        try (FileChannel file = FileChannel.open(Path.of("votes.txt"),
                StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int member = 0; member < 100; member++) {
                boolean vote = member * 7 % 5 < 3;
                out.put(line(member, vote));
                if (vote) {
                    yes++;
                }
            }
            out.flip();
            while (out.hasRemaining()) {
                file.write(out);
            }
            file.force(false);
        }
        System.out.println("votes 100, yes " + yes + ", file " + Files.size(Path.of("votes.txt")));
    }
}
