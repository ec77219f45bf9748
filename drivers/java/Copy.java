// copy: copy a file to a name that is not there.

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

final class Copy {
    private Copy() {}

    static void files(Target from, Target to, boolean sync) throws IOException {
        Files.copy(from.path(), to.path());
    }

    static void fileChannel(Target from, Target to, boolean sync) throws IOException {
        try (FileChannel in = FileChannel.open(from.path());
                FileChannel out = FileChannel.open(to.path(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long size = in.size();
            for (long position = 0; position < size; ) {
                long count = in.transferTo(position, size - position, out);
                if (count == 0) {
                    throw new EOFException();
                }
                position += count;
            }
            if (sync) {
                out.force(true);
            }
        }
    }

    static void inputStream(Target from, Target to, boolean sync) throws IOException {
        try (FileInputStream in = new FileInputStream(from.name());
                FileOutputStream out = new FileOutputStream(to.name())) {
            in.transferTo(out);
            if (sync) {
                out.getFD().sync();
            }
        }
    }
}
