// An open file from which blocks are read.

import java.io.IOException;

interface BlockSource {
    void readBlock(Buffers buffers, long offset, Sink out) throws IOException;

    void close() throws IOException;
}
