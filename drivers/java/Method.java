// A method: one way to perform operations, with a piece of code for each
// operation that it can perform.

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

final class Method {
    private final String name;
    private final String does;
    private final Map<Operation, Action> actions = new EnumMap<>(Operation.class);
    private final Map<Operation, TaskMaker> makers = new EnumMap<>(Operation.class);
    private final List<String> takes = new ArrayList<>();
    private BlockOpener opener;
    private boolean maps;
    private boolean elides;
    private boolean isNull;
    private String unavailable;

    Method(String name, String does) {
        this.name = name;
        this.does = does;
    }

    static Method nothing(String does) {
        Method method = new Method("null", does);
        method.isNull = true;
        return method;
    }

    Method with(Operation operation, Action action) {
        actions.put(operation, action);
        return this;
    }

    Method with(BlockOpener blocks) {
        opener = blocks;
        return this;
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

    /** Why it cannot be performed here; null where it can. */
    String unavailable() {
        return unavailable;
    }

    String name() {
        return name;
    }

    String does() {
        return does;
    }

    List<String> takes() {
        return takes;
    }

    boolean maps() {
        return maps;
    }

    List<Operation> operations() {
        List<Operation> can = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            if (isNull || actions.containsKey(operation) || makers.containsKey(operation)
                    || operation == Operation.READ_BLOCK && opener != null) {
                can.add(operation);
            }
        }
        return can;
    }

    /** Binds the method to the files of a run. */
    Task task(Plan plan, Tools tools) throws UnsupportedException {
        if (isNull) {
            return NullTask.of(plan, tools);
        }
        if (plan.operation.writes() && plan.sync.equals("syncfs")) {
            throw new UnsupportedException("Java has no call for syncfs");
        }
        if (makers.containsKey(plan.operation)) {
            return makers.get(plan.operation).make(plan, tools);
        }
        if (plan.operation == Operation.READ_BLOCK) {
            return new BlockTask(plan, opener, tools);
        }
        if (plan.operation == Operation.SEARCH && name.startsWith("BufferedReader") && plan.word.matches("(?s).*[\r\n].*")) {
            throw new UnsupportedException(name + " reads lines, and the word holds the end of one");
        }
        Action action = actions.get(plan.operation);
        if (plan.operation == Operation.OPEN_WRITE_CLOSE && Elision.isThere()) {
            return new SwitchedTask(plan.targets, action, tools, elides);
        }
        if (elides) {
            throw new UnsupportedException(name + " needs the library elide-fstat before the C library (preload)");
        }
        return new PathTask(plan.targets, action, tools, maps);
    }
}
