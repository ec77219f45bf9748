// A method in a process in which its fstat can be elided. Elided or not, the
// library is told before the clock starts: the two differ in nothing else.

import java.util.List;

final class SwitchedTask extends PathTask {
    private final boolean elides;

    SwitchedTask(List<Target> targets, Action action, Tools tools, boolean elides) {
        super(targets, action, tools, false);
        this.elides = elides;
    }

    @Override
    public void begin(long first, long count) {
        Elision.set(elides);
    }

    @Override
    public void end() {
        Elision.set(false);
    }
}
