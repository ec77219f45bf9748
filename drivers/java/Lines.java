// lines: hand every line of a file to the program. ISO_8859_1 makes each byte
// a character, so that lengths count bytes.

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Scanner;
import java.util.stream.Stream;

final class Lines {
    private Lines() {}

    static void filesLines(Target target, Tools tools, Sink out) throws IOException {
        try (Stream<String> lines = Files.lines(target.path(), ISO_8859_1)) {
            lines.forEach(out::takeLine);
        }
    }

    static void bufferedReader(Target target, Tools tools, Sink out) throws IOException {
        try (BufferedReader reader = new BufferedReader(new FileReader(target.name(), ISO_8859_1))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                out.takeLine(line);
            }
        }
    }

    static void readAllLines(Target target, Tools tools, Sink out) throws IOException {
        for (String line : Files.readAllLines(target.path(), ISO_8859_1)) {
            out.takeLine(line);
        }
    }

    static void scanner(Target target, Tools tools, Sink out) throws IOException {
        try (Scanner scanner = new Scanner(target.path(), ISO_8859_1)) {
            while (scanner.hasNextLine()) {
                out.takeLine(scanner.nextLine());
            }
            // A Scanner takes a failed read for the end of the file.
            if (scanner.ioException() != null) {
                throw scanner.ioException();
            }
        }
    }
}
