// What methods need besides the file: buffers, the word to search for, and the
// threads that share a search. Made before the first operation.

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Counts in one part of a file. */
interface PartSearch {
    long count(int number, long start, long end) throws IOException;
}

final class Tools {
    final Buffers buffers;
    final Word word;
    /** The size of each file that is searched, by its name. */
    final Map<String, Long> sizes = new HashMap<>();
    /** Where files are made; null where the operation makes none. */
    final Workplace workplace;
    final boolean xxh64;
    private final ByteBuffer[] searchBuffers;
    private final ExecutorService pool;

    Tools(Plan plan, ExecutorService pool, Workplace workplace) {
        this.pool = pool;
        this.workplace = workplace;
        xxh64 = plan.xxh64;
        if (plan.operation == Operation.SEARCH) {
            // Known beforehand: asking in an operation would be another call.
            plan.targets.forEach(target -> sizes.put(target.name(), new File(target.name()).length()));
        }
        word = new Word(plan.wordBytes());
        buffers = new Buffers(bufferLength(plan), plan.buffer.equals("fresh"));
        searchBuffers = new ByteBuffer[plan.threads];
        if (plan.operation == Operation.SEARCH) {
            for (int i = 0; i < plan.threads; i++) {
                searchBuffers[i] = Buffers.pageAligned(plan.block + word.overlap());
            }
        }
    }

    /** Daemons, so that they do not outlive the conversation; none for one thread. */
    static ExecutorService pool(int threads) {
        return threads == 1 ? null : Executors.newFixedThreadPool(threads, work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
    }

    int threads() {
        return searchBuffers.length;
    }

    /** The buffer of a thread: a piece, and before it the end of the piece before. */
    ByteBuffer searchBuffer(int number) {
        return searchBuffers[number];
    }

    /** Divides a file among the threads; a single thread's part is the whole file. */
    long inParts(long size, PartSearch search) throws IOException {
        int threads = threads();
        if (threads == 1) {
            return search.count(0, 0, size);
        }
        List<Callable<Long>> parts = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) {
            int number = i;
            long start = size * number / threads;
            long end = size * (number + 1) / threads;
            parts.add(() -> search.count(number, start, end));
        }
        try {
            long found = 0;
            for (Future<Long> part : pool.invokeAll(parts)) {
                found += part.get();
            }
            return found;
        } catch (ExecutionException error) {
            throw new IOException(error.getCause());
        } catch (InterruptedException error) {
            throw new IOException(error);
        }
    }

    /** open-read-close asks for no more than the file holds. */
    private static int bufferLength(Plan plan) {
        return plan.operation == Operation.OPEN_READ_CLOSE ? (int) Math.min(plan.block, plan.size) : plan.block;
    }
}
