// open-read-close: open, read the first block, close. The buffers are no longer
// than the file, so one read suffices unless the runtime reads less at once.

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

final class OpenReadClose {
    private OpenReadClose() {}

    static void fileInputStream(Target target, Tools tools, Sink out) throws IOException {
        try (FileInputStream in = new FileInputStream(target.name())) {
            readStart(in, tools.buffers.array(), out);
        }
    }

    static void newInputStream(Target target, Tools tools, Sink out) throws IOException {
        try (InputStream in = Files.newInputStream(target.path())) {
            readStart(in, tools.buffers.array(), out);
        }
    }

    static void randomAccessFile(Target target, Tools tools, Sink out) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(target.name(), "r")) {
            byte[] buffer = tools.buffers.array();
            file.readFully(buffer);
            out.take(buffer, buffer.length);
        }
    }

    static void fileChannel(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            readStart(channel, tools.buffers.direct(), out);
        }
    }

    static void fileChannelHeap(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            readStart(channel, tools.buffers.heap(), out);
        }
    }

    static void map(Target target, Tools tools, Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            out.take(channel.map(FileChannel.MapMode.READ_ONLY, 0, tools.buffers.length()));
        }
    }

    private static void readStart(InputStream in, byte[] buffer, Sink out) throws IOException {
        out.take(buffer, in.readNBytes(buffer, 0, buffer.length));
    }

    private static void readStart(FileChannel channel, ByteBuffer buffer, Sink out) throws IOException {
        int count = 0;
        while (buffer.hasRemaining() && count >= 0) {
            count = channel.read(buffer);
        }
        out.take(buffer.flip());
    }
}
