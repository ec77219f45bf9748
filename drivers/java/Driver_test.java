// What `fathom driver check` cannot ask of every driver: this one's edges and refusals. It talks to a
// driver built before:
//
//     javac -d CLASSES *.java && java Driver_test.java CLASSES

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class Driver_test {
    private static String classes;
    private static Path folder;
    private static int failures;

    private Driver_test() {}

    public static void main(String[] words) throws Exception {
        classes = words[0];
        folder = Files.createTempDirectory("driver-test");
        try {
            writing();
            shortFilesAreErrors();
            mappingsAreCollected();
            refusals();
        } finally {
            try (var files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    delete(file);
                }
            }
            Files.delete(folder);
        }
        System.out.println(failures == 0 ? "all held" : failures + " failed");
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void writing() throws Exception {
        List<String> truncating = List.of("FileOutputStream", "Files.newOutputStream");
        for (String method : List.of("FileOutputStream", "FileOutputStream+append", "RandomAccessFile+rw",
                "Files.newOutputStream", "FileChannel.open+WRITE", "null")) {
            Path file = write("writing", "text");
            try (Conversation driver = new Conversation("open-write-close", List.of(method), 4, file)) {
                expect(method, "bytes=0 digest=0", words(driver.ask("batch 3"), 3, 5));
                expect(method, "verified bytes=0 crc32=00000000", driver.ask("verify"));
            }
            expect(method + ": size", truncating.contains(method) ? 0L : 4L, Files.size(file));
        }
    }

    private static void shortFilesAreErrors() throws Exception {
        Path file = write("short", "x".repeat(5000));
        for (String[] each : new String[][] {{"FileChannel.map", "map"}, {"RandomAccessFile.seek+read", "read"},
            {"FileChannel.read+position", "read"}}) {
            try (Conversation driver = new Conversation("read-block", List.of(each[0]), 20480, file, "--block", "4096",
                    "--access", "sequential")) {
                String answer = driver.ask("batch 5");
                expect(each[0], "error op=" + each[1] + " errno=ENODATA path=" + file, answer);
            }
        }
        Path shrinking = write("shrinking", "x".repeat(20480));
        try (Conversation driver = new Conversation("read-block", List.of("FileChannel.map"), 20480, shrinking, "--block",
                "4096", "--access", "sequential")) {
            expect("shrinking", "done ops=5", words(driver.ask("batch 5"), 0, 2));
            write("shrinking", "x");
            expect("shrinking", "error op=map errno=EFAULT path=" + shrinking, driver.ask("batch 20000"));
            expect("shrinking", "released", driver.ask("release"));
        }
        try (Conversation driver = new Conversation("read-whole", List.of("Files.readAllBytes", "FileInputStream.readAllBytes"),
                1, folder)) {
            expect("a directory", "error op=read errno=EISDIR path=" + folder, driver.ask("batch 1"));
            expect("a directory", "error op=open errno=EISDIR path=" + folder, driver.ask("batch 1 method=1"));
        }
    }

    private static void mappingsAreCollected() throws Exception {
        Path file = write("mapped", "x".repeat(8192));
        // More mappings than the kernel allows a process at a time.
        try (Conversation driver = new Conversation("read-whole", List.of("FileChannel.map"), 8192, file)) {
            for (int i = 0; i < 8; i++) {
                expect("many mappings", "done ops=10000", words(driver.ask("batch 10000"), 0, 2));
            }
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            for (Path entry : list(path)) {
                delete(entry);
            }
        }
        Files.delete(path);
    }

    private static void refusals() throws Exception {
        String[] more = {"--directory", Files.createDirectory(folder.resolve("none")).toString(), "--close", "all"};
        expect("more files than may be open", 77, exit("batch 1000000000", "create", "FileOutputStream", more));
        expect("no syncfs", 77, exit("create", "FileOutputStream", "--directory", folder.toString(), "--sync", "syncfs"));
        expect("no directory", 2, exit("create", "FileOutputStream"));
        expect("a stream at random", 77, exit("write-block", "FileOutputStream.write", "--directory", "x", "--block", "1"));
        expect("no number", 2, exit("search", "null", "--threads", "x"));
        expect("several reads in flight", 77, exit("read-block", "null", "--queue-depth", "2"));
        expect("direct, unaligned", 77, exit("read-block", "FileChannel+DIRECT", "--block", "1"));
    }

    private static int exit(String operation, String method, String... more) throws Exception {
        return exit("", operation, method, more);
    }

    private static int exit(String line, String operation, String method, String[] more) throws Exception {
        List<String> command = new ArrayList<>(List.of("java", "-cp", classes, "Driver", "run", "--operation", operation,
                "--method", method, "--path", folder.toString(), "--size", "1"));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (PrintStream in = new PrintStream(process.getOutputStream())) {
            in.println(line);
        }
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    private static Path write(String name, String text) throws IOException {
        // In place: a mapping of the file sees it.
        return Files.writeString(folder.resolve(name), text, ISO_8859_1);
    }

    private static String words(String answer, int from, int to) {
        String[] words = answer.split(" ");
        return String.join(" ", Arrays.copyOfRange(words, Math.min(from, words.length), Math.min(to, words.length)));
    }

    private static void expect(String what, Object wanted, Object found) {
        if (!wanted.equals(found)) {
            failures++;
            System.out.println(what + ": found " + found + ", must be " + wanted);
        }
    }

    /** A driver that was started and is ready. */
    private static final class Conversation implements AutoCloseable {
        private final Process process;
        private final PrintStream in;
        private final BufferedReader out;

        /** The words after `file` are further paths if they are paths, else further arguments. */
        Conversation(String operation, List<String> methods, long size, Path file, Object... more) throws IOException {
            List<String> command = new ArrayList<>(List.of("java", "-XX:TieredStopAtLevel=1", "-cp", classes, "Driver", "run",
                    "--operation", operation, "--size", String.valueOf(size), "--path", file.toString()));
            methods.forEach(method -> command.addAll(List.of("--method", method)));
            for (Object word : more) {
                if (word instanceof Path && !command.get(command.size() - 1).equals("--directory")) {
                    command.add("--path");
                }
                command.add(word.toString());
            }
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            in = new PrintStream(process.getOutputStream(), true);
            out = new BufferedReader(new InputStreamReader(process.getInputStream()));
            expect(operation, "ready", read());
        }

        String ask(String line) throws IOException {
            in.println(line);
            return read();
        }

        String read() throws IOException {
            return String.valueOf(out.readLine());
        }

        @Override
        public void close() {
            in.println("quit");
            expect("exit code", 0, process.onExit().join().exitValue());
        }
    }
}
