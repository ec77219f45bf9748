import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

class Main {
    record Trip(int car, int metres, int faults, int stops) {
        static Trip parse(String line) {
            String[] f = line.split(" ");
            return new Trip(Integer.parseInt(f[0]), Integer.parseInt(f[1]),
                    Integer.parseInt(f[2]), Integer.parseInt(f[3]));
        }
    }

    static byte[] bytes(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    static void store(ByteBuffer record, Trip t) {
        record.put(bytes(t.car()));
        record.put(bytes(t.metres()));
        record.put(bytes(t.faults()));
        record.put(bytes(t.stops()));
    }

    public static void main(String[] args) throws IOException {
        long metres = 0;
        int faults = 0, cars = 0;
        try (RandomAccessFile file = new RandomAccessFile("cars.dat", "rwd")) {
            ByteBuffer table = ByteBuffer.allocate(12 * 16);
            for (String line : Files.readAllLines(Path.of("trips.txt"))) {
                Trip t = Trip.parse(line);
                store(table, t);
                metres += t.metres();
                faults += t.faults();
                cars++;
            }
            file.write(table.array());
        }
        System.out.println(cars + " cars, " + metres + " metres, " + faults + " faults");
    }
}
