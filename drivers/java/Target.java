// A file of the run, under the two kinds of name that Java's interfaces take.

import java.nio.file.Path;

record Target(String name, Path path) {
    Target(String name) {
        this(name, Path.of(name));
    }
}
