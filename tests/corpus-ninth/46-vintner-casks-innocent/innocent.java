import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;

class Main {
    static void sync(Path path) throws IOException {
        try (FileChannel c = FileChannel.open(path, StandardOpenOption.READ)) {
            c.force(true);
        }
    }

    // The sorting is left to sort(1), which writes the new list by itself.
    static Path sorted(Path list) throws IOException, InterruptedException {
        Path next = Path.of(list + ".next");
        Process p = new ProcessBuilder("sort", "-t", ";", "-k2,2n", "-k1,1", "-o", next.toString(), list.toString())
            .inheritIO().start();
        if (p.waitFor() != 0) throw new IOException("sort: " + list);
        return next;
    }

    static List<String> replace(Path list) throws IOException, InterruptedException {
        Path next = sorted(list);
        List<String> casks = Files.readAllLines(next);
        if (casks.isEmpty()) throw new IOException(next + " is empty");
        sync(next);
        Files.move(next, list, StandardCopyOption.ATOMIC_MOVE);
        return casks;
    }

    public static void main(String[] args) throws Exception {
        int lists = 0, casks = 0;
        List<String> oldest = new ArrayList<>();
        for (String cellar : Files.readAllLines(Path.of("cellars.txt"))) {
            Path list = Path.of("casks", cellar + ".csv");
            List<String> sorted = replace(list);
            casks += sorted.size();
            lists++;
            oldest.add(sorted.get(0));
        }
        sync(Path.of("casks"));
        Collections.sort(oldest, Comparator.comparing((String s) -> s.split(";")[1]).thenComparing(s -> s));
        System.out.println(lists + " lists sorted, " + casks + " casks");
        System.out.println("oldest: " + oldest.get(0));
    }
}
