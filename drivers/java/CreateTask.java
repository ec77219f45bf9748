// create: make files, each closed at once or all of them later.

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

abstract class CreateTask implements Task {
    private static final int EXISTING_BYTES = 4096;

    final Plan plan;
    final Content content;
    final boolean sync;
    private final Workplace workplace;
    Target[] targets = {};
    /** The file of the next operation. */
    int next;

    CreateTask(Plan plan, Tools tools) {
        this.plan = plan;
        workplace = tools.workplace;
        content = Content.of(plan.write);
        sync = plan.sync.equals("fsync");
    }

    static <F extends Closeable> TaskMaker by(Creator<F> creator) {
        return (plan, tools) -> {
            if (plan.sync.equals("fsync") && !creator.canSync()) {
                throw new UnsupportedException("the stream has no FileDescriptor to sync");
            }
            boolean each = plan.close.equals("each");
            return each ? new CreateEach<>(plan, tools, creator) : new CreateInPhases<>(plan, tools, creator);
        };
    }

    static Task atOnce(Plan plan, Tools tools) throws UnsupportedException {
        if (plan.sync.equals("fsync") || !plan.close.equals("each")) {
            throw new UnsupportedException("Files.write opens, writes and closes in one call");
        }
        return new CreateAtOnce(plan, tools);
    }

    @Override
    public void takeUp(long operations) {}

    @Override
    public void release() {}

    @Override
    public void begin(long first, long count) throws IOException, UnsupportedException {
        boolean fills = !plan.existing.equals("fresh");
        boolean prepared = fills && workplace.takePrepared();
        if (!prepared) {
            workplace.next();
        }
        targets = workplace.targets("f", count);
        next = 0;
        if (fills && !prepared) {
            byte[] data = Content.pattern(plan.existing.equals("data") ? EXISTING_BYTES : 0);
            for (Target target : targets) {
                Files.write(target.path(), data, StandardOpenOption.CREATE_NEW);
            }
            for (int i = 0; data.length > 0 && i < targets.length; i++) {
                try (FileChannel channel = FileChannel.open(targets[i].path(), StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
            }
        }
    }

    @Override
    public void readBack(Sink out) throws IOException {
        out.take(Files.readAllBytes(targets[0].path()));
    }
}

final class CreateEach<F extends Closeable> extends CreateTask {
    private final Creator<F> creator;

    CreateEach(Plan plan, Tools tools, Creator<F> creator) {
        super(plan, tools);
        this.creator = creator;
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        try (F file = creator.open(targets[next])) {
            if (!content.isEmpty()) {
                creator.write(file, content);
                out.takeWritten(content.array().length);
            }
            if (sync) {
                creator.sync(file);
            }
        } catch (IOException error) {
            throw TargetException.writing(targets[next], error);
        }
        next++;
    }
}

final class CreateAtOnce extends CreateTask {
    CreateAtOnce(Plan plan, Tools tools) {
        super(plan, tools);
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        try {
            Files.write(targets[next].path(), content.array());
        } catch (IOException error) {
            throw TargetException.writing(targets[next], error);
        }
        out.takeWritten(content.array().length);
        next++;
    }
}

/** Each is opened and written; then all are closed, with the clock or behind it. */
final class CreateInPhases<F extends Closeable> extends CreateTask {
    private final Creator<F> creator;
    private final boolean closes;
    private F[] files;
    private int closed;

    CreateInPhases(Plan plan, Tools tools, Creator<F> creator) {
        super(plan, tools);
        this.creator = creator;
        closes = plan.close.equals("all");
    }

    @SuppressWarnings("unchecked")
    @Override
    public void begin(long first, long count) throws IOException, UnsupportedException {
        // The virtual machine has raised its limit as far as it goes.
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && count > system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount()) {
            throw new UnsupportedException("this process may not have " + count + " files open");
        }
        super.begin(first, count);
        closed = 0;
        files = (F[]) new Closeable[targets.length];
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        try {
            files[next] = creator.open(targets[next]);
            if (!content.isEmpty()) {
                creator.write(files[next], content);
                out.takeWritten(content.array().length);
            }
        } catch (IOException error) {
            throw TargetException.writing(targets[next], error);
        }
        next++;
    }

    @Override
    public void finish(Sink out) throws IOException {
        int at = 0;
        try {
            if (sync) {
                for (at = 0; at < files.length; at++) {
                    creator.sync(files[at]);
                }
            }
            if (closes) {
                for (at = 0; at < files.length; at++) {
                    files[at].close();
                    closed++;
                }
            }
        } catch (IOException error) {
            throw TargetException.writing(targets[at], error);
        }
    }

    @Override
    public void end() throws IOException {
        // The last one may be open though it could not be written.
        for (; files != null && closed < files.length && files[closed] != null; closed++) {
            files[closed].close();
        }
        files = null;
    }
}
