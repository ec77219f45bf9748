// null for copy: counts what copies would hold, and delivers one when it is asked for.

import java.io.IOException;

final class NullCopy extends NullHolding<Segments> {
    private final long size;

    NullCopy(Plan plan) {
        super(plan);
        size = plan.size;
    }

    @Override
    Segments load(Target target) throws IOException {
        return Segments.copy(target, Long.MAX_VALUE, 0);
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        out.takeWritten(size);
    }

    @Override
    public void readBack(Sink out) {
        of(0).deliver(out);
    }
}
