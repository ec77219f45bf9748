import java.io.*;

class Peaks implements Closeable {
    private final DataInputStream in;
    int samples, peak;

    Peaks(File f) throws IOException {
        in = new DataInputStream(new BufferedInputStream(new FileInputStream(f)));
    }

    boolean step() throws IOException {
        try {
            int v = Math.abs(in.readShort());
            peak = Math.max(peak, v);
            samples++;
            return true;
        } catch (EOFException e) {
            return false;
        }
    }

    @Override public void close() throws IOException { in.close(); }
}

class Main {
    public static void main(String[] args) throws IOException {
        try (Peaks p = new Peaks(new File("take1.raw"))) {
            while (p.step()) {
            }
            System.out.println(p.samples + " samples, peak " + p.peak);
        }
    }
}
