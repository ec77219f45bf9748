// Figures beside the time: the thread's from the kernel, the heap's from the
// runtime. They are read outside the clock.

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What differs between two readings, which themselves allocate nothing. */
final class Figures {
    private static final int CPU = 0;
    private static final int ALLOCATED = 1;
    private static final int COLLECTIONS = 2;
    private static final int COLLECTION_MS = 3;
    private static final int MINOR_FAULTS = 4;
    private static final int MAJOR_FAULTS = 5;
    private static final int SWITCHES = 6;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final GarbageCollectorMXBean[] collectors;
    /** Counters of one thread: nothing when several share the work. */
    private final boolean alone;
    private final ProcFile stat;
    private final ProcFile status;
    private final long[] before = new long[7];
    private final long[] after = new long[7];

    Figures(boolean alone) {
        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        collectors = beans.toArray(new GarbageCollectorMXBean[0]);
        this.alone = alone;
        // Opened by the thread that performs the operations, and bound to it.
        stat = alone ? ProcFile.open("/proc/thread-self/stat") : null;
        status = alone ? ProcFile.open("/proc/thread-self/status") : null;
        // What the first readings allocate belongs to no batch.
        before(true);
        after(true);
    }

    /** Reads before the clock starts; in a batch of its own there is time for the dear ones. */
    void before(boolean dear) {
        if (dear) {
            readDear(before);
        }
        readCheap(before);
    }

    void after(boolean dear) {
        readCheap(after);
        if (dear) {
            readDear(after);
        }
    }

    /** The differences as ` key=integer` each. */
    String text(boolean dear) {
        StringBuilder text = new StringBuilder();
        if (alone) {
            add(text, "cpu_ns", CPU, 1);
            add(text, "alloc_bytes", ALLOCATED, 1);
        }
        add(text, "gc_count", COLLECTIONS, 1);
        add(text, "gc_ns", COLLECTION_MS, 1_000_000);
        if (dear && stat != null && status != null) {
            add(text, "nivcsw", SWITCHES, 1);
            add(text, "minflt", MINOR_FAULTS, 1);
            add(text, "majflt", MAJOR_FAULTS, 1);
        }
        return text.toString();
    }

    private void add(StringBuilder text, String key, int number, long unit) {
        text.append(' ').append(key).append('=').append((after[number] - before[number]) * unit);
    }

    /** Some 0.5 us. */
    private void readCheap(long[] into) {
        if (alone) {
            into[CPU] = threads.getCurrentThreadCpuTime();
            into[ALLOCATED] = threads.getCurrentThreadAllocatedBytes();
        }
        into[COLLECTIONS] = 0;
        into[COLLECTION_MS] = 0;
        for (GarbageCollectorMXBean collector : collectors) {
            into[COLLECTIONS] += collector.getCollectionCount();
            into[COLLECTION_MS] += collector.getCollectionTime();
        }
    }

    /** Two files of /proc, read and searched. */
    private void readDear(long[] into) {
        if (stat != null && status != null) {
            // proc(5): behind the name in brackets follow fields 3 and on.
            stat.read();
            stat.skipBehind(") ");
            into[MINOR_FAULTS] = stat.field(7);
            into[MAJOR_FAULTS] = stat.field(2);
            status.read();
            status.skipBehind("nonvoluntary_ctxt_switches:\t");
            into[SWITCHES] = status.field(0);
        }
    }
}

/** A file of /proc, read again and again without allocating. */
final class ProcFile {
    private final RandomAccessFile file;
    private final byte[] text = new byte[4096];
    private int length;
    private int at;

    private ProcFile(RandomAccessFile file) {
        this.file = file;
    }

    /** Null where there is no such file. */
    static ProcFile open(String path) {
        try {
            return new ProcFile(new RandomAccessFile(path, "r"));
        } catch (IOException absent) {
            return null;
        }
    }

    void read() {
        try {
            file.seek(0);
            length = Math.max(0, file.read(text));
        } catch (IOException lost) {
            length = 0;
        }
        at = 0;
    }

    /** Goes behind the first place where the words stand. */
    void skipBehind(String words) {
        while (at + words.length() < length && !standsHere(words)) {
            at++;
        }
        at += words.length();
    }

    /** Skips a number of fields and reads the one behind them. */
    long field(int skipped) {
        for (int left = skipped; left > 0 && at < length; at++) {
            left -= text[at] == ' ' ? 1 : 0;
        }
        long value = 0;
        for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
            value = value * 10 + text[at] - '0';
        }
        return value;
    }

    private boolean standsHere(String words) {
        for (int i = 0; i < words.length(); i++) {
            if (text[at + i] != words.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}

/** Marks: two failing calls by which a tracer sees the clock's region. */
final class Marks {
    private static final File BEGIN = new File("/fathom-mark/begin");
    private static final File END = new File("/fathom-mark/end");

    private final boolean wanted;

    Marks(boolean wanted) {
        this.wanted = wanted;
    }

    void begin() {
        if (wanted) {
            BEGIN.exists();
        }
    }

    void end() {
        if (wanted) {
            END.exists();
        }
    }
}
