import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the bills for a month of calls at a small harbour. */
class Main {
    record Call(String ship, int tons, int days, int tugs) {
        static Call parse(String line) {
            String[] w = line.split(" ");
            return new Call(w[0], Integer.parseInt(w[1]), Integer.parseInt(w[2]), Integer.parseInt(w[3]));
        }
    }

    static final Path BILLS = Path.of("bills");
    static final Path DRAFTS = Path.of("drafts");

    static List<String> items(Call c) {
        List<String> items = new ArrayList<>();
        items.add("quay " + c.tons() * c.days() / 10);
        items.add("light " + (20 + c.tons() / 50));
        if (c.tugs() > 0) {
            items.add("tugs " + c.tugs() * 85);
        }
        return items;
    }

    static int sum(List<String> items) {
        return items.stream().mapToInt(i -> Integer.parseInt(i.substring(i.indexOf(' ') + 1))).sum();
    }

    static int bill(Call c) throws IOException {
        List<String> items = items(c);
        Path draft = DRAFTS.resolve(c.ship() + ".draft");
        Files.write(draft, items);
        int sum = sum(items);
        List<String> lines = new ArrayList<>(items);
        lines.add(0, c.ship() + ", " + c.days() + " days");
        lines.add("to pay " + sum);
        Files.write(BILLS.resolve(c.ship() + ".txt"), lines);
        Files.delete(draft);
        return sum;
    }

    public static void main(String[] args) throws IOException {
        Files.createDirectory(BILLS);
        Files.createDirectory(DRAFTS);
        int total = 0;
        int bills = 0;
        for (String line : Files.readAllLines(Path.of("calls.txt"))) {
            Call call = Call.parse(line);
            int sum = bill(call);
            total += sum;
            bills++;
            if (sum > 400) {
                System.out.println(call.ship() + " pays " + sum);
            }
        }
        Files.delete(DRAFTS);
        System.out.println(bills + " bills, " + total + " in all");
    }
}
