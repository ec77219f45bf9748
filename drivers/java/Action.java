// One operation on a file, as one method performs it.

import java.io.IOException;

interface Action {
    void perform(Target target, Tools tools, Sink out) throws IOException;
}
