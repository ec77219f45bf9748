// The arguments of `run` and what they must satisfy. Nothing is opened here.

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class Plan {
    /** Buffers are arrays, and a mapping has room for a block behind 1 GiB. */
    private static final long MAX_BLOCK = 1 << 30;

    Operation operation;
    final List<Method> methods = new ArrayList<>();
    final List<Target> targets = new ArrayList<>();
    long size = -1;
    int block = 65536;
    boolean sequential;
    boolean unaligned;
    /** Reused, fresh or stack. */
    String buffer = "reused";
    String word = "ERROR";
    int threads = 1;
    private long depth = 1;
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
            } else if (i + 1 < words.length) {
                plan.set(words[i], readable(words[++i]), names);
            } else {
                throw new UsageException("\"" + words[i] + "\" is unknown or needs a value");
            }
        }
        plan.find(names);
        plan.check();
        return plan;
    }

    private void set(String argument, String value, List<String> names) throws UsageException {
        switch (argument) {
            case "--operation" -> {
                if (operation != null) {
                    throw new UsageException("--operation is given twice");
                }
                operation = Operation.of(value);
            }
            case "--method" -> names.add(value);
            case "--path" -> targets.add(new Target(value));
            case "--path-list" -> {
                try {
                    for (String path : Files.readString(Path.of(value)).split("\0")) {
                        targets.add(new Target(path));
                    }
                } catch (IOException e) {
                    throw new UsageException(argument + ": " + e);
                }
            }
            case "--size" -> size = number(argument, value, Long.MAX_VALUE);
            case "--block" -> block = (int) number(argument, value, MAX_BLOCK);
            case "--access" -> sequential = choose(argument, value, "random", "sequential");
            case "--alignment" -> unaligned = choose(argument, value, "aligned", "unaligned");
            case "--buffer" -> buffer = chosen(argument, value, "reused", "fresh", "stack");
            case "--word" -> word = value;
            case "--threads" -> threads = (int) number(argument, value, 1024);
            case "--seed" -> seed = seed(value);
            case "--latencies" -> latencies = value;
            case "--algorithm" -> xxh64 = choose(argument, value, "md5", "xxh64");
            case "--directory" -> directory = value;
            case "--existing" -> existing = chosen(argument, value, "fresh", "empty", "data");
            case "--close" -> close = chosen(argument, value, "each", "all", "none");
            case "--sync" -> sync = chosen(argument, value, "none", "fsync", "syncfs");
            case "--write" -> write = (int) number(argument, value, MAX_BLOCK);
            case "--content" -> pattern = choose(argument, value, "random", "pattern");
            case "--format" -> chosen(argument, value, "json", "yaml", "toml");
            case "--queue-depth" -> depth = number(argument, value, Integer.MAX_VALUE);
            default -> throw new UsageException("unknown argument \"" + argument + "\"");
        }
    }

    private void find(List<String> names) throws UsageException {
        if (operation == null) {
            throw new UsageException("--operation is missing");
        }
        if (names.isEmpty()) {
            throw new UsageException("--method is missing");
        }
        for (String name : names) {
            Method method = Methods.find(name);
            if (!method.operations().contains(operation)) {
                throw new UsageException("method \"" + name + "\" cannot perform " + operation.word);
            }
            methods.add(method);
        }
    }

    private void check() throws UsageException {
        boolean takesSize = operation == Operation.OPEN_READ_CLOSE || operation == Operation.READ_BLOCK
                || operation == Operation.SEARCH || operation == Operation.WRITE_BLOCK || operation == Operation.COPY;
        boolean takesPath = operation != Operation.NULL && operation != Operation.CREATE
                && operation != Operation.WRITE_BLOCK;
        boolean shares = operation == Operation.READ_BLOCK || operation == Operation.READ_WHOLE;
        if (takesPath && targets.isEmpty()) {
            throw new UsageException("--path is missing");
        }
        if (block < 1 || threads < 1 || word.isEmpty()) {
            throw new UsageException("--block, --threads and the length of --word must be at least 1");
        }
        if (takesSize && size < 0) {
            throw new UsageException(operation.word + " needs --size");
        }
        if (depth != 1 || shares && threads > 1) {
            throw new UsageException("no method of this driver has several reads in flight: --queue-depth, and for "
                    + "read-block and read-whole --threads, must be 1");
        }
        if (operation.writes() && directory == null) {
            throw new UsageException("--directory is missing");
        }
        if (operation == Operation.WRITE_BLOCK && block > Pool.BYTES) {
            throw new UsageException("--block must not be larger than the pool of 1 MiB that is written from");
        }
        if (operation.hasOffsets() && Offsets.places(this) < 1) {
            throw new UsageException("a file of " + size + " bytes has no such block of " + block + " bytes");
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

    private static long number(String argument, String text, long most) throws UsageException {
        long value = Orders.number(text, most);
        if (value < 0) {
            throw new UsageException(argument + " takes a number from 0 to " + most + ", not \"" + text + "\"");
        }
        return value;
    }

    private static long seed(String text) throws UsageException {
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException error) {
            throw new UsageException("--seed takes a number, not \"" + text + "\"");
        }
    }

    private static String chosen(String argument, String value, String... choices) throws UsageException {
        if (!List.of(choices).contains(value)) {
            throw new UsageException(argument + " takes " + String.join(" or ", choices) + ", not \"" + value + "\"");
        }
        return value;
    }

    /** Whether the word is the second of the two. */
    private static boolean choose(String argument, String value, String first, String second) throws UsageException {
        if (!value.equals(first) && !value.equals(second)) {
            throw new UsageException(argument + " takes " + first + " or " + second + ", not \"" + value + "\"");
        }
        return value.equals(second);
    }
}
