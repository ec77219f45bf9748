import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** What it costs to send the brochures of a shipping line by wire: by the compressed size. */
class Main {
    static void compress(byte[] text, OutputStream target) throws IOException {
        try (GZIPOutputStream out = new GZIPOutputStream(target)) {
            out.write(text);
        }
    }

    static long packedSize(Path brochure) throws IOException {
        byte[] text = Files.readAllBytes(brochure);
        ByteArrayOutputStream packed = new ByteArrayOutputStream(1024);
        compress(text, packed);
        return packed.size();
    }

    static int postage(long bytes) {
        if (bytes <= 120) {
            return 2;
        }
        return 2 + (int) ((bytes - 120 + 31) / 32);
    }

    public static void main(String[] args) throws IOException {
        List<Path> brochures;
        try (Stream<Path> all = Files.list(Path.of("texts"))) {
            brochures = all.sorted().toList();
        }

        StringBuilder bill = new StringBuilder();
        int total = 0;
        int dear = 0;
        for (Path b : brochures) {
            int pence = postage(packedSize(b));
            total += pence;
            if (pence > 4) {
                dear++;
            }
            bill.append(b.getFileName()).append(": ").append(pence).append(" d\n");
        }
        Files.writeString(Path.of("bill.txt"), bill);

        System.out.println(brochures.size() + " brochures, " + total + " pence");
        System.out.println(dear + " cost more than four pence");
    }
}
