// null for create: makes no file.

final class NullCreate extends NullTask {
    private final byte[] content;
    private final boolean inPhases;
    /** Files that are written behind the loop. */
    private long later;

    NullCreate(Plan plan) {
        content = Content.pattern(plan.write);
        inPhases = !plan.close.equals("each");
    }

    @Override
    public void begin(long first, long count) {
        later = inPhases ? count : 0;
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        if (!inPhases) {
            out.takeWritten(content.length);
        }
    }

    @Override
    public void finish(Sink out) {
        for (long i = 0; i < later; i++) {
            out.takeWritten(content.length);
        }
    }

    @Override
    public void readBack(Sink out) {
        out.take(content);
    }
}
