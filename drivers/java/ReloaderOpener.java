// Reads files and begins to look after them.

import java.io.IOException;

interface ReloaderOpener {
    Reloader open(Target[] targets) throws IOException;
}
