// read-block: read one block of a file that stays open, or stays mapped.

import com.sun.nio.file.ExtendedOpenOption;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Takes up the file from which read-block reads. */
interface BlockOpener {
    BlockSource open(Target target, Plan plan) throws IOException;
}

/** An open file from which blocks are read. */
interface BlockSource {
    void readBlock(Buffers buffers, long offset, Sink out) throws IOException;

    void close() throws IOException;
}

/** read-block on files that stay open. */
final class BlockTask implements Task {
    private final Plan plan;
    private final BlockOpener opener;
    private final Tools tools;
    private final List<BlockSource> opened = new ArrayList<>();
    private BlockSource[] sources = {};

    BlockTask(Plan plan, BlockOpener opener, Tools tools) {
        this.plan = plan;
        this.opener = opener;
        this.tools = tools;
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        sources[which].readBlock(tools.buffers, offset, out);
    }

    @Override
    public void takeUp(long operations) throws IOException {
        while (opened.size() < plan.targets.size()) {
            Target target = plan.targets.get(opened.size());
            try {
                opened.add(opener.open(target, plan));
            } catch (IOException error) {
                throw new TargetException(target, error);
            }
        }
        if (sources.length < opened.size()) {
            sources = opened.toArray(new BlockSource[0]);
        }
    }

    @Override
    public void release() throws IOException {
        for (BlockSource source : opened) {
            source.close();
        }
        opened.clear();
        sources = new BlockSource[0];
    }
}

final class ReadBlock {
    private ReadBlock() {}

    static BlockSource randomAccessFile(Target target, Plan plan) throws IOException {
        return new SeekingSource(new RandomAccessFile(target.name(), "r"));
    }

    static BlockSource fileChannel(Target target, Plan plan) throws IOException {
        return new PositionSource(FileChannel.open(target.path()));
    }

    static BlockSource fileChannelDirect(Target target, Plan plan) throws IOException {
        return new DirectSource(FileChannel.open(target.path(), StandardOpenOption.READ, ExtendedOpenOption.DIRECT));
    }

    static BlockSource map(Target target, Plan plan) throws IOException {
        return new MappedSource(Segments.map(target, plan.size, plan.block));
    }

    static BlockSource mapCopy(Target target, Plan plan) throws IOException {
        return new CopiedSource(Segments.map(target, plan.size, plan.block));
    }
}

record SeekingSource(RandomAccessFile file) implements BlockSource {
    @Override
    public void readBlock(Buffers buffers, long offset, Sink out) throws IOException {
        byte[] buffer = buffers.array();
        file.seek(offset);
        file.readFully(buffer);
        out.take(buffer, buffer.length);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

record PositionSource(FileChannel channel) implements BlockSource {
    @Override
    public void readBlock(Buffers buffers, long offset, Sink out) throws IOException {
        ByteBuffer buffer = buffers.direct();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new EOFException();
            }
        }
        out.take(buffer.flip());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

/** As before, in a buffer that starts where a page does. */
record DirectSource(FileChannel channel) implements BlockSource {
    @Override
    public void readBlock(Buffers buffers, long offset, Sink out) throws IOException {
        ByteBuffer buffer = buffers.aligned();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new EOFException();
            }
        }
        out.take(buffer.flip());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

record MappedSource(Segments segments) implements BlockSource {
    @Override
    public void readBlock(Buffers buffers, long offset, Sink out) {
        segments.deliver(offset, buffers.length(), out);
    }

    /** Java has no call that unmaps; whoever drops this waits for the collector. */
    @Override
    public void close() {}
}

record CopiedSource(Segments segments) implements BlockSource {
    @Override
    public void readBlock(Buffers buffers, long offset, Sink out) {
        byte[] array = buffers.array();
        segments.copy(offset, array);
        out.take(array, array.length);
    }

    @Override
    public void close() {}
}
