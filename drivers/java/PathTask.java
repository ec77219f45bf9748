// Every operation by itself: nothing is kept but mappings not yet collected.

import java.io.IOException;
import java.util.List;

class PathTask implements Task {
    /** The kernel allows a process some 65,000 mappings, and the virtual machine needs a few. */
    private static final long MAX_MAPPINGS = 16384;

    private final Target[] targets;
    private final Action action;
    private final Tools tools;
    private final boolean maps;
    private long mappings;

    PathTask(List<Target> targets, Action action, Tools tools, boolean maps) {
        this.targets = targets.toArray(new Target[0]);
        this.action = action;
        this.tools = tools;
        this.maps = maps;
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        action.perform(targets[which], tools, out);
    }

    @Override
    public void takeUp(long operations) throws IOException {
        long more = Math.min(operations, MAX_MAPPINGS) * tools.threads();
        if (maps && mappings > 0 && mappings + more > MAX_MAPPINGS) {
            Mappings.collect(List.of(targets));
            mappings = 0;
        }
        mappings += more;
    }

    @Override
    public void release() {
        mappings = 0;
    }
}
