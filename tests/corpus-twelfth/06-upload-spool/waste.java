import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32;

/** Takes an upload apart into framed 1 KB parts and spools it for the next stage. */
public final class UploadSpool {
    private static final int PART = 1024;
    private static final long RESERVE = 1L << 20;

    private final File dir;

    UploadSpool(File dir) {
        this.dir = dir;
    }

    /** Refuses when the spool volume would run full. */
    private void ensureRoom(long bytes) throws IOException {
        if (dir.getUsableSpace() < bytes + RESERVE) {
            throw new IOException("spool volume full: " + dir);
        }
    }

    private static void putInt(OutputStream out, int v) throws IOException {
        out.write(v >>> 24);
        out.write(v >>> 16);
        out.write(v >>> 8);
        out.write(v);
    }

    private String spool(File upload) throws IOException {
        int parts = 0;
        CRC32 crc = new CRC32();
        File target = new File(dir, upload.getName() + ".parts");
        try (InputStream in = new BufferedInputStream(new FileInputStream(upload), 1 << 16);
             OutputStream out = new BufferedOutputStream(new FileOutputStream(target), 1 << 16)) {
            byte[] part = new byte[PART];
            int n;
            while ((n = in.readNBytes(part, 0, PART)) > 0) {
                ensureRoom(n + 8);
                crc.update(part, 0, n);
                putInt(out, n);
                putInt(out, (int) crc.getValue());
                out.write(part, 0, n);
                parts++;
            }
        }
        return parts + " parts, crc " + Long.toHexString(crc.getValue());
    }

    public static void main(String[] args) throws IOException {
        UploadSpool spool = new UploadSpool(new File(args[1]));
        System.out.println(spool.spool(new File(args[0])));
    }
}
