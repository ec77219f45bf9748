// Tasks: a method bound to the files of a run, ready to be repeated.

import java.io.IOException;

interface Task {
    void perform(int which, long offset, Sink out) throws IOException;

    /** Opens what the task keeps between operations, and makes ready for some more of them. */
    void takeUp(long operations) throws IOException;

    /** Closes it and drops its mappings, which stand until {@link Mappings#collect}. */
    void release() throws IOException;
}
