import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Answers a genealogist's questions from the table of graves of a parish. */
class Main {
    static final int ROW = 32;

    record Grave(int year, int age, String family) {}

    static Grave decode(byte[] row) {
        ByteBuffer b = ByteBuffer.wrap(row);
        int year = b.getInt();
        int age = b.getInt();
        return new Grave(year, age, new String(row, 8, 24, StandardCharsets.US_ASCII).trim());
    }

    static Grave grave(RandomAccessFile table, int no) throws IOException {
        byte[] row = new byte[ROW];
        table.seek((long) no * ROW);
        table.readFully(row);
        return decode(row);
    }

    public static void main(String[] args) throws IOException {
        Map<Integer, Integer> perCentury = new TreeMap<>();
        int ages = 0;
        Grave oldest = null;
        int asked = 180;
        try (RandomAccessFile table = new RandomAccessFile("graves.tbl", "r")) {
            for (int q = 1; q <= asked; q++) {
                Grave g = grave(table, q * 6007 % 10000);
                perCentury.merge(g.year() / 100 + 1, 1, Integer::sum);
                ages += g.age();
                if (oldest == null || g.age() > oldest.age()) oldest = g;
            }
        }
        perCentury.forEach((c, n) -> System.out.println(c + "th century: " + n));
        System.out.printf("mean age %.1f%n", ages / (double) asked);
        System.out.println("oldest " + oldest.family() + ", " + oldest.age() + " years");
    }
}
