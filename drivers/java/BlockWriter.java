// An open file to which blocks are written.

import java.io.IOException;

interface BlockWriter {
    /** Writes the block that starts there in the pool. */
    void write(long offset, Pool pool, int start, int length) throws IOException;

    void flush() throws IOException;

    void sync() throws IOException;

    void close() throws IOException;

    /** A mapping stands until {@link Mappings#collect}. */
    default boolean maps() {
        return false;
    }
}
