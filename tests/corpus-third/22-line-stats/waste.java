import java.io.*;
import java.nio.file.*;
import java.util.*;

class Log {
    final String[] lines;

    Log(Path p) throws IOException {
        int n = 0;
        try (BufferedReader r = Files.newBufferedReader(p)) {
            while (r.readLine() != null)
                n++;
        }
        lines = new String[n];
        try (BufferedReader r = Files.newBufferedReader(p)) {
            for (int i = 0; i < n; i++)
                lines[i] = r.readLine();
        }
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
