// write-block: write one block of a file that stays open, or stays mapped.

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/** An open file to which blocks are written. */
interface BlockWriter {
    /** Writes the block that starts there in the pool. */
    void write(long offset, Pool pool, int start, int length) throws IOException;

    void flush() throws IOException;

    void sync() throws IOException;

    void close() throws IOException;

    /** A mapping stands until {@link Mappings#collect}. */
    default boolean maps() {
        return false;
    }
}

/** Takes up the file to which write-block writes; a stream starts at the offset. */
interface WriterOpener {
    BlockWriter open(Target target, Plan plan, long start) throws IOException;
}

final class WriteBlock {
    private WriteBlock() {}

    static BlockWriter randomAccessFile(Target target, Plan plan, long start) throws IOException {
        return new SeekingWriter(new RandomAccessFile(target.name(), "rw"));
    }

    static BlockWriter fileChannel(Target target, Plan plan, long start) throws IOException {
        return new PositionWriter(FileChannel.open(target.path(), StandardOpenOption.WRITE));
    }

    static BlockWriter fileOutputStream(Target target, Plan plan, long start) throws IOException {
        FileOutputStream file = new FileOutputStream(target.name());
        return new StreamWriter(file, file, start);
    }

    static BlockWriter bufferedOutputStream(Target target, Plan plan, long start) throws IOException {
        FileOutputStream file = new FileOutputStream(target.name());
        return new StreamWriter(file, new BufferedOutputStream(file), start);
    }

    static BlockWriter map(Target target, Plan plan, long start) throws IOException {
        try (FileChannel channel =
                FileChannel.open(target.path(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new MappedWriter(channel.map(FileChannel.MapMode.READ_WRITE, 0, plan.size));
        }
    }
}

record SeekingWriter(RandomAccessFile file) implements BlockWriter {
    @Override
    public void write(long offset, Pool pool, int start, int length) throws IOException {
        file.seek(offset);
        file.write(pool.array(), start, length);
    }

    @Override
    public void flush() {}

    @Override
    public void sync() throws IOException {
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

record PositionWriter(FileChannel channel) implements BlockWriter {
    @Override
    public void write(long offset, Pool pool, int start, int length) throws IOException {
        ByteBuffer block = pool.direct(start);
        while (block.hasRemaining()) {
            channel.write(block, offset + block.position() - start);
        }
    }

    @Override
    public void flush() {}

    @Override
    public void sync() throws IOException {
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

final class StreamWriter implements BlockWriter {
    private final FileOutputStream file;
    private final OutputStream out;
    private long position;

    StreamWriter(FileOutputStream file, OutputStream out, long start) throws IOException {
        this.file = file;
        this.out = out;
        file.getChannel().position(start);
        position = start;
    }

    @Override
    public void write(long offset, Pool pool, int start, int length) throws IOException {
        if (offset != position) {
            // The file starts again.
            out.flush();
            file.getChannel().position(offset);
        }
        out.write(pool.array(), start, length);
        position = offset + length;
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void sync() throws IOException {
        file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}

record MappedWriter(MappedByteBuffer data) implements BlockWriter {
    @Override
    public void write(long offset, Pool pool, int start, int length) {
        data.put((int) offset, pool.array(), start, length);
    }

    @Override
    public void flush() {}

    @Override
    public void sync() {
        data.force();
    }

    /** Java has no call that unmaps; whoever drops this waits for the collector. */
    @Override
    public void close() {}

    @Override
    public boolean maps() {
        return true;
    }
}
