// The answer to `describe`.

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

final class Description {
    private Description() {}

    static void print(PrintStream out) {
        String methods = Methods.ALL.stream().map(Description::describe).collect(Collectors.joining(",\n  "));
        out.printf("{\"protocol\": 1, \"driver\": \"java\", \"language\": \"Java\", \"runtime\": %s,%n"
                + " \"methods\": [%n  %s]}%n", quote(runtime()), methods);
    }

    /** Such as "OpenJDK 17.0.15+6-Debian-1deb12u1 (Debian)". */
    private static String runtime() {
        String name = System.getProperty("java.runtime.name", "Java").split(" Runtime")[0];
        return name + " " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")";
    }

    private static String describe(Method method) {
        List<Operation> operations = method.operations();
        String words = operations.stream().map(each -> quote(each.word)).collect(Collectors.joining(", "));
        return "{\"name\": " + quote(method.name()) + ", \"operations\": [" + words + "], \"does\": "
                + quote(method.does()) + takes(method.takes()) + unavailable(method.unavailable()) + "}";
    }

    private static String takes(List<String> settings) {
        return settings.isEmpty() ? "" : ", \"takes\": ["
                + settings.stream().map(Description::quote).collect(Collectors.joining(", ")) + "]";
    }

    private static String unavailable(String reason) {
        return reason == null ? "" : ", \"unavailable\": " + quote(reason);
    }

    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
