// The entry of the driver: `describe` or `run`, what the scenario `first-read` asks of
// this runtime, and the exit codes. It does not know what a method does.
//
// The virtual machine interprets code before it compiles it, so the first
// thousands of operations are slow; whoever measures warms up, the driver does not.

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

final class Driver {
    private static final int DONE = 0;
    private static final int USAGE = 2;
    private static final int UNSUPPORTED = 77;

    private Driver() {}

    public static void main(String[] words) {
        System.exit(drive(words, System.err));
    }

    private static int drive(String[] words, PrintStream messages) {
        try {
            switch (words.length == 0 ? "" : words[0]) {
                case "describe" -> describe(new PrintStream(System.out, true, StandardCharsets.UTF_8));
                case "run" -> {
                    Plan plan = Plan.parse(Arrays.copyOfRange(words, 1, words.length));
                    new Session(plan).obey(System.in, System.out);
                }
                case "first-read" -> FirstRead.run(words, System.out);
                default -> throw new UsageException(
                        "usage: Driver describe | Driver run --operation NAME --method NAME --path FILE ...");
            }
            return DONE;
        } catch (UnsupportedException error) {
            messages.println("not supported: " + error.getMessage());
            return UNSUPPORTED;
        } catch (UsageException | java.io.IOException error) {
            messages.println("error: " + error.getMessage());
            return USAGE;
        }
    }

    private static void describe(PrintStream out) {
        String methods = Methods.ALL.stream().map(Method::description).collect(Collectors.joining(",\n  "));
        out.printf("{\"protocol\": 1, \"driver\": \"java\", \"language\": \"Java\", \"runtime\": %s,%n"
                + " \"methods\": [%n  %s]}%n", Method.quote(runtime()), methods);
    }

    /** Such as "OpenJDK 17.0.15+6-Debian-1deb12u1 (Debian)". */
    private static String runtime() {
        String name = System.getProperty("java.runtime.name", "Java").split(" Runtime")[0];
        return name + " " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")";
    }
}
