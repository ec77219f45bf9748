// reload, by one of the ways to look.

import java.io.IOException;

final class ReloadTask implements Task {
    private final Target[] targets;
    private final ReloaderOpener opener;
    private Reloader held;

    private ReloadTask(Plan plan, ReloaderOpener opener) {
        targets = plan.targets.toArray(new Target[0]);
        this.opener = opener;
    }

    static TaskMaker by(ReloaderOpener opener) {
        return (plan, tools) -> new ReloadTask(plan, opener);
    }

    @Override
    public void perform(int which, long offset, Sink out) throws IOException {
        out.take(held.current(which));
    }

    @Override
    public void takeUp(long operations) throws IOException {
        if (held == null) {
            held = opener.open(targets);
        }
    }

    @Override
    public void release() throws IOException {
        if (held != null) {
            held.close();
            held = null;
        }
    }
}
