import java.io.IOException;
import java.io.Reader;
import java.nio.file.*;
import java.nio.file.attribute.FileTime;
import java.util.Properties;

/** Converts the amounts of a payment run into euro cents. */
class Main {
    static final Path FILE = Path.of("rates.properties");
    static Properties rates;

    static Properties rates() throws IOException {
        if (rates == null) {
            Properties fresh = new Properties();
            try (Reader in = Files.newBufferedReader(FILE)) {
                fresh.load(in);
            }
            rates = fresh;
        }
        return rates;
    }

    static long toEuroCents(long amount, String currency) throws IOException {
        return amount * Long.parseLong(rates().getProperty(currency));
    }

    public static void main(String[] args) throws IOException {
        String[] currencies = {"EUR", "USD", "GBP", "CHF"};
        long sum = 0;
        for (int i = 0; i < 400; i++) {
            sum += toEuroCents(i * 7L, currencies[i % currencies.length]);
        }
        System.out.println("payments 400, euro cents " + sum);
    }
}
