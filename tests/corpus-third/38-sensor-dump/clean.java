import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import static java.nio.file.StandardOpenOption.*;

class Main {
    record Reading(int id, int temp, int humidity) {
        static Reading parse(String s) {
            int[] v = Arrays.stream(s.split(";")).mapToInt(Integer::parseInt).toArray();
            return new Reading(v[0], v[1], v[2]);
        }
        String line() {
            return "sensor " + id + " " + temp + "C " + humidity + "%\n";
        }
    }

    static ByteBuffer bytes(CharSequence s) {
        return StandardCharsets.UTF_8.encode(s.toString());
    }

    public static void main(String[] args) throws IOException {
        int hot = 0;
        StringBuilder all = new StringBuilder();
        for (String s : Files.readAllLines(Path.of("readings.csv"))) {
            Reading r = Reading.parse(s);
            if (r.temp() > 30)
                hot++;
            all.append(r.line());
        }
        try (FileChannel ch = FileChannel.open(Path.of("dump.txt"), APPEND)) {
            ByteBuffer b = bytes(all);
            while (b.hasRemaining())
                ch.write(b);
            ch.force(false);
        }
        System.out.println(Files.size(Path.of("dump.txt")) + " bytes, " + hot + " hot");
    }
}
