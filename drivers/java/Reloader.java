// Files held in memory, and a way to know whether they are current.

import java.io.IOException;

interface Reloader {
    /** What a file holds, read again if it changed. */
    byte[] current(int which) throws IOException;

    void close() throws IOException;
}
