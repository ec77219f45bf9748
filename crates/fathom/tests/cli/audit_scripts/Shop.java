package shop;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

public class Shop {
    static final int LOOKS = 12;
    static long seen;

    static void method(File file) {
        for (int i = 0; i < LOOKS; i++) {
            seen += file.exists() ? 1 : 0; // METHOD
        }
    }

    class Inner {
        final long length;

        Inner(File file) {
            this.length = file.exists() ? 1 : 0; // CONSTRUCTOR
        }
    }

    static class Initialized {
        static long found;

        static {
            File file = new File("initializer");
            for (int i = 0; i < LOOKS; i++) {
                found += file.exists() ? 1 : 0; // INITIALIZER
            }
        }
    }

    /** Compiled and inlined by the time that it looks at a file. */
    static long hot(File file, boolean looks) {
        if (looks) {
            return file.exists() ? 1 : 0; // HOT
        }
        return 2;
    }

    static long loop(File file, boolean looks, int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) {
            sum += hot(file, looks);
        }
        return sum;
    }

    static long load(Path path) throws IOException {
        if (Files.exists(path)) {
            return Files.readAllBytes(path).length; // LOAD
        }
        return 0;
    }

    static int again(String name) throws IOException {
        try (FileInputStream in = new FileInputStream(name)) { // OPEN
            return in.read(new byte[8]);
        }
    }

    static int bytes(String name) throws IOException {
        int sum = 0;
        try (RandomAccessFile file = new RandomAccessFile(name, "r")) {
            int read;
            while ((read = file.read()) >= 0) { // BYTES
                sum += read;
            }
        }
        return sum;
    }

    public static void main(String[] arguments) throws Exception {
        method(new File("method"));
        Shop shop = new Shop();
        for (int i = 0; i < LOOKS; i++) {
            seen += shop.new Inner(new File("constructor")).length;
        }
        seen += Initialized.found;
        loop(new File("hot"), false, 200_000);
        loop(new File("hot"), true, LOOKS);
        List.of("lambda").forEach(name -> {
            File file = new File(name);
            for (int i = 0; i < LOOKS; i++) {
                seen += file.exists() ? 1 : 0; // LAMBDA
            }
        });
        Thread thread = new Thread(() -> {
            File file = new File("thread");
            for (int i = 0; i < LOOKS; i++) {
                seen +=
                    file.exists() // THREAD
                        ? 1
                        : 0;
            }
        });
        thread.start();
        thread.join();
        for (int i = 0; i < LOOKS; i++) {
            seen += load(Path.of("loaded"));
            seen += again("opened");
        }
        seen += bytes("read");
        System.out.println(seen);
    }
}
