// A way to make a file, which is open until it is closed.

import java.io.Closeable;
import java.io.IOException;

interface Creator<F extends Closeable> {
    F open(Target target) throws IOException;

    void write(F file, Content content) throws IOException;

    void sync(F file) throws IOException;

    default boolean canSync() {
        return true;
    }
}
