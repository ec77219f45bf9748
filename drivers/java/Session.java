// A session: it prepares what the arguments ask for, then obeys lines until the
// input ends.

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

final class Session {
    /** Bounds the memory for offsets and for operations' own times to 1 GiB each. */
    private static final long MAX_STORED = 1 << 27;

    private final Plan plan;
    private final List<Task> tasks = new ArrayList<>();
    private final long[] performed;
    private final Marks marks;
    private final Figures figures;
    private final Sink sink = new Sink(false);
    private final OutputStream latencies;
    private long[] offsets;

    /**
     * Binds the methods to the files and takes up what they hold. A file that cannot be opened
     * is not reported here but by the batch that needs it.
     */
    Session(Plan plan) throws UnsupportedException, IOException {
        this.plan = plan;
        if (plan.buffer.equals("stack")) {
            throw new UnsupportedException("Java puts no buffer on the stack");
        }
        performed = new long[plan.methods.size()];
        marks = new Marks(plan.marks);
        figures = new Figures(plan.threads == 1);
        latencies = plan.latencies == null ? null : new FileOutputStream(plan.latencies, true);
        ExecutorService pool = Tools.pool(plan.threads);
        Workplace workplace = plan.operation.writes() ? new Workplace(plan.directory) : null;
        for (Method method : plan.methods) {
            Task task = method.task(plan, new Tools(plan, pool, workplace));
            try {
                task.takeUp(0);
            } catch (IOException | OutOfMemoryError thrown) {
                Failure failure = Failure.of(thrown, "");
                if (failure.isRefusal()) {
                    throw new UnsupportedException(method.name() + ": " + failure.line());
                }
            }
            tasks.add(task);
        }
        // What preparing left behind is not for the first batch to clear away.
        System.gc();
    }

    void obey(InputStream input, OutputStream output) throws IOException, UnsupportedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        PrintWriter out = new PrintWriter(
                new BufferedWriter(new OutputStreamWriter(output, StandardCharsets.UTF_8)));
        out.print("ready\n");
        out.flush();
        for (String line = in.readLine(); line != null && !line.equals("quit"); line = in.readLine()) {
            try {
                answer(line, out);
            } catch (NonsenseException nonsense) {
                out.print(new Failure("protocol", "EINVAL", line).line() + "\n");
            }
            out.flush();
        }
    }

    private void answer(String line, PrintWriter out) throws NonsenseException, UnsupportedException {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "batch" -> out.print(answerBatch(Orders.batch(words, tasks.size())) + "\n");
            case "blocks" -> answerBlocks(Orders.schedule(words, tasks.size()), out);
            case "verify" -> out.print(answerVerify(Orders.verify(words, tasks.size())) + "\n");
            case "release" -> {
                if (words.length > 1) {
                    throw new NonsenseException();
                }
                out.print(answerRelease() + "\n");
            }
            default -> throw new NonsenseException();
        }
    }

    private String answerBatch(Batch batch) throws UnsupportedException {
        if (latencies != null && batch.count() > MAX_STORED) {
            return new Failure("latencies", "ENOMEM", plan.latencies).line();
        }
        long[] times = latencies == null ? null : new long[(int) batch.count()];
        Outcome outcome = reserve(batch);
        if (outcome == null) {
            outcome = perform(batch, times, true);
        }
        if (outcome.failure() == null && times != null) {
            try {
                append(times);
            } catch (IOException error) {
                return Failure.of(error, plan.latencies).line();
            }
        }
        return outcome.line(plan.operation);
    }

    private void answerBlocks(List<Batch> schedule, PrintWriter out) throws UnsupportedException {
        Outcome[] outcomes = new Outcome[schedule.size()];
        for (Batch batch : schedule) {
            outcomes[0] = outcomes[0] == null ? reserve(batch) : outcomes[0];
        }
        for (int i = 0; i < outcomes.length && (i == 0 || outcomes[i - 1].failure() == null); i++) {
            outcomes[i] = outcomes[i] == null ? perform(schedule.get(i), null, false) : outcomes[i];
        }
        for (Outcome outcome : outcomes) {
            out.print(outcome.line(plan.operation) + "\n");
            if (outcome.failure() != null) {
                return;
            }
        }
        out.print("end\n");
    }

    private String answerVerify(int method) throws UnsupportedException {
        Sink full = new Sink(true);
        Task task = tasks.get(method);
        // What is written is looked at where it is read back.
        Sink delivered = plan.operation.writes() ? new Sink(false) : full;
        Loop loop = new Loop(task, delivered, Math.max(1, plan.targets.size()), 0);
        try {
            task.takeUp(1);
            try {
                task.begin(0, 1);
                loop.run(1, plan.operation.hasOffsets() ? new long[] {Offsets.offset(plan, 0)} : null, 0);
            } finally {
                task.end();
            }
            task.readBack(full);
        } catch (IOException | UncheckedIOException | OutOfMemoryError | InternalError thrown) {
            return Failure.of(thrown, path(loop.which)).line();
        }
        return String.format("verified bytes=%d crc32=%08x", full.bytes, full.checksum());
    }

    private String answerRelease() {
        try {
            for (Task task : tasks) {
                task.release();
            }
            if (plan.methods.stream().anyMatch(Method::maps)) {
                Mappings.collect(plan.targets);
            }
        } catch (IOException error) {
            return new Failure("release", Failure.of(error, "").errno(), path(0)).line();
        }
        return "released";
    }

    /** Runs one batch: what lies between the two readings of the clock, and what is kept out of it. */
    private Outcome perform(Batch batch, long[] times, boolean dear) throws UnsupportedException {
        Task task = tasks.get(batch.method());
        long first = performed[batch.method()];
        Loop loop = new Loop(task, sink, Math.max(1, plan.targets.size()), first);
        long preroll = batch.preroll();
        try {
            task.takeUp(preroll + batch.count());
            if (offsets != null) {
                for (int i = 0; i < preroll + batch.count(); i++) {
                    offsets[i] = Offsets.offset(plan, first + i);
                }
            }
            if (preroll > 0) {
                try {
                    task.begin(first, preroll);
                    loop.run(preroll, offsets, 0);
                } finally {
                    task.end();
                }
            }
            return measure(batch, loop, times, dear);
        } catch (IOException | UncheckedIOException | OutOfMemoryError | InternalError thrown) {
            return Outcome.failed(Failure.of(thrown, path(loop.which)));
        } finally {
            performed[batch.method()] = first + loop.done;
        }
    }

    /** The timed part of a batch. */
    private Outcome measure(Batch batch, Loop loop, long[] times, boolean dear) throws IOException, UnsupportedException {
        Task task = tasks.get(batch.method());
        try {
            task.begin(performed[batch.method()] + batch.preroll(), batch.count());
            sink.clear();
            figures.before(dear);
            marks.begin();
            long begin = System.nanoTime();
            if (times == null) {
                loop.run(batch.count(), offsets, batch.preroll());
            } else {
                loop.runEach(times, offsets, batch.preroll(), begin);
            }
            long end = System.nanoTime();
            marks.end();
            figures.after(dear);
            return Outcome.done(batch.count(), end - begin, sink, figures.text(dear));
        } finally {
            task.end();
        }
    }

    /** Makes room for the offsets of a batch; a failure if there is none. */
    private Outcome reserve(Batch batch) {
        if (!plan.operation.hasOffsets()) {
            return null;
        }
        long count = batch.preroll() + batch.count();
        if (count > MAX_STORED) {
            return Outcome.failed(new Failure("offsets", "ENOMEM", path(0)));
        }
        if (offsets == null || offsets.length < count) {
            offsets = new long[(int) count];
        }
        return null;
    }

    private void append(long[] times) throws IOException {
        ByteBuffer encoded = ByteBuffer.allocate(8 * times.length).order(ByteOrder.LITTLE_ENDIAN);
        encoded.asLongBuffer().put(times);
        latencies.write(encoded.array());
    }

    private String path(int which) {
        return which < plan.targets.size() ? plan.targets.get(which).name() : "";
    }
}
