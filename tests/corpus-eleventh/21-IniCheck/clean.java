import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Reads a settings file and lists sections with doubled keys. */
public final class IniCheck {
    private final Map<String, Map<String, String>> sections = new LinkedHashMap<>();
    private int doubled;

    private void line(String text, String[] current) {
        String t = text.trim();
        if (t.isEmpty() || t.charAt(0) == ';')
            return;
        if (t.startsWith("[") && t.endsWith("]")) {
            current[0] = t.substring(1, t.length() - 1);
            sections.putIfAbsent(current[0], new TreeMap<>());
            return;
        }
        int eq = t.indexOf('=');
        if (eq < 0)
            return;
        String key = t.substring(0, eq).trim();
        if (sections.computeIfAbsent(current[0], k -> new TreeMap<>()).put(key, t.substring(eq + 1).trim()) != null)
            doubled++;
    }

    void load(String path) throws IOException {
        try (InputStream in = new BufferedInputStream(new FileInputStream(path))) {
            StringBuilder sb = new StringBuilder();
            String[] current = {""};
            int c;
            while ((c = in.read()) >= 0) {
                if (c == '\n') {
                    line(sb.toString(), current);
                    sb.setLength(0);
                } else {
                    sb.append((char) c);
                }
            }
            if (sb.length() > 0)
                line(sb.toString(), current);
        }
    }

    public static void main(String[] args) throws IOException {
        IniCheck ini = new IniCheck();
        ini.load(args.length > 0 ? args[0] : "settings.ini");
        int keys = 0;
        for (Map<String, String> s : ini.sections.values())
            keys += s.size();
        System.out.println(ini.sections.size() + " sections, " + keys + " keys, " + ini.doubled + " doubled");
    }
}
