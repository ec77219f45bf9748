import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class Main {
    record Entry(String cabin, long at, int length) {}

    static byte[] pack(String[] words) {
        StringBuilder block = new StringBuilder();
        for (int i = 1; i < words.length; i++) {
            block.append(i).append('=').append(words[i]).append(';');
        }
        return block.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    static List<Entry> write(List<String> lines) throws IOException {
        List<Entry> index = new ArrayList<>();
        try (RandomAccessFile out = new RandomAccessFile("cabins.dat", "rw")) {
            long at = 0;
            for (String line : lines) {
                String[] words = line.split(" ");
                byte[] block = pack(words);
                out.write(block);
                index.add(new Entry(words[0], at, block.length));
                at += block.length;
            }
        }
        return index;
    }

    public static void main(String[] args) throws IOException {
        List<Entry> index = write(Files.readAllLines(Path.of("riders.txt")));
        StringBuilder text = new StringBuilder();
        Entry longest = index.get(0);
        for (Entry e : index) {
            text.append(e.cabin()).append(' ').append(e.at()).append(' ').append(e.length()).append('\n');
            if (e.length() > longest.length()) {
                longest = e;
            }
        }
        Files.writeString(Path.of("cabins.idx"), text);
        System.out.println(index.size() + " cabins, longest " + longest.cabin() + " at " + longest.at());
    }
}
