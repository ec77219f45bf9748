import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Notes the new plantings in the parcel files of a vineyard. */
class Main {
    static final String[] GRAPES = {"riesling", "gamay", "sylvaner"};

    static List<String> replant(List<String> lines, String grape) {
        List<String> out = new ArrayList<>();
        for (String line : lines) {
            out.add(line.startsWith("grape=") ? "grape=" + grape : line);
        }
        out.add("planted=2026");
        return out;
    }

    static void sync(Path path) throws IOException {
        StandardOpenOption mode = Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    static void save(Path target, List<String> lines) throws IOException {
        Path fresh = target.resolveSibling(target.getFileName() + ".part");
        try (BufferedWriter out = Files.newBufferedWriter(fresh)) {
            for (String line : lines) {
                out.write(line);
                out.newLine();
            }
        }
        sync(target);
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }

    public static void main(String[] args) throws IOException {
        Path dir = Path.of("parcels");
        int total = 0;
        for (int i = 1; i <= 5; i++) {
            Path parcel = dir.resolve("p" + i + ".properties");
            List<String> lines = replant(Files.readAllLines(parcel), GRAPES[i % 3]);
            save(parcel, lines);
            total += lines.size();
            System.out.println(parcel + ": " + GRAPES[i % 3]);
        }
        sync(dir);
        System.out.println(total + " lines saved");
    }
}
