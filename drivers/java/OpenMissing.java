// open-missing: open a file that is not there, and catch what Java throws. The
// exceptions of java.io are one for every reason, which their message tells.

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;

final class OpenMissing {
    private OpenMissing() {}

    static void fileInputStream(Target target, Tools tools, Sink out) throws IOException {
        try {
            new FileInputStream(target.name()).close();
        } catch (FileNotFoundException error) {
            expectMissing(error);
            return;
        }
        throw new FileAlreadyExistsException(target.name());
    }

    static void randomAccessFile(Target target, Tools tools, Sink out) throws IOException {
        try {
            new RandomAccessFile(target.name(), "r").close();
        } catch (FileNotFoundException error) {
            expectMissing(error);
            return;
        }
        throw new FileAlreadyExistsException(target.name());
    }

    static void newInputStream(Target target, Tools tools, Sink out) throws IOException {
        try {
            Files.newInputStream(target.path()).close();
        } catch (NoSuchFileException missing) {
            return;
        }
        throw new FileAlreadyExistsException(target.name());
    }

    static void fileChannel(Target target, Tools tools, Sink out) throws IOException {
        try {
            FileChannel.open(target.path()).close();
        } catch (NoSuchFileException missing) {
            return;
        }
        throw new FileAlreadyExistsException(target.name());
    }

    private static void expectMissing(FileNotFoundException error) throws FileNotFoundException {
        if (!error.getMessage().endsWith("(No such file or directory)")) {
            throw error;
        }
    }
}
