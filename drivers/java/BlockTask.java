// read-block on files that stay open.

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class BlockTask implements Task {
    private final Plan plan;
    private final BlockOpener opener;
    private final Tools tools;
    private final List<BlockSource> opened = new ArrayList<>();
    private BlockSource[] sources = {};

    BlockTask(Plan plan, BlockOpener opener, Tools tools) {
        this.plan = plan;
        this.opener = opener;
        this.tools = tools;
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        sources[which].readBlock(tools.buffers, offset, out);
    }

    @Override
    public void takeUp(long operations) throws IOException {
        while (opened.size() < plan.targets.size()) {
            Target target = plan.targets.get(opened.size());
            try {
                opened.add(opener.open(target, plan));
            } catch (IOException error) {
                throw new TargetException(target, error);
            }
        }
        if (sources.length < opened.size()) {
            sources = opened.toArray(new BlockSource[0]);
        }
    }

    @Override
    public void release() throws IOException {
        for (BlockSource source : opened) {
            source.close();
        }
        opened.clear();
        sources = new BlockSource[0];
    }
}
