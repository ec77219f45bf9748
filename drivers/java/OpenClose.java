// open-close: open an existing file for reading and close it.

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;

final class OpenClose {
    private OpenClose() {}

    static void fileInputStream(Target target, Tools tools, Sink out) throws IOException {
        new FileInputStream(target.name()).close();
    }

    static void randomAccessFile(Target target, Tools tools, Sink out) throws IOException {
        new RandomAccessFile(target.name(), "r").close();
    }

    static void newInputStream(Target target, Tools tools, Sink out) throws IOException {
        Files.newInputStream(target.path()).close();
    }

    static void fileChannel(Target target, Tools tools, Sink out) throws IOException {
        FileChannel.open(target.path()).close();
    }

    static void newByteChannel(Target target, Tools tools, Sink out) throws IOException {
        Files.newByteChannel(target.path()).close();
    }
}
