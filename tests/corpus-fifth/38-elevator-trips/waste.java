import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Converts a day of elevator trips from text to the fixed records of the maintenance program. */
class Main {
    record Trip(int from, int to, int load) {
        static Trip parse(String line) {
            String[] f = line.split(" ");
            return new Trip(Integer.parseInt(f[0]), Integer.parseInt(f[1]), Integer.parseInt(f[2]));
        }
    }

    private static byte[] encode(Trip t) {
        return new byte[] {(byte) t.from, (byte) t.to, (byte) (t.load >> 8), (byte) t.load};
    }

    private static void save(List<Trip> trips, String name) throws IOException {
        // "rwd", so that the file is on the disk when the converter ends
        try (RandomAccessFile out = new RandomAccessFile(name, "rwd")) {
            for (Trip t : trips) {
                out.write(encode(t));
            }
        }
    }

    public static void main(String[] args) throws IOException {
        List<Trip> trips = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("day.txt"))) {
            trips.add(Trip.parse(line));
        }
        save(trips, "trips.bin");
        int load = 0;
        int floors = 0;
        for (Trip t : trips) {
            load += t.load;
            floors += Math.abs(t.from - t.to);
        }
        System.out.printf("%d trips, %d floors, %d kg%n", trips.size(), floors, load);
        System.out.println("bytes: " + Files.size(Path.of("trips.bin")));
    }
}
