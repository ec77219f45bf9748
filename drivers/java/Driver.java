// The entry of the driver: `describe` or `run`, what the scenario `first-read` asks of
// this runtime, and the exit codes. It does not know what a method does.
//
// The virtual machine interprets code before it compiles it, so the first
// thousands of operations are slow; whoever measures warms up, the driver does not.

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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
                case "describe" -> Description.print(new PrintStream(System.out, true, StandardCharsets.UTF_8));
                case "run" -> {
                    Plan plan = Plan.parse(Arrays.copyOfRange(words, 1, words.length));
                    new Session(plan).obey(System.in, System.out);
                }
                case "first-read" -> FirstRead.run(words, System.out);
                default -> throw new UsageException(
                        "usage: Driver describe | Driver run --operation NAME --method NAME --path FILE ...");
            }
            return DONE;
        } catch (UsageException error) {
            messages.println("error: " + error.getMessage());
            return USAGE;
        } catch (UnsupportedException error) {
            messages.println("not supported: " + error.getMessage());
            return UNSUPPORTED;
        } catch (java.io.IOException error) {
            messages.println("error: " + error.getMessage());
            return USAGE;
        }
    }
}
