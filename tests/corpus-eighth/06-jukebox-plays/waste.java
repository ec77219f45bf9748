import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The ten most played discs of a jukebox, from its counter file. */
class Main {
    static final int RECORD = 4096;

    record Disc(String name, int plays, int scratches) { }

    static Disc parse(byte[] block) {
        String text = new String(block, StandardCharsets.US_ASCII);
        int end = text.indexOf(';');
        String name = "?";
        int plays = 0;
        for (String part : text.substring(0, end).trim().split(" ")) {
            String[] kv = part.split("=");
            if (kv[0].equals("disc")) {
                name = kv[1];
            } else {
                plays = Integer.parseInt(kv[1]);
            }
        }
        int scratches = 0;
        for (int i = end; i < block.length; i++) {
            if (block[i] == '/' && i % 7 == 0) {
                scratches++;
            }
        }
        return new Disc(name, plays, scratches);
    }

    public static void main(String[] args) throws IOException {
        List<Disc> discs = new ArrayList<>();
        try (RandomAccessFile file = new RandomAccessFile("plays.rec", "r")) {
            long count = file.length() / RECORD;
            byte[] block = new byte[RECORD];
            for (long i = 0; i < count; i++) {
                file.seek(i * RECORD);
                file.readFully(block);
                discs.add(parse(block));
            }
        }
        discs.sort((a, b) -> b.plays() - a.plays());
        for (Disc d : discs.subList(0, 10)) {
            System.out.println(d.name() + " " + d.plays() + " plays, " + d.scratches() + " scratches");
        }
    }
}
