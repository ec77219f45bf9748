import java.io.File;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;

/** Counts the classes of each package of a class directory. */
class Main {
    static final Map<String, Integer> counts = new TreeMap<>();

    static void scan(Path dir, String name) throws IOException {
        for (String file : new File(dir.toString()).list()) {
            if (file.endsWith(".class")) {
                counts.merge(name, 1, Integer::sum);
            } else {
                scan(dir.resolve(file), name.isEmpty() ? file : name + "." + file);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        scan(Path.of("classes"), "");
        int sum = 0;
        for (int n : counts.values()) {
            sum += n;
        }
        System.out.println("packages " + counts.keySet() + ", classes " + sum);
    }
}
