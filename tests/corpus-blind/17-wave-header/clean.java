import java.io.*;

/** Finds the peak of a sound of 16-bit samples. */
class Main {
    static int sample(DataInputStream in) throws IOException {
        return in.readUnsignedShort();
    }

    public static void main(String[] args) throws IOException {
        int samples = 0;
        int peak = 0;
        long energy = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream("tone.pcm")))) {
            while (true) {
                int value = sample(in);
                samples++;
                peak = Math.max(peak, value);
                energy += value;
            }
        } catch (EOFException end) {
            // all samples are read
        }
        System.out.println("samples " + samples + ", peak " + peak + ", mean " + energy / samples);
    }
}
