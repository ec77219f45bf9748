// hash: the MD5 of a file, or its XXH64.

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

final class Hash {
    private Hash() {}

    static void fileInputStream(Target target, Tools tools, Sink out) throws IOException {
        try (FileInputStream in = new FileInputStream(target.name())) {
            MessageDigest hash = hash(tools);
            byte[] buffer = tools.buffers.array();
            long size = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                hash.update(buffer, 0, count);
                size += count;
            }
            out.takeHash(size, hash.digest());
        }
    }

    static void map(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            MessageDigest hash = hash(tools);
            long size = channel.size();
            for (long start = 0; start < size; start += Segments.BYTES) {
                hash.update(channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(Segments.BYTES, size - start)));
            }
            out.takeHash(size, hash.digest());
        }
    }

    private static MessageDigest hash(Tools tools) {
        try {
            return tools.xxh64 ? new Xxh64() : MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has MD5", impossible);
        }
    }
}
