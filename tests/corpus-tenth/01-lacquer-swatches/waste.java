import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/** Adds up how much lacquer the ordered swatches need, per finish. */
class Main {
    static String load(Path p) throws IOException {
        int size = (int) Files.size(p);
        ByteBuffer buf = ByteBuffer.allocate(size);
        try (FileChannel ch = FileChannel.open(p, StandardOpenOption.READ)) {
            while (buf.hasRemaining() && ch.read(buf) >= 0) {
            }
        }
        return new String(buf.array(), 0, buf.position(), StandardCharsets.UTF_8);
    }

    static int number(String line) {
        return Integer.parseInt(line.substring(line.indexOf('=') + 1).trim());
    }

    public static void main(String[] args) throws IOException {
        Map<String, Integer> grams = new TreeMap<>();
        int swatches = 0;
        for (String name : Files.readAllLines(Path.of("order.txt"))) {
            int coats = 0, weight = 0;
            String finish = "?";
            for (String line : load(Path.of("swatches", name + ".swt")).split("\n")) {
                if (line.startsWith("coats=")) coats = number(line);
                else if (line.startsWith("grams=")) weight = number(line);
                else if (line.startsWith("finish=")) finish = line.substring(7);
            }
            grams.merge(finish, coats * weight, Integer::sum);
            swatches++;
        }
        grams.forEach((finish, g) -> System.out.println(finish + ": " + g + " g"));
        System.out.println(swatches + " swatches");
    }
}
