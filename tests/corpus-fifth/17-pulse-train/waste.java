import java.io.*;
import java.util.*;

/** Decodes the pulse widths a remote-control receiver recorded, big-endian shorts. */
class Main {
    private static final int GAP = 12000;

    static int[] readPulses(File file) throws IOException {
        int[] widths = new int[1 << 12];
        int n = 0;
        try (DataInputStream in = new DataInputStream(new FileInputStream(file))) {
            while (true) {
                widths[n++] = in.readUnsignedShort();
            }
        } catch (EOFException end) {
            return Arrays.copyOf(widths, n);
        }
    }

    static List<Integer> bursts(int[] widths) {
        List<Integer> lengths = new ArrayList<>();
        int length = 0;
        for (int w : widths) {
            if (w > GAP) {
                if (length > 0) lengths.add(length);
                length = 0;
            } else {
                length++;
            }
        }
        if (length > 0) lengths.add(length);
        return lengths;
    }

    public static void main(String[] args) throws IOException {
        int[] widths = readPulses(new File("pulses.bin"));
        List<Integer> bursts = bursts(widths);
        long sum = 0;
        for (int w : widths) sum += w;
        System.out.println(widths.length + " pulses, " + sum + " us");
        System.out.println(bursts.size() + " bursts, longest " + Collections.max(bursts));
        System.out.println("first " + bursts.subList(0, Math.min(8, bursts.size())));
    }
}
