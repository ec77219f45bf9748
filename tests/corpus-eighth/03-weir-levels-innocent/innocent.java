import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.SynchronousQueue;

/** Watches a level file that a recorder thread fills, and raises an alarm on high water. */
class Main {
    static final int ROUNDS = 24;

    static void record(FileChannel out, SynchronousQueue<Integer> turns) {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                StringBuilder lines = new StringBuilder();
                for (int k = 0; k <= i % 3; k++) {
                    lines.append(100 + (i * 29 + k * 7) % 60).append('\n');
                }
                ByteBuffer b = ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.US_ASCII));
                while (b.hasRemaining()) {
                    out.write(b);
                }
                turns.put(i);
                turns.take();
            }
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Path path = Path.of("levels.dat");
        var turns = new SynchronousQueue<Integer>();
        int alarms = 0, values = 0;
        try (FileChannel out = FileChannel.open(path, StandardOpenOption.APPEND);
             FileChannel in = FileChannel.open(path, StandardOpenOption.READ)) {
            Thread recorder = new Thread(() -> record(out, turns));
            recorder.start();
            long seen = 0;
            for (int i = 0; i < ROUNDS; i++) {
                int turn = turns.take();
                long size = in.size();
                ByteBuffer fresh = ByteBuffer.allocate((int) (size - seen));
                while (fresh.hasRemaining() && in.read(fresh, seen + fresh.position()) > 0) { }
                seen = size;
                for (String v : new String(fresh.array(), StandardCharsets.US_ASCII).split("\n")) {
                    values++;
                    if (Integer.parseInt(v) > 150) {
                        alarms++;
                    }
                }
                turns.put(turn);
            }
            recorder.join();
        }
        System.out.println(values + " values, " + alarms + " alarms");
    }
}
