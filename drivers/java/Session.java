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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One order to perform operations. */
record Batch(int method, long count, long preroll) {
    /** The grammar of lines. Counts have 62 bits at most, so that one and its pre-roll can be added. */
    private static final Pattern BATCH = Pattern.compile("batch (\\d{1,18})(?: method=(\\d{1,9}))?(?: preroll=(\\d{1,18}))?");
    private static final Pattern VERIFY = Pattern.compile("verify(?: method=(\\d{1,9}))?");
    private static final Pattern BLOCKS = Pattern.compile("blocks( \\d{1,9}:\\d{1,18}:\\d{1,18})++");

    /** What a line orders; nothing where it makes no sense. */
    static List<Batch> in(String line, int methods) {
        Matcher batch = BATCH.matcher(line);
        Matcher verify = VERIFY.matcher(line);
        List<Batch> orders = new ArrayList<>();
        if (batch.matches()) {
            orders.add(new Batch((int) number(batch.group(2)), number(batch.group(1)), number(batch.group(3))));
        } else if (verify.matches()) {
            orders.add(new Batch((int) number(verify.group(1)), 1, 0));
        } else if (BLOCKS.matcher(line).matches()) {
            for (String word : line.substring(7).split(" ")) {
                String[] parts = word.split(":");
                orders.add(new Batch((int) number(parts[0]), number(parts[1]), number(parts[2])));
            }
        }
        return orders.stream().allMatch(order -> order.method < methods) ? orders : List.of();
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}

/** An operation failed; the message is the answer. */
final class FailedException extends Exception {
    private static final long serialVersionUID = 1;

    FailedException(Failure failure) {
        super(failure.line());
    }
}

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
            answer(line, out);
            out.flush();
        }
    }

    private void answer(String line, PrintWriter out) throws UnsupportedException {
        List<Batch> orders = Batch.in(line, tasks.size());
        if (line.equals("release")) {
            out.print(answerRelease() + "\n");
        } else if (orders.isEmpty()) {
            out.print(new Failure("protocol", "EINVAL", line).line() + "\n");
        } else if (line.startsWith("blocks")) {
            answerBlocks(orders, out);
        } else {
            out.print((line.startsWith("batch") ? answerBatch(orders.get(0)) : answerVerify(orders.get(0).method())) + "\n");
        }
    }

    private String answerBatch(Batch batch) throws UnsupportedException {
        if (latencies != null && batch.count() > MAX_STORED) {
            return new Failure("latencies", "ENOMEM", plan.latencies).line();
        }
        long[] times = latencies == null ? null : new long[(int) batch.count()];
        try {
            reserve(List.of(batch));
            String done = perform(batch, times, true);
            if (times != null) {
                append(times);
            }
            return done;
        } catch (FailedException failed) {
            return failed.getMessage();
        } catch (IOException error) {
            return Failure.of(error, plan.latencies).line();
        }
    }

    private void answerBlocks(List<Batch> schedule, PrintWriter out) throws UnsupportedException {
        String[] answers = new String[schedule.size() + 1];
        int done = 0;
        try {
            reserve(schedule);
            for (; done < schedule.size(); done++) {
                answers[done] = perform(schedule.get(done), null, false);
            }
            answers[done] = "end";
        } catch (FailedException failed) {
            answers[done] = failed.getMessage();
        }
        for (int i = 0; i <= done; i++) {
            out.print(answers[i] + "\n");
        }
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
    private String perform(Batch batch, long[] times, boolean dear) throws UnsupportedException, FailedException {
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
            throw new FailedException(Failure.of(thrown, path(loop.which)));
        } finally {
            performed[batch.method()] = first + loop.done;
        }
    }

    /** The timed part of a batch. */
    private String measure(Batch batch, Loop loop, long[] times, boolean dear) throws IOException, UnsupportedException {
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
            String counted = switch (plan.operation) {
                case LINES -> " lines=" + sink.lines;
                case SEARCH -> " matches=" + sink.matches;
                default -> "";
            };
            return "done ops=" + batch.count() + " ns=" + (end - begin) + " bytes=" + sink.bytes + " digest="
                    + Long.toUnsignedString(sink.digest) + counted + figures.text(dear);
        } finally {
            task.end();
        }
    }

    /** Makes room for the offsets of the longest of these batches. */
    private void reserve(List<Batch> batches) throws FailedException {
        long count = batches.stream().mapToLong(batch -> batch.preroll() + batch.count()).max().orElse(0);
        if (!plan.operation.hasOffsets() || offsets != null && offsets.length >= count) {
            return;
        }
        if (count > MAX_STORED) {
            throw new FailedException(new Failure("offsets", "ENOMEM", path(0)));
        }
        offsets = new long[(int) count];
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
