// O_DIRECT: what the runtime and the file system must allow before it is used.

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;

final class DirectIo {
    /** Lengths and places are multiples of it, on any file system that can do this. */
    static final int UNIT = 4096;

    private DirectIo() {}

    static Task wholeTask(Plan plan, Tools tools) throws UnsupportedException {
        check(plan);
        return new PathTask(plan.targets, ReadWhole::fileChannelDirect, tools, false);
    }

    static Task blockTask(Plan plan, Tools tools) throws UnsupportedException {
        check(plan);
        if (plan.unaligned) {
            throw new UnsupportedException("O_DIRECT reads from aligned places only");
        }
        return new BlockTask(plan, ReadBlock::fileChannelDirect, tools);
    }

    private static void check(Plan plan) throws UnsupportedException {
        if (plan.block % UNIT != 0) {
            throw new UnsupportedException("O_DIRECT reads multiples of " + UNIT + " bytes, which --block is not");
        }
        List<Target> targets = plan.targets;
        try {
            FileChannel.open(targets.get(0).path(), StandardOpenOption.READ, ExtendedOpenOption.DIRECT).close();
        } catch (UnsupportedOperationException error) {
            throw new UnsupportedException("this runtime has no O_DIRECT");
        } catch (IOException error) {
            Failure failure = Failure.of(error, targets.get(0).name());
            // A missing file is told by the first batch.
            if (failure.isRefusal()) {
                throw new UnsupportedException("the file system has no O_DIRECT: " + failure.line());
            }
        }
    }
}
