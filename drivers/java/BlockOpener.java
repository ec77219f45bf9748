// Takes up the file from which read-block reads.

import java.io.IOException;

interface BlockOpener {
    BlockSource open(Target target, Plan plan) throws IOException;
}
