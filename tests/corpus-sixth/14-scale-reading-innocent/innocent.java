import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Weighs crates of apples; the driver of the scale leaves each weighing in weight.txt. */
class Main {
    static Properties weighing() throws IOException {
        Properties p = new Properties();
        try (Reader r = Files.newBufferedReader(Path.of("weight.txt"))) {
            p.load(r);
        }
        return p;
    }

    public static void main(String[] args) throws Exception {
        Process scale = new ProcessBuilder("sh", "scale.sh")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        int net = 0;
        int unstable = 0;
        int heaviest = 0;
        int heaviestCrate = 0;
        try (PrintStream ask = new PrintStream(scale.getOutputStream(), true);
             BufferedReader answer = scale.inputReader()) {
            for (int crate = 1; crate <= 40; crate++) {
                ask.println(crate);
                String line = answer.readLine();
                if (!("ready " + crate).equals(line)) throw new IOException("scale said " + line);
                Properties w = weighing();
                if (w.getProperty("stable").equals("0")) {
                    unstable++;
                    continue;
                }
                int n = Integer.parseInt(w.getProperty("gross")) - Integer.parseInt(w.getProperty("tare"));
                net += n;
                if (n > heaviest) {
                    heaviest = n;
                    heaviestCrate = crate;
                }
            }
        }
        System.out.println("net " + net + ", unstable " + unstable);
        System.out.println("heaviest crate " + heaviestCrate + " with " + heaviest);
        System.exit(scale.waitFor());
    }
}
