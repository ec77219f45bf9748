// What a function of a user's returns, and how it fails.

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.Map;

final class OwnAnswer {
    /** Whether the text of a file is ASCII alone, found out when it is first read. */
    private final Map<Target, Boolean> plain = new IdentityHashMap<>();

    /** A part of an operation that may throw anything. */
    interface Call {
        void run() throws IOException;
    }

    /** Runs a user's code: what is no error of the system's becomes one that carries its words behind the path. */
    static void guard(Target target, Call call) throws IOException {
        try {
            call.run();
        } catch (Throwable thrown) {
            boolean isSystem = (thrown instanceof IOException || thrown instanceof UncheckedIOException)
                    && !Failure.of(thrown, target.name()).errno().equals("EIO");
            if (isSystem || thrown instanceof OutOfMemoryError) {
                // Checked or not: a bound function declares nothing.
                OwnAnswer.<RuntimeException>rethrow(thrown);
            }
            throw failed(target, thrown.toString());
        }
    }

    static void takeCount(long count, Sink out) {
        if (count < 0) {
            throw new IllegalStateException("returned " + count);
        }
        out.takeMatches(0, count);
    }

    /** Text of ASCII alone is looked at as it is; other text has to be encoded to be compared. */
    void take(Object result, Target target, Sink out) {
        if (result instanceof byte[] data) {
            out.take(data);
        } else if (result instanceof String text) {
            if (plain.computeIfAbsent(target, each -> text.chars().allMatch(c -> c < 0x80))) {
                out.take(text);
            } else {
                out.take(text.getBytes(StandardCharsets.UTF_8));
            }
        } else if (result instanceof ByteBuffer data) {
            out.take(data.slice());
        } else if (result instanceof Number count) {
            takeCount(count.longValue(), out);
        } else {
            throw new IllegalStateException("returned " + result);
        }
    }

    private static IOException failed(Target target, String words) {
        String text = target.name() + " (" + String.join(" ", words.strip().split("\\s+")) + ")";
        return new TargetException(new Target(text, target.path()), new IOException(words), "function");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
