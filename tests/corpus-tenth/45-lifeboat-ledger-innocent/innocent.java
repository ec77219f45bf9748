import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A lifeboat station: each launch must stand in the ledger before the boat is let down. */
class Main {
    static final Path LEDGER = Path.of("ledger.txt");

    record Call(int day, int crew, String weather) {
        static Call parse(String line) {
            String[] f = line.split(" ");
            return new Call(Integer.parseInt(f[0]), Integer.parseInt(f[1]), f[2]);
        }

        boolean launch() {
            return crew >= 3;
        }
    }

    static void enter(FileChannel ledger, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            ledger.write(bytes);
        }
        ledger.force(true);
    }

    public static void main(String[] args) throws IOException {
        List<Call> calls = Files.readAllLines(Path.of("calls.txt")).stream().map(Call::parse).toList();
        int launched = 0;
        int rescued = 0;
        try (FileChannel ledger = FileChannel.open(LEDGER, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (Call call : calls) {
                String what = call.launch() ? "launch with " + call.crew() : "no crew";
                enter(ledger, "day " + call.day() + ", " + call.weather() + ": " + what + "\n");
                System.out.println("day " + call.day() + ": entered");
                if (call.launch()) {
                    launched++;
                    rescued += call.crew() % 4;
                }
            }
        }
        System.out.println(calls.size() + " calls, " + launched + " launches, " + rescued + " rescued");
    }
}
