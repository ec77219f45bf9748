// The loop over operations: the only code, besides the methods, that runs while
// the clock does.

import java.io.IOException;

final class Loop {
    private final Task task;
    private final Sink out;
    private final int paths;
    /** The path of the next operation, or of the one that failed. */
    int which;
    long done;

    Loop(Task task, Sink out, int paths, long first) {
        this.task = task;
        this.out = out;
        this.paths = paths;
        which = (int) (first % paths);
    }

    /** Performs operations; `offsets`, from one of them on, is null where they have none. */
    void run(long count, long[] offsets, long from) throws IOException {
        for (long i = 0; i < count; i++) {
            step(offsets == null ? 0 : offsets[(int) (from + i)]);
        }
        task.finish(out);
    }

    /** The same with a reading of the clock after every operation; what is left to the end is none's own. */
    void runEach(long[] latencies, long[] offsets, long from, long begin) throws IOException {
        long last = begin;
        for (int i = 0; i < latencies.length; i++) {
            step(offsets == null ? 0 : offsets[(int) (from + i)]);
            long now = System.nanoTime();
            latencies[i] = now - last;
            last = now;
        }
        task.finish(out);
    }

    private void step(long offset) throws IOException {
        out.begin();
        done++;
        task.perform(which, offset, out);
        if (++which == paths) {
            which = 0;
        }
    }
}
