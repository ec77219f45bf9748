// The directory in which the methods of a run make their files: a new one inside
// it for every run of operations. What the run before left is removed where the
// operation asks for that, and nothing else.

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class Workplace {
    private static final long MAX_TARGETS = 1 << 27;

    private final Path directory;
    private Path current;
    private long made;
    private List<Target> left = List.of();
    /** The file that every run of write-block overwrites: it moves from one directory to the next. */
    Target kept;

    Workplace(String directory) {
        this.directory = Path.of(directory);
    }

    /** Makes the next directory; every target is in it from now on. */
    void next() throws IOException {
        current = directory.resolve(Long.toString(made));
        try {
            Files.createDirectory(current);
        } catch (IOException error) {
            throw new TargetException(new Target(current.toString()), error, "Files.createDirectory");
        }
        made++;
    }

    /** Takes the directory that whoever asked for the run has made, with the files that it is to find. */
    boolean takePrepared() {
        Path prepared = directory.resolve("prepared");
        boolean there = Files.isDirectory(prepared);
        if (there) {
            current = prepared;
        }
        return there;
    }

    Target target(String name) {
        return new Target(current.resolve(name).toString());
    }

    /** Names files with the letter and a number from 0. */
    Target[] targets(String letter, long count) throws IOException {
        if (count > MAX_TARGETS) {
            throw new IOException("Cannot allocate memory");
        }
        Target[] targets = new Target[(int) count];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = target(letter + i);
        }
        return targets;
    }

    /** Tells that these go before the clock of the next run starts. */
    void leave(Target... targets) {
        left = List.of(targets);
    }

    void clear() throws IOException {
        List<Target> served = left;
        left = List.of();
        for (Target target : served) {
            // A run that failed did not make all of them.
            Files.deleteIfExists(target.path());
        }
    }
}
