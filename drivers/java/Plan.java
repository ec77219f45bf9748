// The arguments of `run`. That the values fit each other is for Fathom to check, before it
// starts a driver. Nothing is opened here.

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The arguments make no sense. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
        super(message);
    }
}

/** This machine, file system or runtime cannot perform a method. */
final class UnsupportedException extends Exception {
    private static final long serialVersionUID = 1;

    UnsupportedException(String message) {
        super(message);
    }
}

final class Plan {
    Operation operation;
    final List<Method> methods = new ArrayList<>();
    final List<Target> targets = new ArrayList<>();
    long size;
    int block = 65536;
    boolean sequential;
    boolean unaligned;
    /** Reused, fresh or stack. */
    String buffer = "reused";
    String word = "ERROR";
    int threads = 1;
    private int depth = 1;
    long seed = 1;
    boolean marks;
    String latencies;
    boolean xxh64;
    String directory;
    /** What stands where a file is written: fresh, empty or data. */
    String existing = "fresh";
    /** When `create` closes: each, all or none. */
    String close = "each";
    /** How what is written is made to last: none, fsync or syncfs. */
    String sync = "none";
    /** How much `create` writes into each file. */
    int write;
    /** `write-block` writes a repeated text, not random bytes. */
    boolean pattern;

    private Plan() {}

    static Plan parse(String[] words) throws UsageException, UnsupportedException {
        Plan plan = new Plan();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            if (words[i].equals("--marks")) {
                plan.marks = true;
                continue;
            }
            if (i + 1 == words.length) {
                throw new UsageException("\"" + words[i] + "\" is unknown or needs a value");
            }
            try {
                plan.set(words[i], readable(words[++i]), names);
            } catch (IOException | NumberFormatException error) {
                throw new UsageException(words[i - 1] + " " + words[i] + ": " + error);
            }
        }
        plan.find(names);
        plan.refuse();
        return plan;
    }

    private void set(String argument, String value, List<String> names) throws UsageException, IOException {
        switch (argument) {
            case "--operation" -> operation = Operation.of(value);
            case "--method" -> names.add(value);
            case "--path" -> targets.add(new Target(value));
            case "--path-list" -> {
                for (String path : Files.readString(Path.of(value)).split("\0")) {
                    targets.add(new Target(path));
                }
            }
            case "--size" -> size = Long.parseLong(value);
            case "--block" -> block = Integer.parseInt(value);
            case "--access" -> sequential = value.equals("sequential");
            case "--alignment" -> unaligned = value.equals("unaligned");
            case "--buffer" -> buffer = value;
            case "--word" -> word = value;
            case "--threads" -> threads = Integer.parseInt(value);
            case "--queue-depth" -> depth = Integer.parseInt(value);
            case "--seed" -> seed = Long.parseUnsignedLong(value);
            case "--latencies" -> latencies = value;
            case "--algorithm" -> xxh64 = value.equals("xxh64");
            case "--directory" -> directory = value;
            case "--existing" -> existing = value;
            case "--close" -> close = value;
            case "--sync" -> sync = value;
            case "--write" -> write = Integer.parseInt(value);
            case "--content" -> pattern = value.equals("pattern");
            case "--format" -> {}
            default -> throw new UsageException("unknown argument \"" + argument + "\"");
        }
    }

    private void find(List<String> names) throws UsageException {
        for (String name : names) {
            Method method = Methods.find(name);
            if (operation == null || !method.performs(operation)) {
                throw new UsageException("method \"" + name + "\" cannot perform the operation");
            }
            methods.add(method);
        }
        if (methods.isEmpty()) {
            throw new UsageException("--method is missing");
        }
        if (operation.writes() && directory == null) {
            throw new UsageException("--directory is missing");
        }
        boolean takesPath = !operation.writes() && operation != Operation.NULL || operation == Operation.COPY;
        if (takesPath && targets.isEmpty()) {
            throw new UsageException("--path is missing");
        }
    }

    /** What no method of this driver can do. */
    private void refuse() throws UnsupportedException {
        if (buffer.equals("stack")) {
            throw new UnsupportedException("Java puts no buffer on the stack");
        }
        boolean shares = operation == Operation.READ_BLOCK || operation == Operation.READ_WHOLE;
        if (block > 1 << 30) {
            throw new UnsupportedException("a buffer of this driver holds 1 GiB at most");
        }
        if (depth > 1 || shares && threads > 1) {
            throw new UnsupportedException("no method of this driver has several reads in flight");
        }
        boolean byNull = methods.stream().allMatch(method -> method.name().equals("null"));
        if (operation.writes() && sync.equals("syncfs") && !byNull) {
            throw new UnsupportedException("Java has no call for syncfs");
        }
    }

    /** The bytes that `search` looks for. */
    byte[] wordBytes() {
        return word.getBytes(StandardCharsets.UTF_8);
    }

    /** Java turns names into text by the locale, and what does not fit is lost. */
    private static String readable(String value) throws UnsupportedException {
        if (value.indexOf('\uFFFD') >= 0) {
            throw new UnsupportedException("Java cannot read the argument \"" + value
                    + "\" in this locale; with LC_ALL=C.UTF-8 it reads UTF-8");
        }
        return value;
    }
}
