// null, holding something for every file, loaded once.

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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
