import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Simulates a day at a small exchange and keeps a journal of the trades. */
class Main {
    static final Path JOURNAL = Path.of("trades.txt");

    static String trade(int n) {
        int price = 1000 + n * n % 83 - 40;
        return String.format("%04d %s %d @ %d%n", n, n % 3 == 0 ? "sell" : "buy", n % 9 + 1, price);
    }

    public static void main(String[] args) throws IOException {
        int sold = 0;
        for (int n = 1; n <= 150; n++) {
            String t = trade(n);
            Files.writeString(JOURNAL, t, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            sold += t.contains("sell") ? 1 : 0;
        }
        System.out.println(Files.readAllLines(JOURNAL).size() + " trades, " + sold + " sold");
    }
}
