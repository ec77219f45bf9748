import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

/** Indexes the 4096-byte blocks of a seismometer's data file by station. */
class Main {
    static final int BLOCK = 4096;

    record Entry(long offset, int sequence, int amplitude) {}

    static String field(byte[] block, int from, int to) {
        return new String(block, from, to - from, StandardCharsets.US_ASCII).trim();
    }

    static Map<String, List<Entry>> index(String file) throws IOException {
        Map<String, List<Entry>> index = new TreeMap<>();
        try (RandomAccessFile in = new RandomAccessFile(file, "r")) {
            byte[] block = new byte[BLOCK];
            while (true) {
                long offset = in.getFilePointer();
                int n = in.read(block);
                if (n < BLOCK) break;
                int seq = Integer.parseInt(field(block, 0, 6));
                String station = field(block, 6, 11);
                int amplitude = Integer.parseInt(field(block, 11, 15));
                index.computeIfAbsent(station, k -> new ArrayList<>())
                     .add(new Entry(offset, seq, amplitude));
            }
        }
        return index;
    }

    public static void main(String[] args) throws IOException {
        Map<String, List<Entry>> index = index("station.mseed");
        for (Map.Entry<String, List<Entry>> e : index.entrySet()) {
            Entry max = Collections.max(e.getValue(), Comparator.comparingInt(Entry::amplitude));
            System.out.println(e.getKey() + ": " + e.getValue().size() + " blocks, strongest "
                + max.amplitude() + " in block " + max.sequence() + " at byte " + max.offset());
        }
    }
}
