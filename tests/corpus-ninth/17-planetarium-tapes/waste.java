import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class Main {
    record Pointing(int projector, int brightness, int second, int azimuth, int height) {
        double degrees() {
            return azimuth / 1000.0;
        }
    }

    static InputStream source(String path) throws IOException {
        return new FileInputStream(path);
    }

    static List<Pointing> read(String path) throws IOException {
        List<Pointing> all = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(source(path))) {
            while (true) {
                int projector = in.readUnsignedShort();
                int brightness = in.readUnsignedShort();
                int second = in.readInt();
                int azimuth = in.readInt();
                int height = in.readInt();
                all.add(new Pointing(projector, brightness, second, azimuth, height));
            }
        } catch (EOFException end) {
            return all;
        }
    }

    static double turn(List<Pointing> path) {
        double sum = 0;
        for (int i = 1; i < path.size(); i++) {
            sum += Math.abs(path.get(i).degrees() - path.get(i - 1).degrees());
        }
        return sum;
    }

    public static void main(String[] args) throws IOException {
        List<Pointing> tape = read("tape.dat");
        Map<Integer, List<Pointing>> byProjector = new TreeMap<>();
        for (Pointing p : tape) {
            byProjector.computeIfAbsent(p.projector(), k -> new ArrayList<>()).add(p);
        }
        System.out.println(tape.size() + " cues for " + byProjector.size() + " projectors");
        for (Map.Entry<Integer, List<Pointing>> e : byProjector.entrySet()) {
            int bright = e.getValue().stream().mapToInt(Pointing::brightness).max().orElse(0);
            System.out.printf("projector %d: %d cues, turns %.1f degrees, up to %d%%%n",
                    e.getKey(), e.getValue().size(), turn(e.getValue()), bright);
        }
    }
}
