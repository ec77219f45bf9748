import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class Main {
    static final Path REGISTER = Path.of("register.txt");

    static Map<String, String[]> load() throws IOException {
        Map<String, String[]> licences = new LinkedHashMap<>();
        for (String line : Files.readAllLines(REGISTER)) {
            String[] parts = line.split(";");
            licences.put(parts[0], parts);
        }
        return licences;
    }

    static void save(Map<String, String[]> licences) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String[] parts : licences.values()) {
            text.append(String.join(";", parts)).append('\n');
        }
        Path fresh = Path.of("register.tmp");
        try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer data = ByteBuffer.wrap(text.toString().getBytes());
            while (data.hasRemaining()) {
                out.write(data);
            }
            out.force(true);
        }
        Files.move(fresh, REGISTER, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel dir = FileChannel.open(Path.of("."), StandardOpenOption.READ)) {
            dir.force(true);
        }
    }

    static void decide(Map<String, String[]> licences, String line) {
        String[] words = line.split(" ");
        String[] licence = licences.get(words[1]);
        switch (words[0]) {
            case "close" -> licence[3] = "closed";
            case "open" -> licence[3] = "open";
            case "raise" -> licence[2] = Integer.toString(Integer.parseInt(licence[2]) + Integer.parseInt(words[2]));
            default -> throw new IllegalArgumentException(line);
        }
    }

    public static void main(String[] args) throws IOException {
        List<String> meeting = new ArrayList<>();
        List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("decisions.txt")));
        lines.add("--");
        int meetings = 0;
        for (String line : lines) {
            if (!line.equals("--")) {
                meeting.add(line);
                continue;
            }
            Map<String, String[]> licences = load();
            meeting.forEach(decision -> decide(licences, decision));
            save(licences);
            System.out.println("meeting " + ++meetings + ": " + meeting.size() + " decisions entered");
            meeting.clear();
        }
        System.out.println(load().values().stream().filter(l -> l[3].equals("open")).count() + " licences open");
    }
}
