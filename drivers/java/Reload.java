// reload: look whether a file changed since it was read, and read it again if so.

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/** Files held in memory, and a way to know whether they are current. */
interface Reloader {
    /** What a file holds, read again if it changed. */
    byte[] current(int which) throws IOException;

    void close() throws IOException;
}

/** Reads files and begins to look after them. */
interface ReloaderOpener {
    Reloader open(Target[] targets) throws IOException;
}

/** reload, by one of the ways to look. */
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

final class Reload {
    private Reload() {}

    static Reloader readAllBytes(Target[] targets) throws IOException {
        return new ComparingReloader(targets);
    }

    static Reloader readAttributes(Target[] targets) throws IOException {
        return new AttributesReloader(targets);
    }

    static Reloader watchService(Target[] targets) throws IOException {
        return new WatchingReloader(targets);
    }

    /** Names the file of a failure. */
    static byte[] read(Target target) throws IOException {
        try {
            return Files.readAllBytes(target.path());
        } catch (IOException error) {
            throw new TargetException(target, error);
        }
    }
}

final class ComparingReloader implements Reloader {
    private final Target[] targets;
    private final byte[][] held;

    ComparingReloader(Target[] targets) throws IOException {
        this.targets = targets;
        held = new byte[targets.length][];
        for (int i = 0; i < targets.length; i++) {
            held[i] = Reload.read(targets[i]);
        }
    }

    @Override
    public byte[] current(int which) throws IOException {
        byte[] data = Files.readAllBytes(targets[which].path());
        if (!Arrays.equals(data, held[which])) {
            held[which] = data;
        }
        return held[which];
    }

    @Override
    public void close() {}
}

final class AttributesReloader implements Reloader {
    private final Target[] targets;
    private final byte[][] held;
    private final BasicFileAttributes[] known;

    AttributesReloader(Target[] targets) throws IOException {
        this.targets = targets;
        held = new byte[targets.length][];
        known = new BasicFileAttributes[targets.length];
        for (int i = 0; i < targets.length; i++) {
            try {
                current(i);
            } catch (IOException error) {
                throw new TargetException(targets[i], error);
            }
        }
    }

    @Override
    public byte[] current(int which) throws IOException {
        Path path = targets[which].path();
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        BasicFileAttributes before = known[which];
        if (before == null || before.size() != now.size()
                || !before.lastModifiedTime().equals(now.lastModifiedTime())) {
            held[which] = Files.readAllBytes(path);
            known[which] = now;
        }
        return held[which];
    }

    @Override
    public void close() {}
}

/** Watches the directories of the files. */
final class WatchingReloader implements Reloader {
    private final Target[] targets;
    private final byte[][] held;
    private final WatchService watcher;

    WatchingReloader(Target[] targets) throws IOException {
        this.targets = targets;
        held = new byte[targets.length][];
        watcher = targets[0].path().getFileSystem().newWatchService();
        try {
            // Before reading, so that no change in between is missed.
            watchDirectories();
            for (int i = 0; i < targets.length; i++) {
                held[i] = Reload.read(targets[i]);
            }
        } catch (IOException error) {
            watcher.close();
            throw error;
        }
    }

    @Override
    public byte[] current(int which) throws IOException {
        for (WatchKey key = watcher.poll(); key != null; key = watcher.poll()) {
            hear(key);
        }
        return held[which];
    }

    @Override
    public void close() throws IOException {
        watcher.close();
    }

    private void watchDirectories() throws IOException {
        Set<Path> directories = new LinkedHashSet<>();
        for (Target target : targets) {
            directories.add(target.path().toAbsolutePath().getParent());
        }
        for (Path directory : directories) {
            try {
                directory.register(watcher, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            } catch (IOException error) {
                throw new TargetException(new Target(directory.toString()), error, "watch");
            }
        }
    }

    private void hear(WatchKey key) throws IOException {
        for (WatchEvent<?> event : key.pollEvents()) {
            // Without a name, events were lost: any file may have changed.
            Path changed = event.context() instanceof Path name ? ((Path) key.watchable()).resolve(name) : null;
            for (int i = 0; i < targets.length; i++) {
                if (changed == null || targets[i].path().toAbsolutePath().equals(changed)) {
                    held[i] = Reload.read(targets[i]);
                }
            }
        }
        key.reset();
    }
}
