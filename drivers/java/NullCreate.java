// null for create: makes no file.

final class NullCreate extends NullTask {
    private final byte[] content;

    NullCreate(Plan plan) {
        content = Content.pattern(plan.write);
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        out.takeWritten(content.length);
    }

    @Override
    public void readBack(Sink out) {
        out.take(content);
    }
}
