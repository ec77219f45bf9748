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
    private BlockOpener opener;
    private boolean maps;
    private boolean isNull;

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

    /** Its mappings stay until the collector finds them unused. */
    Method mapping() {
        maps = true;
        return this;
    }

    String name() {
        return name;
    }

    String does() {
        return does;
    }

    boolean maps() {
        return maps;
    }

    List<Operation> operations() {
        List<Operation> can = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            if (isNull || actions.containsKey(operation) || operation == Operation.READ_BLOCK && opener != null) {
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
        if (plan.operation == Operation.READ_BLOCK) {
            return new BlockTask(plan, opener, tools);
        }
        if (plan.operation == Operation.SEARCH && name.startsWith("BufferedReader") && plan.word.matches("(?s).*[\r\n].*")) {
            throw new UnsupportedException(name + " reads lines, and the word holds the end of one");
        }
        return new PathTask(plan.targets, actions.get(plan.operation), tools, maps);
    }
}
