import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** Telephone announcements: loads the prompts of a playlist and prints their lengths. */
class Main {
    record Prompt(String id, byte[] samples) {
        double seconds() { return samples.length / 8000.0; }
        int peak() {
            int peak = 0;
            for (byte b : samples) peak = Math.max(peak, Math.abs(b - 64));
            return peak;
        }
    }

    static Prompt load(Path dir, String id) throws IOException {
        Path file = dir.resolve(id + ".ulaw");
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            byte[] samples = new byte[(int) in.getChannel().size()];
            int got = in.readNBytes(samples, 0, samples.length);
            if (got != samples.length) throw new EOFException(file.toString());
            return new Prompt(id, samples);
        }
    }

    public static void main(String[] args) throws IOException {
        Path dir = Path.of("prompts");
        List<String> ids = Files.readAllLines(Path.of("playlist.txt"), StandardCharsets.US_ASCII);
        double total = 0;
        String loudest = "";
        int loud = -1;
        for (String id : ids) {
            Prompt p = load(dir, id);
            total += p.seconds();
            if (p.peak() > loud) {
                loud = p.peak();
                loudest = p.id();
            }
        }
        System.out.printf(Locale.ROOT, "%d prompts, %.3f s%n", ids.size(), total);
        System.out.println("loudest " + loudest + " peak " + loud);
    }
}
