// write-block on a file that is open during a run of operations.

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

final class WriteTask implements Task {
    private final Plan plan;
    private final Workplace workplace;
    private final WriterOpener opener;
    private final Pool pool;
    private final boolean sync;
    private Target target;
    private BlockWriter writer;
    private boolean mapped;

    private WriteTask(Plan plan, Tools tools, WriterOpener opener) {
        this.plan = plan;
        workplace = tools.workplace;
        this.opener = opener;
        pool = new Pool(plan);
        sync = plan.sync.equals("fsync");
    }

    static TaskMaker by(WriterOpener opener) {
        return (plan, tools) -> new WriteTask(plan, tools, opener);
    }

    /** By a stream, which truncates what it opens and goes on from there. */
    static TaskMaker sequentially(WriterOpener opener) {
        return (plan, tools) -> {
            if (!plan.sequential) {
                throw new UnsupportedException("a stream writes in sequence; --access sequential is for it");
            }
            if (plan.existing.equals("data")) {
                throw new UnsupportedException("the stream truncates the file that it opens");
            }
            return new WriteTask(plan, tools, opener);
        };
    }

    @Override
    public void takeUp(long operations) {}

    @Override
    public void release() throws IOException {
        dropMapping();
    }

    @Override
    public void begin(long first, long count) throws IOException, UnsupportedException {
        dropMapping();
        makeFile();
        try {
            // Who writes in sequence begins where the first block goes.
            writer = opener.open(target, plan, Offsets.offset(plan, first));
        } catch (IOException error) {
            throw TargetException.writing(target, error);
        } catch (IllegalArgumentException error) {
            throw new UnsupportedException("a mapping holds no more than " + Integer.MAX_VALUE + " bytes");
        }
        mapped = writer.maps();
        pool.seek(first);
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        int start = pool.next();
        try {
            writer.write(offset, pool, start, plan.block);
        } catch (IOException error) {
            throw TargetException.writing(target, error);
        }
        out.take(pool.array(), start, plan.block);
    }

    /** What a stream still holds is written while the clock runs. */
    @Override
    public void finish(Sink out) throws IOException {
        try {
            writer.flush();
            if (sync) {
                writer.sync();
            }
        } catch (IOException error) {
            throw TargetException.writing(target, error);
        }
    }

    @Override
    public void end() throws IOException {
        if (writer != null) {
            writer.close();
            writer = null;
        }
    }

    @Override
    public void readBack(Sink out) throws IOException {
        try (FileChannel channel = FileChannel.open(target.path())) {
            ByteBuffer block = ByteBuffer.allocate(plan.block);
            long offset = Offsets.offset(plan, 0);
            while (block.hasRemaining() && channel.read(block, offset + block.position()) >= 0) {
                continue;
            }
            out.take(block.flip());
        }
    }

    private void dropMapping() throws IOException {
        if (mapped) {
            Mappings.collect(List.of(target));
            mapped = false;
        }
    }

    private void makeFile() throws IOException {
        workplace.clear();
        workplace.next();
        target = workplace.target("f");
        if (!plan.existing.equals("data")) {
            Files.createFile(target.path());
            workplace.leave(target);
            return;
        }
        if (workplace.kept == null) {
            writeWhole();
        } else {
            Files.move(workplace.kept.path(), target.path(), StandardCopyOption.ATOMIC_MOVE);
        }
        workplace.kept = target;
    }

    private void writeWhole() throws IOException {
        try (FileChannel channel =
                FileChannel.open(target.path(), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            for (long left = plan.size; left > 0; ) {
                left -= channel.write(ByteBuffer.wrap(pool.array(), 0, (int) Math.min(left, Pool.BYTES)));
            }
            channel.force(true);
        } catch (IOException error) {
            throw TargetException.writing(target, error);
        }
    }
}
