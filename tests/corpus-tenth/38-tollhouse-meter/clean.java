import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The counter in a tollhouse: one record for each vehicle, kept safe at once. */
class Main {
    static final int[] TOLL = {20, 45, 90, 150};

    static class Meter implements AutoCloseable {
        private final RandomAccessFile file;
        private final ByteBuffer record = ByteBuffer.allocate(6);

        Meter(String path) throws IOException {
            file = new RandomAccessFile(path, "rwd");
        }

        void add(int vehicle, int toll) throws IOException {
            record.clear();
            record.putInt(vehicle).putShort((short) toll);
            file.write(record.array());
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    public static void main(String[] args) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("vehicles.txt"));
        int[] byClass = new int[TOLL.length];
        int total = 0;
        try (Meter meter = new Meter("meter.dat")) {
            for (String line : lines) {
                String[] f = line.split(" ");
                int kind = Integer.parseInt(f[1]);
                meter.add(Integer.parseInt(f[0]), TOLL[kind]);
                byClass[kind]++;
                total += TOLL[kind];
            }
        }

        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(Path.of("meter.dat")));
        int stored = 0;
        int sum = 0;
        while (all.remaining() >= 6) {
            all.getInt();
            sum += all.getShort();
            stored++;
        }
        System.out.println(stored + " vehicles, " + sum + " of " + total + " pence on the meter");
        for (int i = 0; i < byClass.length; i++) {
            System.out.println("class " + i + ": " + byClass[i]);
        }
    }
}
