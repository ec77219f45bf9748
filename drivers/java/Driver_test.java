// What `fathom driver check` does not ask: words across every border, lines of
// every shape, threads, errors. It talks to a driver built before:
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
import java.util.Random;
import java.util.zip.CRC32;

final class Driver_test {
    private static final List<String> LINES =
            List.of("Files.lines", "BufferedReader.readLine", "Files.readAllLines", "Scanner.nextLine", "null");
    private static final List<String> SEARCH =
            List.of("BufferedReader+indexOf", "FileChannel+read+search", "FileChannel.map+search", "null");

    private static String classes;
    private static Path folder;
    private static int failures;

    private Driver_test() {}

    public static void main(String[] words) throws Exception {
        classes = words[0];
        folder = Files.createTempDirectory("driver-test");
        try {
            linesOfEveryShape();
            wordsAcrossEveryBorder();
            writing();
            shortFilesAreErrors();
            mappingsAreCollected();
            changesAreSeen();
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

    private static void linesOfEveryShape() throws Exception {
        String longLine = "x".repeat(300_000);
        for (String text : List.of("", "\n", "a", "a\n", "\n\na\n\n", "a\nb", longLine, longLine + "\n" + longLine,
                "one\n" + longLine + "\n\nlast", ("line of text 12345\n").repeat(20_000), "\u00ff\n\u00e9\u0001")) {
            List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
            if (lines.get(lines.size() - 1).isEmpty()) {
                lines.remove(lines.size() - 1);
            }
            long bytes = lines.stream().mapToLong(String::length).sum();
            long digest = lines.stream().filter(line -> !line.isEmpty()).mapToLong(line -> line.charAt(0)).sum();
            StringBuilder ended = new StringBuilder();
            lines.forEach(line -> ended.append(line).append('\n'));
            Path file = write("lines", text);
            try (Conversation driver = new Conversation("lines", LINES, text.length(), file)) {
                for (int i = 0; i < LINES.size(); i++) {
                    String label = LINES.get(i) + " on " + text.length() + " bytes";
                    String answer = driver.ask("batch 2 method=" + i + " preroll=1");
                    expect(label, figures(2, 2 * bytes, 2 * digest, "lines", 2L * lines.size()), told(answer, "lines"));
                    expect(label, verified(bytes, ended.toString()), driver.ask("verify method=" + i));
                }
            }
        }
    }

    private static void wordsAcrossEveryBorder() throws Exception {
        List<String> texts = new ArrayList<>(List.of("", "E", "ERROR", "ERRORERROR", "ERRO", "RROR", "ERRO\nR",
                "ERROR".repeat(30_000), "a".repeat(200_000) + "ERROR" + "b".repeat(100_000) + "ERROR"));
        Random random = new Random(1);
        for (int length : new int[] {63, 64, 65, 1000, 70_001}) {
            StringBuilder text = new StringBuilder();
            while (text.length() < length) {
                text.append(List.of("ERROR", "ERR", "OR", "\n", "x", "E").get(random.nextInt(6)));
            }
            texts.add(text.substring(0, length));
        }
        for (String text : texts) {
            Path file = write("search", text);
            for (int threads : new int[] {1, 2, 3, 7}) {
                search(text, file, "ERROR", threads, threads == 1 ? 65536 : 64);
            }
            search(text, file, "ERROR", 1, 1);
            search(text, file, "R", 3, 64);
        }
        // Occurrences may overlap, so the number of threads does not matter.
        String text = "aaaa aaa".repeat(50);
        Path file = write("search", text);
        for (int threads : new int[] {1, 3, 50}) {
            search(text, file, "aa", threads, 64);
        }
    }

    private static void search(String text, Path file, String word, int threads, int block) throws Exception {
        long count = 0;
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
            count++;
        }
        try (Conversation driver = new Conversation("search", SEARCH, text.length(), file, "--word", word, "--threads",
                String.valueOf(threads), "--block", String.valueOf(block))) {
            for (int i = 0; i < SEARCH.size(); i++) {
                String label = SEARCH.get(i) + " on " + text.length() + " bytes, " + threads + " threads, block " + block;
                String answer = driver.ask("batch 2 method=" + i + " preroll=1");
                expect(label, figures(2, 2L * text.length(), 2 * count, "matches", 2 * count), told(answer, "matches"));
                expect(label, verified(text.length(), String.valueOf(count)), driver.ask("verify method=" + i));
            }
        }
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

    private static void changesAreSeen() throws Exception {
        List<String> methods = List.of("Files.readAttributes", "Files.readAllBytes", "WatchService");
        Path file = write("watched", "one");
        try (Conversation driver = new Conversation("reload", methods, 3, file)) {
            for (String text : List.of("one", "two", "six")) {
                write("watched", text);
                for (int i = 0; i < methods.size(); i++) {
                    String held = driver.ask("verify method=" + i);
                    // Who is told of changes is told a little later.
                    for (int tries = 0; tries < 100 && !held.equals(verified(3, text)); tries++) {
                        Thread.sleep(20);
                        held = driver.ask("verify method=" + i);
                    }
                    expect(methods.get(i), verified(3, text), held);
                    expect(methods.get(i), "bytes=6 digest=" + 2 * text.charAt(0),
                            words(driver.ask("batch 2 method=" + i), 3, 5));
                }
                if (text.equals("two")) {
                    expect("reload", "released", driver.ask("release"));
                }
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
        expect("a method that cannot", 2, exit("search", "Files.lines"));
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

    private static String figures(long ops, long bytes, long digest, String key, long count) {
        return "ops=" + ops + " bytes=" + bytes + " digest=" + digest + " " + key + "=" + count;
    }

    private static String told(String answer, String key) {
        List<String> told = new ArrayList<>();
        for (String word : answer.split(" ")) {
            if (List.of("ops", "bytes", "digest", key).contains(word.split("=")[0])) {
                told.add(word);
            }
        }
        return String.join(" ", told);
    }

    private static String words(String answer, int from, int to) {
        String[] words = answer.split(" ");
        return String.join(" ", Arrays.copyOfRange(words, Math.min(from, words.length), Math.min(to, words.length)));
    }

    private static String verified(long bytes, String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(ISO_8859_1));
        return String.format("verified bytes=%d crc32=%08x", bytes, crc.getValue());
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
