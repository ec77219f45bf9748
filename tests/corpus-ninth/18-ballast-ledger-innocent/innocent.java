import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

class Main {
    static class Ledger implements AutoCloseable {
        private final FileChannel out;
        private int number;

        Ledger(Path path) throws IOException {
            out = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        }

        /** Returns the number of the entry once it is safe on the disk. */
        int enter(String ship, int tons) throws IOException {
            number++;
            String line = String.format("%04d %-8s %+d tons of ballast%n", number, ship, tons);
            ByteBuffer data = StandardCharsets.US_ASCII.encode(line);
            while (data.hasRemaining()) {
                out.write(data);
            }
            out.force(false);
            return number;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    public static void main(String[] args) throws IOException {
        Map<String, Integer> aboard = new TreeMap<>();
        try (Ledger ledger = new Ledger(Path.of("ledger.log"));
                BufferedReader in = Files.newBufferedReader(Path.of("quayside.txt"))) {
            for (String line; (line = in.readLine()) != null;) {
                String[] words = line.split(" ");
                int tons = Integer.parseInt(words[2]);
                if (words[1].equals("out")) {
                    tons = -Math.min(tons, aboard.getOrDefault(words[0], 0));
                }
                int receipt = ledger.enter(words[0], tons);
                aboard.merge(words[0], tons, Integer::sum);
                System.out.println("receipt " + receipt + ": " + words[0] + " " + tons);
                System.out.flush();
            }
        }
        aboard.forEach((ship, tons) -> System.out.println(ship + " carries " + tons + " tons"));
    }
}
