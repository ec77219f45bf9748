// Tasks: a method bound to the files of a run, ready to be repeated.

import java.io.File;
import java.io.IOException;
import java.util.List;

interface Task {
    void perform(int which, long offset, Sink out) throws IOException;

    /** Makes ready for a run of operations, the first of which has this number, before the clock. */
    default void begin(long first, long count) throws IOException, UnsupportedException {}

    /** Does what all of them leave to be done, while the clock runs. */
    default void finish(Sink out) throws IOException {}

    /** Closes what was open during the run, also after a failure; the clock stands. */
    default void end() throws IOException {}

    /** Delivers what the last run wrote, of one operation. */
    default void readBack(Sink out) throws IOException {}

    /** Opens what the task keeps between operations, and makes ready for some more of them. */
    void takeUp(long operations) throws IOException;

    /** Closes it and drops its mappings, which stand until {@link Mappings#collect}. */
    void release() throws IOException;
}

/** Every operation by itself: nothing is kept but mappings not yet collected. */
class PathTask implements Task {
    /** The kernel allows a process some 65,000 mappings, and the virtual machine needs a few. */
    private static final long MAX_MAPPINGS = 16384;

    private final Target[] targets;
    private final Action action;
    private final Tools tools;
    private final boolean maps;
    private long mappings;

    PathTask(List<Target> targets, Action action, Tools tools, boolean maps) {
        this.targets = targets.toArray(new Target[0]);
        this.action = action;
        this.tools = tools;
        this.maps = maps;
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        action.perform(targets[which], tools, out);
    }

    @Override
    public void takeUp(long operations) throws IOException {
        long more = Math.min(operations, MAX_MAPPINGS) * tools.threads();
        if (maps && mappings > 0 && mappings + more > MAX_MAPPINGS) {
            Mappings.collect(List.of(targets));
            mappings = 0;
        }
        mappings += more;
    }

    @Override
    public void release() {
        mappings = 0;
    }
}

/** A method in a process in which its fstat can be elided. Elided or not, the library is told before the clock starts: the two differ in nothing else. */
final class SwitchedTask extends PathTask {
    private final boolean elides;

    SwitchedTask(List<Target> targets, Action action, Tools tools, boolean elides) {
        super(targets, action, tools, false);
        this.elides = elides;
    }

    @Override
    public void begin(long first, long count) {
        Elision.set(elides);
    }

    @Override
    public void end() {
        Elision.set(false);
    }
}

/** The switch of drivers/interposer/elide_fstat.c, when that library stands between this process and the C library. Of JNI there is no need: the library listens for access(2), and answers it without a system call. */
final class Elision {
    private static final File ON = new File("/fathom-elide/on");
    private static final File OFF = new File("/fathom-elide/off");

    private Elision() {}

    /** Whether the library is there: no file system has these paths. */
    static boolean isThere() {
        return set(false);
    }

    /** From now on this thread's opens for writing are not followed by an fstat, or they are again. */
    static boolean set(boolean on) {
        return (on ? ON : OFF).canRead();
    }
}
