// Tasks: a method bound to the files of a run, ready to be repeated.

import java.io.IOException;

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
