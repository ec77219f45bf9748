// open-write-close: open an existing file for writing and close it. All but
// FileChannel would create a missing file, and two truncate it.

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

final class OpenWriteClose {
    /** Each one object, so that with the fstat and without it the same compiled code runs. */
    static final Action FILE_OUTPUT_STREAM = OpenWriteClose::fileOutputStream;
    static final Action RANDOM_ACCESS_FILE = OpenWriteClose::randomAccessFile;

    private OpenWriteClose() {}

    static void fileOutputStream(Target target, Tools tools, Sink out) throws IOException {
        new FileOutputStream(target.name()).close();
    }

    static void fileOutputStreamAppend(Target target, Tools tools, Sink out) throws IOException {
        new FileOutputStream(target.name(), true).close();
    }

    static void randomAccessFile(Target target, Tools tools, Sink out) throws IOException {
        new RandomAccessFile(target.name(), "rw").close();
    }

    static void newOutputStream(Target target, Tools tools, Sink out) throws IOException {
        Files.newOutputStream(target.path()).close();
    }

    static void fileChannel(Target target, Tools tools, Sink out) throws IOException {
        FileChannel.open(target.path(), StandardOpenOption.WRITE).close();
    }
}
