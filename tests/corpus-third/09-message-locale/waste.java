import java.io.*;
import java.nio.file.*;
import java.util.*;

class Messages {
    private final Map<String, Properties> loaded = new HashMap<>();

    private Properties load(String name) throws IOException {
        Properties have = loaded.get(name);
        if (have != null)
            return have;
        Properties p = new Properties();
        try (Reader r = Files.newBufferedReader(Path.of("lang", name + ".properties"))) {
            p.load(r);
        } catch (NoSuchFileException e) {
            return null;
        }
        loaded.put(name, p);
        return p;
    }

    String text(String key, String arg) throws IOException {
        for (String name : new String[] {"de_AT", "de", "default"}) {
            Properties p = load(name);
            if (p != null && p.containsKey(key))
                return String.format(p.getProperty(key), arg);
        }
        return key;
    }
}

class Main {
    public static void main(String[] args) throws IOException {
        Messages m = new Messages();
        String[] keys = {"greet", "bye", "count"};
        int chars = 0;
        for (int i = 0; i < 90; i++)
            chars += m.text(keys[i % 3], "guest" + i).length();
        System.out.println(chars + " characters, last: " + m.text("bye", "all"));
    }
}
