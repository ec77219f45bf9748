// Takes up the file to which write-block writes; a stream starts at the offset.

import java.io.IOException;

interface WriterOpener {
    BlockWriter open(Target target, Plan plan, long start) throws IOException;
}
