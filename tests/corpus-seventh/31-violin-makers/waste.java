import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

class Main {
    record Card(String maker, int year) {}

    static Card parse(byte[] data) {
        String maker = "";
        int year = 0;
        for (String line : new String(data).split("\n")) {
            if (line.startsWith("maker=")) maker = line.substring(6);
            if (line.startsWith("year=")) year = Integer.parseInt(line.substring(5));
        }
        return new Card(maker, year);
    }

    static Card load(String path) throws IOException {
        FileInputStream in = new FileInputStream(path);
        byte[] data = new byte[128];
        int n = in.read(data);
        return parse(java.util.Arrays.copyOf(data, n));
    }

    public static void main(String[] args) throws IOException {
        List<Card> cards = new ArrayList<>();
        for (int i = 1; i <= 60; i++) cards.add(load("cards/v" + i + ".card"));
        Map<String, Integer> count = new TreeMap<>();
        int oldest = Integer.MAX_VALUE;
        for (Card c : cards) {
            count.merge(c.maker(), 1, Integer::sum);
            oldest = Math.min(oldest, c.year());
        }
        System.out.println(cards.size() + " instruments, oldest of " + oldest);
        System.out.println(count);
    }
}
