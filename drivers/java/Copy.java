// copy: copy a file to a name that is not there.

import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/** One way to copy a file to a name that is not there. */
interface Copier {
    void copy(Target from, Target to, boolean sync) throws IOException;
}

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

/** copy, one file after the other. */
final class CopyTask implements Task {
    private final Plan plan;
    private final Workplace workplace;
    private final Copier copier;
    private final boolean sync;
    private final Target[] sources;
    private Target[] copies = {};
    /** The copy that the next operation makes. */
    private int next;

    private CopyTask(Plan plan, Tools tools, Copier copier) {
        this.plan = plan;
        workplace = tools.workplace;
        this.copier = copier;
        sync = plan.sync.equals("fsync");
        sources = plan.targets.toArray(new Target[0]);
    }

    static TaskMaker by(Copier copier) {
        return (plan, tools) -> new CopyTask(plan, tools, copier);
    }

    static TaskMaker unsynced(Copier copier) {
        return (plan, tools) -> {
            if (plan.sync.equals("fsync")) {
                throw new UnsupportedException("this way of copying closes the copy before it could be synced");
            }
            return new CopyTask(plan, tools, copier);
        };
    }

    @Override
    public void takeUp(long operations) {}

    @Override
    public void release() {}

    @Override
    public void begin(long first, long count) throws IOException {
        workplace.clear();
        workplace.next();
        copies = workplace.targets("c", count);
        workplace.leave(copies);
        next = 0;
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        try {
            copier.copy(sources[which], copies[next], sync);
        } catch (FileNotFoundException | FileSystemException error) {
            boolean ofCopy = String.valueOf(error.getMessage()).startsWith(copies[next].name());
            throw new TargetException(ofCopy ? copies[next] : sources[which], error);
        } catch (IOException error) {
            throw new TargetException(copies[next], error, "copy");
        }
        out.takeWritten(plan.size);
        next++;
    }

    @Override
    public void readBack(Sink out) throws IOException {
        out.take(Files.readAllBytes(copies[0].path()));
    }
}
