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

    static void store(RandomAccessFile file, Trip t) throws IOException {
        file.write(bytes(t.car()));
        file.write(bytes(t.metres()));
        file.write(bytes(t.faults()));
        file.write(bytes(t.stops()));
    }

    public static void main(String[] args) throws IOException {
        long metres = 0;
        int faults = 0, cars = 0;
        try (RandomAccessFile file = new RandomAccessFile("cars.dat", "rwd")) {
            for (String line : Files.readAllLines(Path.of("trips.txt"))) {
                Trip t = Trip.parse(line);
                store(file, t);
                metres += t.metres();
                faults += t.faults();
                cars++;
            }
        }
        System.out.println(cars + " cars, " + metres + " metres, " + faults + " faults");
    }
}
