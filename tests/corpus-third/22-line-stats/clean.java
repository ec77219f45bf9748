import java.io.*;
import java.nio.file.*;
import java.util.*;

class Log {
    final String[] lines;

    Log(Path p) throws IOException {
        List<String> all = new ArrayList<>();
        try (BufferedReader r = Files.newBufferedReader(p)) {
            for (String l; (l = r.readLine()) != null; )
                all.add(l);
        }
        lines = all.toArray(new String[0]);
    }

    long errors(int code) {
        return Arrays.stream(lines).filter(l -> l.contains("code " + code)).count();
    }
}

class Main {
    public static void main(String[] args) throws IOException {
        long bad = 0, total = 0;
        for (int i = 1; i <= 25; i++) {
            Log l = new Log(Path.of("logs/s" + i + ".log"));
            total += l.lines.length;
            bad += l.errors(3);
        }
        System.out.println(total + " lines, " + bad + " with code 3");
    }
}
