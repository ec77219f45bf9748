// null for write-block: takes the blocks and writes them nowhere.

final class NullWrite extends NullTask {
    private final Pool pool;
    private final int length;

    NullWrite(Plan plan) {
        pool = new Pool(plan);
        length = plan.block;
    }

    @Override
    public void begin(long first, long count) {
        pool.seek(first);
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        out.take(pool.array(), pool.next(), length);
    }

    @Override
    public void readBack(Sink out) {
        pool.seek(0);
        out.take(pool.array(), pool.next(), length);
    }
}
