import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Works out the areas of surveyed plots and files a deed for each; the owner gets a receipt. */
class Main {
    record Point(int x, int y) {}

    static final Path DEEDS = Path.of("deeds");

    static double area(List<Point> corners) {
        long twice = 0;
        for (int i = 0; i < corners.size(); i++) {
            Point a = corners.get(i);
            Point b = corners.get((i + 1) % corners.size());
            twice += (long) a.x() * b.y() - (long) b.x() * a.y();
        }
        return Math.abs(twice) / 2.0;
    }

    static Map<String, List<Point>> plots() throws IOException {
        Map<String, List<Point>> plots = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("points.txt"))) {
            String[] w = line.split(" ");
            plots.computeIfAbsent(w[0], k -> new ArrayList<>())
                 .add(new Point(Integer.parseInt(w[1]), Integer.parseInt(w[2])));
        }
        return plots;
    }

    static void file(String plot, String deed) throws IOException {
        Path to = DEEDS.resolve(plot + ".txt");
        try (FileChannel out = FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer text = ByteBuffer.wrap(deed.getBytes(StandardCharsets.UTF_8));
            while (text.hasRemaining()) {
                out.write(text);
            }
            out.force(true);
        }
        try (FileChannel directory = FileChannel.open(DEEDS, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    public static void main(String[] args) throws IOException {
        double all = 0;
        int receipts = 0;
        for (var plot : plots().entrySet()) {
            double area = area(plot.getValue());
            file(plot.getKey(), plot.getKey() + "\ncorners " + plot.getValue().size() + "\narea " + area + "\n");
            System.out.println("receipt: deed of " + plot.getKey() + " is on file, " + area + " square feet");
            all += area;
            receipts++;
        }
        System.out.println(receipts + " receipts, " + all + " square feet");
    }
}
