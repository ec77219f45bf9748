// What opening for writing does in java.io, case by case, for a test that
// compares its lines with and without the fstat behind the open. It works in an
// empty working directory. Its argument: the switch of the library, on or off.

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

final class Behavior {
    private interface Case {
        String run() throws IOException;
    }

    private Behavior() {}

    public static void main(String[] words) throws IOException {
        Files.createDirectory(Path.of("directory"));
        Files.createSymbolicLink(Path.of("link-to-directory"), Path.of("directory"));
        Files.createSymbolicLink(Path.of("link-to-itself"), Path.of("link-to-itself"));
        Files.createSymbolicLink(Path.of("link-to-nothing"), Path.of("made-through-link"));
        fill("read-only");
        new File("read-only").setReadOnly();

        System.out.println("the library obeys: " + new File("/fathom-elide/" + words[0]).canRead());
        String[] paths = {"directory", "directory/", "link-to-directory", "link-to-itself", "link-to-nothing", ".", "/",
            "missing/file", "read-only", "read-only/file", "", "new", "/dev/null", "a".repeat(300)};
        for (String path : paths) {
            tell("write " + path, () -> written(new FileOutputStream(path)));
            tell("append " + path, () -> written(new FileOutputStream(path, true)));
            tell("update " + path, () -> updated(path));
        }
        tell("truncate", () -> {
            fill("file");
            return written(new FileOutputStream("file")) + Files.readString(Path.of("file"));
        });
        tell("add", () -> {
            fill("file");
            return written(new FileOutputStream("file", true)) + Files.readString(Path.of("file"));
        });
        tell("change", () -> {
            fill("file");
            return updated("file") + Files.readString(Path.of("file"));
        });
        tell("create", () -> written(new FileOutputStream("made")) + Files.getPosixFilePermissions(Path.of("made")));
        tell("synchronous", () -> {
            fill("file");
            try (RandomAccessFile file = new RandomAccessFile("file", "rws")) {
                return "of " + file.length();
            }
        });
        tell("position behind an append", () -> {
            fill("file");
            try (FileOutputStream out = new FileOutputStream("file", true)) {
                return out.getChannel().position() + " of " + out.getChannel().size();
            }
        });
        tell("reading a directory", () -> String.valueOf(new FileInputStream("directory").read()));
        tell("reading a file", () -> {
            try (FileInputStream in = new FileInputStream("file")) {
                return in.available() + " " + in.read();
            }
        });
    }

    private static String written(FileOutputStream stream) throws IOException {
        try (FileOutputStream out = stream) {
            out.write("abc".getBytes());
            return "written, ";
        }
    }

    /** The length is asked for by an fstat of its own. */
    private static String updated(String path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path, "rw")) {
            long before = file.length();
            file.write("abc".getBytes());
            return "from " + before + " to " + file.length() + ", ";
        }
    }

    private static void fill(String name) throws IOException {
        Files.writeString(Path.of(name), "0123456789");
    }

    private static void tell(String name, Case body) {
        String outcome;
        try {
            outcome = body.run();
        } catch (IOException | RuntimeException error) {
            outcome = error.toString();
        }
        System.out.println(name + ": " + outcome);
    }
}
