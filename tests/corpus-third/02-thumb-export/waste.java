import java.io.IOException;
import java.nio.file.*;
import java.util.*;

class ThumbWriter {
    private final Path out;
    private final StringBuilder sheet = new StringBuilder();
    int count;

    ThumbWriter(Path out) throws IOException {
        this.out = out;
    }

    void add(String name, int w, int h) throws IOException {
        if (!Files.isDirectory(out) || !Files.isWritable(out))
            throw new IOException("cannot write to " + out);
        int scale = Math.max(1, Math.max(w, h) / 64);
        sheet.append(name).append(' ').append(w / scale).append('x').append(h / scale).append('\n');
        count++;
    }

    void finish() throws IOException {
        Files.writeString(out.resolve("sheet.txt"), sheet);
    }
}

class Main {
    public static void main(String[] args) throws IOException {
        ThumbWriter tw = new ThumbWriter(Path.of("export", "thumbs"));
        for (String line : Files.readAllLines(Path.of("catalog.txt"))) {
            String[] p = line.split(" ");
            tw.add(p[0], Integer.parseInt(p[1]), Integer.parseInt(p[2]));
        }
        tw.finish();
        System.out.println(tw.count + " thumbnails");
    }
}
