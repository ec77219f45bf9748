// What `fathom driver check` does not ask: words across every border, lines of
// every shape, threads, release, errors, latencies. It talks to a driver built before:
//
//     javac -d CLASSES *.java && java Driver_test.java CLASSES

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
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
    private static final List<String> HASH =
            List.of("FileInputStream+MessageDigest", "FileChannel.map+MessageDigest", "null");

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
            hashes();
            writing();
            missingFilesAreErrors();
            shortFilesAreErrors();
            releaseUnmaps();
            latenciesAreAppended();
            filesAreCreated();
            blocksAreWritten();
            filesAreCopied();
            whatIsThereIsTheErrorOfOpenMissing();
            pages();
            changesAreSeen();
            directReads();
            nonsense();
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
                    String answer = driver.ask("batch 2 preroll=1 method=" + i);
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
                String answer = driver.ask("batch 2 preroll=1 method=" + i);
                expect(label, figures(2, 2L * text.length(), 2 * count, "matches", 2 * count), told(answer, "matches"));
                expect(label, verified(text.length(), String.valueOf(count)), driver.ask("verify method=" + i));
            }
        }
    }

    private static void hashes() throws Exception {
        for (int length : new int[] {0, 1, 65536, 200_001}) {
            byte[] data = new byte[length];
            new Random(length).nextBytes(data);
            Path file = Files.write(folder.resolve("hash"), data);
            byte[] md5 = MessageDigest.getInstance("MD5").digest(data);
            String digest = new BigInteger(1, Arrays.copyOf(md5, 8)).toString();
            try (Conversation driver = new Conversation("hash", HASH, length, file)) {
                for (int i = 0; i < HASH.size(); i++) {
                    String label = HASH.get(i) + " on " + length + " bytes";
                    String answer = driver.ask("batch 1 method=" + i);
                    expect(label, "bytes=" + length + " digest=" + digest, words(answer, 3, 5));
                    expect(label, verified(length, new String(md5, ISO_8859_1)), driver.ask("verify method=" + i));
                }
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

    private static void missingFilesAreErrors() throws Exception {
        Path missing = folder.resolve("a name with spaces");
        String want = "error op=open errno=ENOENT path=" + missing;
        for (String[] each : new String[][] {{"open-close", "FileInputStream", "FileChannel.open", "RandomAccessFile+r"},
            {"open-write-close", "FileChannel.open+WRITE"}, {"read-block", "FileChannel.map", "RandomAccessFile.seek+read", "null"},
            {"lines", "Files.lines", "BufferedReader.readLine", "Files.readAllLines", "Scanner.nextLine", "null"},
            {"search", "BufferedReader+indexOf", "FileChannel+read+search", "FileChannel.map+search", "null"},
            {"hash", "FileInputStream+MessageDigest", "FileChannel.map+MessageDigest", "null"}}) {
            List<String> methods = List.of(each).subList(1, each.length);
            try (Conversation driver = new Conversation(each[0], methods, 65536, missing, "--threads",
                    each[0].equals("search") ? "2" : "1")) {
                for (int i = 0; i < methods.size(); i++) {
                    for (String line : List.of("batch 1 method=" + i, "blocks " + i + ":1:0 " + i + ":1:0", "verify method=" + i)) {
                        expect(methods.get(i) + ": " + line, want, driver.ask(line));
                    }
                }
                expect("release", "released", driver.ask("release"));
            }
        }
        try (Conversation driver = new Conversation("open-close", List.of("Files.newInputStream"), 1, write("one", "x"), missing)) {
            expect("one of two", "done ops=1", words(driver.ask("blocks 0:1:0 0:1:0 0:1:0"), 0, 2));
            expect("one of two", want, driver.read());
            expect("one of two", "done ops=1", words(driver.ask("batch 1"), 0, 2));
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

    private static void releaseUnmaps() throws Exception {
        Path file = write("mapped", "x".repeat(8192));
        for (String[] each : new String[][] {{"read-block", "FileChannel.map"}, {"read-whole", "FileChannel.map"},
            {"search", "FileChannel.map+search"}, {"read-block", "FileChannel.read+position"}}) {
            try (Conversation driver = new Conversation(each[0], List.of(each[1], each[1]), 8192, file, "--block", "4096")) {
                driver.ask("batch 10");
                driver.ask("batch 10 method=1");
                expect(each[1] + ": held", true, driver.holds(file));
                expect(each[1], "released", driver.ask("release"));
                expect(each[1] + ": held after release", false, driver.holds(file));
                expect(each[1], "done ops=2", words(driver.ask("batch 2"), 0, 2));
            }
        }
        // More mappings than the kernel allows a process at a time.
        try (Conversation driver = new Conversation("read-whole", List.of("FileChannel.map"), 8192, file)) {
            for (int i = 0; i < 8; i++) {
                expect("many mappings", "done ops=10000", words(driver.ask("batch 10000"), 0, 2));
            }
        }
    }

    private static void latenciesAreAppended() throws Exception {
        Path times = folder.resolve("times");
        try (Conversation driver = new Conversation("read-block", List.of("null"), 8192, write("block", "x".repeat(8192)),
                "--block", "4096", "--latencies", times.toString())) {
            driver.ask("batch 5 preroll=2");
            driver.ask("batch 3");
            expect("latencies", 64L, Files.size(times));
        }
    }

    private static void filesAreCreated() throws Exception {
        List<String> inPhases = List.of("FileOutputStream", "FileChannel.open+CREATE", "null");
        List<String> all = List.of("FileOutputStream", "FileChannel.open+CREATE", "null", "Files.newOutputStream", "Files.write");
        for (String close : List.of("each", "all", "none")) {
            for (String existing : List.of("fresh", "data")) {
                for (String length : existing.equals("fresh") ? List.of("0", "20000") : List.of("20000")) {
                    List<String> methods = close.equals("each") ? all : inPhases;
                    Path directory = Files.createDirectory(folder.resolve("made"));
                    byte[] data = pattern(Integer.parseInt(length));
                    try (Conversation driver = new Conversation("create", methods, 0, folder, "--directory", directory,
                            "--close", close, "--existing", existing, "--write", length, "--sync",
                            existing.equals("fresh") && methods == inPhases ? "fsync" : "none")) {
                        int made = 0;
                        for (int i = 0; i < methods.size(); i++) {
                            String label = methods.get(i) + " closing " + close;
                            expect(label, "bytes=" + 3 * data.length + " digest=0",
                                    words(driver.ask("batch 3 preroll=2 method=" + i), 3, 5));
                            expect(label, verified(data.length, new String(data, ISO_8859_1)),
                                    driver.ask("verify method=" + i));
                            for (int count : methods.get(i).equals("null") ? new int[0] : new int[] {2, 3, 1}) {
                                expect(label, count, list(directory.resolve("" + made)).size());
                                for (Path file : list(directory.resolve("" + made++))) {
                                    expect(label + ": " + file, true, Arrays.equals(data, Files.readAllBytes(file)));
                                }
                            }
                        }
                        expect("directories", made, list(directory).size());
                    }
                    delete(directory);
                }
            }
        }
        String[] more = {"--directory", Files.createDirectory(folder.resolve("none")).toString(), "--close", "all"};
        expect("more files than may be open", 77, exit("batch 1000000000", "create", "FileOutputStream", more));
        expect("no syncfs", 77, exit("create", "FileOutputStream", "--directory", folder.toString(), "--sync", "syncfs"));
        expect("no directory", 2, exit("create", "FileOutputStream"));
    }

    private static void blocksAreWritten() throws Exception {
        List<String> anywhere = List.of("RandomAccessFile.seek+write", "FileChannel.write+position", "MappedByteBuffer.put", "null");
        List<String> inSequence = List.of("FileOutputStream.write", "BufferedOutputStream.write", "MappedByteBuffer.put", "null");
        byte[] pool = pattern(1 << 20);
        for (String access : List.of("random", "sequential")) {
            for (String existing : access.equals("random") ? List.of("fresh", "data") : List.of("fresh")) {
                List<String> methods = access.equals("random") ? anywhere : inSequence;
                Path directory = Files.createDirectory(folder.resolve("written"));
                try (Conversation driver = new Conversation("write-block", methods, 8192, folder, "--directory", directory,
                        "--block", "1000", "--access", access, "--existing", existing, "--content", "pattern", "--sync", "fsync")) {
                    for (int i = 0; i < methods.size(); i++) {
                        String label = methods.get(i) + " " + access + " " + existing;
                        // More blocks than the file has, so that it starts again.
                        expect(label, "bytes=12000 digest=" + digests(pool, 1000, 2, 14),
                                words(driver.ask("batch 12 preroll=2 method=" + i), 3, 5));
                        expect(label, verified(1000, new String(pool, 0, 1000, ISO_8859_1)), driver.ask("verify method=" + i));
                        expect(label, List.of(directory.resolve("" + Math.min(8, 3 * i + 2)).resolve("f")), files(directory));
                    }
                }
                delete(directory);
            }
        }
        expect("a stream at random", 77, exit("write-block", "FileOutputStream.write", "--directory", "x", "--block", "1"));
        expect("a large block", 2, exit("write-block", "null", "--directory", "x", "--block", "1048577"));
    }

    private static void filesAreCopied() throws Exception {
        List<String> methods = List.of("FileChannel.transferTo", "InputStream.transferTo", "Files.copy", "null");
        for (int length : new int[] {0, 1, 300_000}) {
            String text = "x".repeat(length);
            Path file = write("source", text);
            Path directory = Files.createDirectory(folder.resolve("copied"));
            try (Conversation driver = new Conversation("copy", methods, length, file, "--directory", directory)) {
                for (int i = 0; i < methods.size(); i++) {
                    expect(methods.get(i), "bytes=" + 3 * length + " digest=0",
                            words(driver.ask("batch 3 preroll=2 method=" + i), 3, 5));
                    expect(methods.get(i), verified(length, text), driver.ask("verify method=" + i));
                    Path copy = directory.resolve("" + Math.min(8, 3 * i + 2)).resolve("c0");
                    expect(methods.get(i), List.of(copy), files(directory));
                    expect(methods.get(i), (long) length, Files.size(copy));
                }
            }
            delete(directory);
        }
    }

    private static void whatIsThereIsTheErrorOfOpenMissing() throws Exception {
        List<String> methods = List.of("FileInputStream", "RandomAccessFile+r", "Files.newInputStream", "FileChannel.open");
        Path file = write("there", "x");
        for (Object[] each : new Object[][] {{folder.resolve("missing"), null}, {file, "EEXIST"}, {file.resolve("x"), "ENOTDIR"}}) {
            try (Conversation driver = new Conversation("open-missing", methods, 0, (Path) each[0])) {
                for (int i = 0; i < methods.size(); i++) {
                    String answer = driver.ask("batch 2 method=" + i);
                    boolean right = each[1] == null ? words(answer, 3, 5).equals("bytes=0 digest=0")
                            : answer.equals("error op=open errno=" + each[1] + " path=" + each[0]);
                    expect(methods.get(i) + ": " + answer, true, right);
                }
            }
        }
    }

    private static void pages() throws Exception {
        Path template = Path.of("..", "page.template");
        String page = Files.readString(template).replace("{{.Name}}", "fathom").replace("{{.Number}}", "42");
        try (Conversation driver = new Conversation("template", List.of("embedded", "Files.readString", "null"), 0, template)) {
            for (int i = 0; i < 3; i++) {
                expect("page " + i, "bytes=" + 2 * page.length() + " digest=" + 2 * '<',
                        words(driver.ask("batch 2 method=" + i), 3, 5));
                expect("page " + i, verified(page.length(), page), driver.ask("verify method=" + i));
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

    private static void directReads() throws Exception {
        for (int length : new int[] {0, 1, 4096, 5000, 65536, 70_000}) {
            String text = "x".repeat(length);
            Path file = write("direct", text);
            try (Conversation driver = new Conversation("read-whole", List.of("FileChannel+DIRECT"), length, file)) {
                expect("direct, " + length, verified(length, text), driver.ask("verify"));
            }
        }
        expect("direct, unaligned", 77, exit("read-block", "FileChannel+DIRECT", "--block", "1"));
    }

    private static byte[] pattern(int length) {
        return Arrays.copyOf("fathom pattern.\n".repeat(length / 16 + 1).getBytes(ISO_8859_1), length);
    }

    /** The digests of operations that each take the next block of a pool. */
    private static long digests(byte[] pool, int block, int from, int to) {
        long sum = 0;
        for (int k = from; k < to; k++) {
            sum += pool[k * block];
        }
        return sum;
    }

    private static List<Path> list(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var entries = Files.walk(directory)) {
            return entries.filter(Files::isRegularFile).toList();
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

    private static void nonsense() throws Exception {
        try (Conversation driver = new Conversation("null", List.of("null"), 0, folder)) {
            for (String line : List.of("", "batch", "batch x", "batch -1", "batch +1", "batch 1 method=1", "batch 1 preroll=",
                    "batch 99999999999999999999", "blocks", "blocks 0:1", "blocks 0:1:0 1:1:0", "verify 0", "release now", "Batch 1")) {
                expect(line, "error op=protocol errno=EINVAL path=" + line, driver.ask(line));
            }
            expect("goes on", "done ops=0", words(driver.ask("batch 0"), 0, 2));
        }
        expect("a word with the end of a line", 77, exit("search", "BufferedReader+indexOf", "--word", "a\nb"));
        expect("a method that cannot", 2, exit("search", "Files.lines"));
        expect("no such block", 2, exit("read-block", "null", "--block", "2"));
        expect("no threads", 2, exit("search", "null", "--threads", "0"));
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

        boolean holds(Path file) throws IOException {
            Path self = Path.of("/proc/" + process.pid());
            if (Files.readString(self.resolve("maps")).contains(file.toString())) {
                return true;
            }
            try (var descriptors = Files.list(self.resolve("fd"))) {
                for (Path descriptor : descriptors.toList()) {
                    if (Files.readSymbolicLink(descriptor).equals(file)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public void close() {
            in.println("quit");
            expect("exit code", 0, process.onExit().join().exitValue());
        }
    }
}
