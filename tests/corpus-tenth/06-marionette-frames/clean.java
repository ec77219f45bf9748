import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;

/** Reads the frames of a marionette show and tells how much the strings move. */
class Main {
    static final int HEADER = 16;

    private final RandomAccessFile file;
    private int frames;
    private int frameSize;

    Main(String path) throws IOException {
        file = new RandomAccessFile(path, "r");
        byte[] head = new byte[HEADER];
        file.readFully(head);
        String[] fields = new String(head, StandardCharsets.US_ASCII).trim().split(" ");
        if (!fields[0].equals("MRNT")) throw new IOException("not a show");
        frames = Integer.parseInt(fields[1]);
        frameSize = Integer.parseInt(fields[2]);
    }

    byte[] nextFrame() throws IOException {
        byte[] data = new byte[frameSize];
        file.readFully(data);
        return data;
    }

    static int distance(byte[] a, byte[] b) {
        int d = 0;
        for (int i = 0; i < a.length; i++) d += Math.abs(a[i] - b[i]);
        return d;
    }

    public static void main(String[] args) throws IOException {
        Main show = new Main("show.mrn");
        byte[] before = null;
        int moved = 0, largest = 0, at = 0;
        for (int i = 0; i < show.frames; i++) {
            byte[] now = show.nextFrame();
            if (before != null) {
                int d = distance(before, now);
                moved += d;
                if (d > largest) {
                    largest = d;
                    at = i;
                }
            }
            before = now;
        }
        show.file.close();
        System.out.println(show.frames + " frames, movement " + moved);
        System.out.println("largest jerk " + largest + " at frame " + at);
    }
}
