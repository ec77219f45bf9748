// null: the loop, the dispatch and the digest of a method, without its I/O.

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

abstract class NullTask implements Task {
    static Task of(Plan plan, Tools tools) {
        return switch (plan.operation) {
            case NULL, OPEN_CLOSE, OPEN_WRITE_CLOSE, OPEN_MISSING -> new NullNothing();
            case OPEN_READ_CLOSE, READ_WHOLE, RELOAD -> new NullData(plan);
            case READ_BLOCK -> new NullBlock(plan);
            case LINES -> new NullAnswers(plan, tools, Lines::bufferedReader);
            case SEARCH -> new NullAnswers(plan, tools, Search::fileChannel);
            case TEMPLATE -> new NullTemplate(plan);
            case CREATE -> new NullCreate(plan);
            case WRITE_BLOCK -> new NullWrite(plan);
            case COPY -> new NullCopy(plan);
            case HASH -> new NullAnswers(plan, tools, Hash::fileInputStream);
        };
    }

    @Override
    public void takeUp(long operations) throws IOException {}

    /** A copy is no hold on the file, and loading it again would fill the cache that the caller wants empty. */
    @Override
    public void release() {}
}

final class NullNothing extends NullTask {
    @Override
    public void perform(int which, long offset, Sink out) {}
}

/** Delivers the start of a file, or all of it. */
final class NullData extends NullHolding<Segments> {
    private final long most;

    NullData(Plan plan) {
        super(plan);
        most = plan.operation == Operation.OPEN_READ_CLOSE ? Math.min(plan.block, plan.size) : Long.MAX_VALUE;
    }

    @Override
    Segments load(Target target) throws IOException {
        return Segments.copy(target, most, 0);
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        of(which).deliver(out);
    }
}

/** Delivers the rendered page. */
final class NullTemplate extends NullHolding<String> {
    NullTemplate(Plan plan) {
        super(plan);
    }

    @Override
    String load(Target target) throws IOException {
        return Template.render(Files.readString(target.path()));
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        out.take(of(which));
    }
}

/** Delivers blocks. */
final class NullBlock extends NullHolding<Segments> {
    private final int length;

    NullBlock(Plan plan) {
        super(plan);
        length = plan.block;
    }

    @Override
    Segments load(Target target) throws IOException {
        return Segments.copy(target, Long.MAX_VALUE, length);
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        of(which).deliver(offset, length, out);
    }
}

/** Delivers the answer of a real method, computed once for each file. */
final class NullAnswers extends NullHolding<Answer> {
    private final Tools tools;
    private final Action action;

    NullAnswers(Plan plan, Tools tools, Action action) {
        super(plan);
        this.tools = tools;
        this.action = action;
    }

    @Override
    Answer load(Target target) throws IOException {
        Sink full = new Sink(true);
        action.perform(target, tools, full);
        return Answer.of(full);
    }

    @Override
    public void perform(int which, long offset, Sink out) {
        out.takeAnswer(of(which));
    }
}

/** null, holding something for every file, loaded once. */
abstract class NullHolding<T> extends NullTask {
    private final Plan plan;
    private final List<T> held = new ArrayList<>();

    NullHolding(Plan plan) {
        this.plan = plan;
    }

    abstract T load(Target target) throws IOException;

    final T of(int which) {
        return held.get(which);
    }

    @Override
    public void takeUp(long operations) throws IOException {
        while (held.size() < plan.targets.size()) {
            Target target = plan.targets.get(held.size());
            try {
                held.add(load(target));
            } catch (IOException error) {
                throw new TargetException(target, error);
            }
        }
    }
}

/** null for create: makes no file. */
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

/** null for write-block: takes the blocks and writes them nowhere. */
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

/** null for copy: counts what copies would hold, and delivers one when it is asked for. */
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
