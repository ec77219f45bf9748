import java.io.DataOutput;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes a word index: count, then per word its length, bytes and lines. */
public final class IndexWriter {
    private final Map<String, List<Integer>> words = new TreeMap<>();

    void scan(Path text) throws IOException {
        int no = 0;
        for (String l : Files.readAllLines(text)) {
            no++;
            for (String w : l.toLowerCase().split("[^a-z0-9]+"))
                if (!w.isEmpty())
                    words.computeIfAbsent(w, k -> new ArrayList<>()).add(no);
        }
    }

    private void store(DataOutput out) throws IOException {
        out.writeInt(words.size());
        for (Map.Entry<String, List<Integer>> e : words.entrySet()) {
            byte[] b = e.getKey().getBytes(StandardCharsets.UTF_8);
            out.writeShort(b.length);
            out.write(b);
            out.writeInt(e.getValue().size());
            for (int line : e.getValue())
                out.writeInt(line);
        }
    }

    void save(String path) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(path, "rw")) {
            out.setLength(0);
            store(out);
        }
    }

    public static void main(String[] args) throws IOException {
        IndexWriter w = new IndexWriter();
        w.scan(Path.of(args.length > 0 ? args[0] : "book.txt"));
        w.save("book.idx");
        int refs = 0;
        for (List<Integer> l : w.words.values())
            refs += l.size();
        System.out.println(w.words.size() + " words, " + refs + " places, " + Files.size(Path.of("book.idx")) + " bytes");
    }
}
