import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Sorts the slides of four shows; the projector reads show/*.order whenever it starts a round. */
class Main {
    private static String ordered(Path list) throws IOException {
        List<String> lines = Files.readAllLines(list);
        return lines.stream()
                .sorted(Comparator.comparingInt(l -> Integer.parseInt(l.substring(0, l.indexOf(' ')))))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static void replace(File order, String text) throws IOException {
        File fresh = new File(order.getPath() + ".fresh");
        try (FileOutputStream out = new FileOutputStream(fresh)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.getFD().sync();
        }
        Files.move(fresh.toPath(), order.toPath(), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel dir = FileChannel.open(order.getParentFile().toPath())) {
            dir.force(true);
        }
    }

    public static void main(String[] args) throws IOException {
        int slides = 0;
        for (String show : new String[] {"spring", "summer", "autumn", "winter"}) {
            String text = ordered(Path.of(show + ".txt"));
            replace(new File("show", show + ".order"), text);
            slides += text.split("\n").length;
            System.out.println(show + " starts with " + text.substring(0, text.indexOf('\n')));
        }
        System.out.println("slides: " + slides);
    }
}
