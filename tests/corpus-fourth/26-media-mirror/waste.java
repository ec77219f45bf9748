import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** Mirrors the clips of a camera to the directory of the cutter. */
class Main {
    static long mirror(File from, File to) throws IOException {
        try (FileInputStream in = new FileInputStream(from); FileOutputStream out = new FileOutputStream(to)) {
            byte[] buffer = new byte[16 * 1024];
            long total = 0;
            for (int n; (n = in.read(buffer)) > 0; total += n) {
                out.write(buffer, 0, n);
            }
            return total;
        }
    }

    public static void main(String[] args) throws IOException {
        File[] clips = new File("clips").listFiles();
        Arrays.sort(clips);
        long bytes = 0;
        for (File c : clips) {
            bytes += mirror(c, new File("mirror", c.getName()));
        }
        System.out.println(clips.length + " clips, " + bytes + " bytes, last " + new File("mirror", "clip9.bin").length());
    }
}
