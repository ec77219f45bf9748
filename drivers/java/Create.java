// create: make a file and write into it.

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/** A way to make a file, which is open until it is closed. */
interface Creator<F extends Closeable> {
    F open(Target target) throws IOException;

    void write(F file, Content content) throws IOException;

    void sync(F file) throws IOException;

    default boolean canSync() {
        return true;
    }
}

final class Create {
    private Create() {}

    static Creator<FileOutputStream> fileOutputStream() {
        return new FileOutputStreamCreator();
    }

    static Creator<OutputStream> newOutputStream() {
        return new NewOutputStreamCreator();
    }

    static Creator<FileChannel> fileChannel() {
        return new FileChannelCreator();
    }
}

final class FileOutputStreamCreator implements Creator<FileOutputStream> {
    @Override
    public FileOutputStream open(Target target) throws IOException {
        return new FileOutputStream(target.name());
    }

    @Override
    public void write(FileOutputStream file, Content content) throws IOException {
        file.write(content.array());
    }

    @Override
    public void sync(FileOutputStream file) throws IOException {
        file.getFD().sync();
    }
}

final class NewOutputStreamCreator implements Creator<OutputStream> {
    @Override
    public OutputStream open(Target target) throws IOException {
        return Files.newOutputStream(target.path());
    }

    @Override
    public void write(OutputStream file, Content content) throws IOException {
        file.write(content.array());
    }

    @Override
    public void sync(OutputStream file) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean canSync() {
        return false;
    }
}

final class FileChannelCreator implements Creator<FileChannel> {
    @Override
    public FileChannel open(Target target) throws IOException {
        return FileChannel.open(target.path(), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    @Override
    public void write(FileChannel file, Content content) throws IOException {
        ByteBuffer buffer = content.direct().rewind();
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
    }

    @Override
    public void sync(FileChannel file) throws IOException {
        file.force(true);
    }
}
