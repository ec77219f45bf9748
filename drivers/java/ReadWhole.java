// read-whole: open, read the whole file, close.

import com.sun.nio.file.ExtendedOpenOption;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

final class ReadWhole {
    private ReadWhole() {}

    static void readAllBytes(Target target, Tools tools, Sink out) throws IOException {
        out.take(Files.readAllBytes(target.path()));
    }

    static void readString(Target target, Tools tools, Sink out) throws IOException {
        out.take(Files.readString(target.path(), StandardCharsets.ISO_8859_1));
    }

    static void fileInputStream(Target target, Tools tools, Sink out) throws IOException {
        try (FileInputStream in = new FileInputStream(target.name())) {
            out.take(in.readAllBytes());
        }
    }

    static void bufferedInputStream(Target target, Tools tools, Sink out) throws IOException {
        try (InputStream in = new BufferedInputStream(new FileInputStream(target.name()))) {
            out.take(in.readAllBytes());
        }
    }

    static void newInputStream(Target target, Tools tools, Sink out) throws IOException {
        try (InputStream in = Files.newInputStream(target.path())) {
            out.take(in.readAllBytes());
        }
    }

    static void randomAccessFile(Target target, Tools tools, Sink out) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(target.name(), "r")) {
            long length = file.length();
            if (length > Integer.MAX_VALUE - 8) {
                throw new OutOfMemoryError("Required array size too large");
            }
            byte[] data = new byte[(int) length];
            file.readFully(data);
            out.take(data);
        }
    }

    static void fileChannel(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            ByteBuffer buffer = tools.buffers.direct();
            while (channel.read(buffer) >= 0) {
                out.take(buffer.flip());
                buffer.clear();
            }
        }
    }

    static void fileChannelDirect(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel =
                FileChannel.open(target.path(), StandardOpenOption.READ, ExtendedOpenOption.DIRECT)) {
            int count;
            do {
                ByteBuffer buffer = tools.buffers.aligned();
                count = channel.read(buffer);
                out.take(buffer.flip());
                // Only the end of the file comes in less than a whole page; nothing could be read behind it.
            } while (count > 0 && count % DirectIo.UNIT == 0);
        }
    }

    static void map(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            long size = channel.size();
            for (long start = 0; start < size; start += Segments.BYTES) {
                out.take(channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(Segments.BYTES, size - start)));
            }
        }
    }

    /** Every byte is read: the array holds in the end what a read would have left there. */
    static void mapCopy(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            long size = channel.size();
            byte[] array = tools.buffers.array();
            for (long start = 0; start < size; start += Segments.BYTES) {
                ByteBuffer mapped =
                        channel.map(FileChannel.MapMode.READ_ONLY, start, Math.min(Segments.BYTES, size - start));
                while (mapped.hasRemaining()) {
                    int length = Math.min(array.length, mapped.remaining());
                    mapped.get(array, 0, length);
                    out.take(array, length);
                }
            }
        }
    }
}
