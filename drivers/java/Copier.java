// One way to copy a file to a name that is not there.

import java.io.IOException;

interface Copier {
    void copy(Target from, Target to, boolean sync) throws IOException;
}
