// hash: the MD5 of a file.

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

final class Hash {
    private Hash() {}

    static void fileInputStream(Target target, Tools tools, Sink out) throws IOException {
        try (FileInputStream in = new FileInputStream(target.name())) {
            MessageDigest md5 = md5();
            byte[] buffer = tools.buffers.array();
            long size = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                md5.update(buffer, 0, count);
                size += count;
            }
            out.takeHash(size, md5.digest());
        }
    }

    static void map(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            MessageDigest md5 = md5();
            long size = channel.size();
            for (long start = 0; start < size; start += Segments.BYTES) {
                md5.update(channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(Segments.BYTES, size - start)));
            }
            out.takeHash(size, md5.digest());
        }
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has MD5", impossible);
        }
    }
}
