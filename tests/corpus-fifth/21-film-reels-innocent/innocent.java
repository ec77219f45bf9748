import java.io.*;
import java.nio.channels.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

/** Shows the reels of a film archive in the order of a programme; a reel is read frame by frame. */
class Main {
    static final int FRAME = 18;
    static final int FRAMES = 3072;
    static final int REEL = FRAME * FRAMES;

    /** One jump to the start of the reel, then many reads onwards from there. */
    static long show(FileChannel archive, int reel) throws IOException {
        archive.position((long) reel * REEL);
        InputStream in = new BufferedInputStream(Channels.newInputStream(archive), 8192);
        byte[] frame = new byte[FRAME];
        long light = 0;
        String prefix = String.format("frame %02d/", reel);
        for (int i = 0; i < FRAMES; i++) {
            if (in.readNBytes(frame, 0, FRAME) != FRAME) throw new EOFException("reel " + reel);
            if (i == 0 && !new String(frame, StandardCharsets.US_ASCII).startsWith(prefix))
                throw new IOException("wrong reel");
            light += frame[13];
        }
        return light;
    }

    public static void main(String[] args) throws IOException {
        List<String> programme = Files.readAllLines(Path.of("programme.txt"));
        long total = 0;
        try (FileChannel archive = FileChannel.open(Path.of("reels.dat"))) {
            for (String line : programme) {
                long light = show(archive, Integer.parseInt(line));
                total += light;
                System.out.println("reel " + line + " light " + light);
            }
        }
        System.out.println(programme.size() + " reels, light " + total);
    }
}
