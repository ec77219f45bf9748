// A method: one way to perform operations, with what makes its task for each
// operation that it can perform.

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** One operation on a file, as one method performs it. */
interface Action {
    void perform(Target target, Tools tools, Sink out) throws java.io.IOException;
}

/** Binds a method to the files of a run. */
interface TaskMaker {
    Task make(Plan plan, Tools tools) throws UnsupportedException;
}

final class Method {
    private final String name;
    /** What it does in words; null where driver.toml has them. */
    private final String does;
    private final Map<Operation, TaskMaker> makers = new EnumMap<>(Operation.class);
    private final List<String> takes = new ArrayList<>();
    private boolean maps;
    private boolean elides;
    private String unavailable;

    Method(String name) {
        this(name, null);
    }

    Method(String name, String does) {
        this.name = name;
        this.does = does;
    }

    static Method nothing() {
        Method method = new Method("null");
        for (Operation operation : Operation.values()) {
            method.makers.put(operation, NullTask::of);
        }
        return method;
    }

    Method with(Operation operation, Action action) {
        return making(operation, (plan, tools) -> {
            if (operation == Operation.OPEN_WRITE_CLOSE && Elision.isThere()) {
                return new SwitchedTask(plan.targets, action, tools, elides);
            }
            if (elides) {
                throw new UnsupportedException(name + " needs the library elide-fstat before the C library (preload)");
            }
            return new PathTask(plan.targets, action, tools, maps);
        });
    }

    Method with(BlockOpener blocks) {
        return making(Operation.READ_BLOCK, (plan, tools) -> new BlockTask(plan, blocks, tools));
    }

    /** Performs the operation by a task of its own. */
    Method making(Operation operation, TaskMaker maker) {
        makers.put(operation, maker);
        return this;
    }

    /** Can do something with other values of this setting than the default. */
    Method taking(String setting) {
        takes.add(setting);
        return this;
    }

    /** Its mappings stay until the collector finds them unused. */
    Method mapping() {
        maps = true;
        return this;
    }

    /** Its fstat is answered by a library, not by the kernel. */
    Method eliding() {
        elides = true;
        return this;
    }

    /** It cannot be performed here, for this reason. */
    Method unavailable(String reason) {
        unavailable = reason;
        return this;
    }

    String name() {
        return name;
    }

    boolean maps() {
        return maps;
    }

    boolean performs(Operation operation) {
        return makers.containsKey(operation);
    }

    /** Binds the method to the files of a run. */
    Task task(Plan plan, Tools tools) throws UnsupportedException {
        return makers.get(plan.operation).make(plan, tools);
    }

    /** As `describe` prints it. */
    String description() {
        String[] words = Arrays.stream(Operation.values()).filter(this::performs).map(each -> each.word).toArray(String[]::new);
        return "{\"name\": " + quote(name) + ", \"operations\": " + list(words)
                + (does == null ? "" : ", \"does\": " + quote(does))
                + (takes.isEmpty() ? "" : ", \"takes\": " + list(takes.toArray(new String[0])))
                + (unavailable == null ? "" : ", \"unavailable\": " + quote(unavailable)) + "}";
    }

    private static String list(String[] words) {
        return "[" + String.join(", ", Arrays.stream(words).map(Method::quote).toList()) + "]";
    }

    static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
