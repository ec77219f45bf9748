import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Loads the index of a mail folder and prints what a client shows on opening it. */
public final class MailIndex {
    static final class Entry {
        final long offset;
        final int size;
        final String flags;
        final String sender;

        Entry(long offset, int size, String flags, String sender) {
            this.offset = offset;
            this.size = size;
            this.flags = flags;
            this.sender = sender;
        }

        boolean unseen() {
            return flags.indexOf('S') < 0;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    void load(String path) throws IOException {
        try (BufferedReader in = new BufferedReader(new FileReader(path))) {
            String line = in.readLine();
            if (line == null || !line.startsWith("#mailidx 3 ")) {
                throw new IOException("not a mail index: " + path);
            }
            while ((line = in.readLine()) != null) {
                String[] f = line.split(" ");
                if (f.length != 4) {
                    throw new IOException("bad entry: " + line);
                }
                entries.add(new Entry(Long.parseLong(f[0]), Integer.parseInt(f[1]), f[2], f[3]));
            }
        }
    }

    void report(StringBuilder out) {
        long bytes = 0;
        int unseen = 0;
        Map<String, Integer> senders = new TreeMap<>();
        for (Entry e : entries) {
            bytes += e.size;
            if (e.unseen()) {
                unseen++;
            }
            senders.merge(e.sender, 1, Integer::sum);
        }
        out.append(entries.size()).append(" messages, ").append(unseen).append(" unseen, ")
           .append(bytes).append(" bytes, ").append(senders.size()).append(" senders\n");
    }

    public static void main(String[] args) throws IOException {
        MailIndex index = new MailIndex();
        index.load(args[0]);
        StringBuilder out = new StringBuilder();
        index.report(out);
        System.out.print(out);
    }
}
