import java.io.IOException;
import java.nio.file.*;
import java.util.*;

class Runner {
    private final Path stop = Path.of("STOP").toAbsolutePath();
    int done;
    long sum;

    boolean stopped() {
        return Files.exists(stop);
    }

    void run(List<String> jobs, Thread operator) throws Exception {
        for (String j : jobs) {
            if (stopped())
                return;
            sum += Long.parseLong(j.split(" ")[1]);
            if (++done == 20) {
                operator.start();
                operator.join();
            }
        }
    }
}

class Main {
    public static void main(String[] args) throws Exception {
        Runner r = new Runner();
        // the operator, who stops the batch after twenty jobs
        Thread op = new Thread(() -> {
            try {
                Files.createFile(Path.of("STOP"));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        r.run(Files.readAllLines(Path.of("jobs.txt")), op);
        System.out.println(r.done + " jobs done, sum " + r.sum);
    }
}
