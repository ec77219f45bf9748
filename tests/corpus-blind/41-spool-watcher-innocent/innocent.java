import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/** Works an inbox off until it is empty; tasks may bring further tasks. */
class Main {
    static final Path INBOX = Path.of("inbox");
    static int next = 100;

    static List<Path> waiting() throws IOException {
        try (Stream<Path> list = Files.list(INBOX)) {
            return list.sorted().collect(Collectors.toList());
        }
    }

    static void work(Path task) throws IOException {
        String text = Files.readString(task).trim();
        int number = Integer.parseInt(text.substring(5));
        Files.delete(task);
        if (number > 1 && number < 8) {
            Files.writeString(INBOX.resolve("t" + next++), "task " + (number + 1) + "\n");
        }
    }

    public static void main(String[] args) throws IOException {
        int rounds = 0;
        int done = 0;
        for (List<Path> tasks = waiting(); !tasks.isEmpty(); tasks = waiting()) {
            for (Path task : tasks) {
                work(task);
                done++;
            }
            rounds++;
        }
        System.out.println("rounds " + rounds + ", tasks " + done);
    }
}
