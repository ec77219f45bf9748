import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class Main {
    static final int TRAY = 50 * 80;

    static class Routine {
        final String name;
        final long from;
        long to;
        int trays;

        Routine(String name, long from) {
            this.name = name;
            this.from = from;
        }
    }

    static boolean next(RandomAccessFile deck, byte[] tray) throws IOException {
        int got = 0;
        while (got < TRAY) {
            int n = deck.read(tray, got, TRAY - got);
            if (n < 0) {
                return false;
            }
            got += n;
        }
        return true;
    }

    static List<Routine> index(RandomAccessFile deck) throws IOException {
        List<Routine> routines = new ArrayList<>();
        byte[] tray = new byte[TRAY];
        Routine open = null;
        for (long at = 0; next(deck, tray); at += TRAY) {
            String text = new String(tray, 0, 80, StandardCharsets.US_ASCII);
            String kind = text.substring(0, 8).trim();
            if (kind.equals("PROC")) {
                open = new Routine(text.substring(8, 72).trim(), at);
                routines.add(open);
            }
            if (open != null) {
                open.trays++;
                open.to = at + TRAY;
                if (kind.equals("END")) {
                    open = null;
                }
            }
        }
        return routines;
    }

    public static void main(String[] args) throws IOException {
        List<Routine> routines;
        try (RandomAccessFile deck = new RandomAccessFile("deck.bin", "r")) {
            routines = index(deck);
        }
        try (PrintWriter out = new PrintWriter("deck.idx")) {
            for (Routine r : routines) {
                out.println(r.name + " " + r.from + " " + r.to);
            }
        }
        int trays = routines.stream().mapToInt(r -> r.trays).sum();
        System.out.println(routines.size() + " routines in " + trays + " trays");
        System.out.println("last: " + routines.get(routines.size() - 1).name);
    }
}
