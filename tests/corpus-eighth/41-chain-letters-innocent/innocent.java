import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plays through a chain letter: whoever opens one writes two more, until the chain is worn out. */
class Main {
    static final Path POST = Path.of("post");

    static List<Path> waiting() throws IOException {
        try (Stream<Path> letters = Files.list(POST)) {
            return letters.sorted().collect(Collectors.toList());
        }
    }

    record Letter(int step, int last) {
        static Letter read(Path path) throws IOException {
            String[] w = Files.readString(path).trim().split(" ");
            return new Letter(Integer.parseInt(w[0]), Integer.parseInt(w[1]));
        }

        boolean goesOn() {
            return step < last;
        }

        void send(Path to) throws IOException {
            Files.writeString(to, (step + 1) + " " + last + "\n");
        }
    }

    public static void main(String[] args) throws IOException {
        int opened = 0;
        int rounds = 0;
        int most = 0;
        List<Path> letters = waiting();
        while (!letters.isEmpty()) {
            rounds++;
            most = Math.max(most, letters.size());
            for (Path path : letters) {
                Letter letter = Letter.read(path);
                if (letter.goesOn()) {
                    letter.send(POST.resolve(path.getFileName() + "l"));
                    letter.send(POST.resolve(path.getFileName() + "r"));
                }
                Files.delete(path);
                opened++;
            }
            System.out.println("round " + rounds + ": " + letters.size() + " letters");
            letters = waiting();
        }
        System.out.println(opened + " letters opened in " + rounds + " rounds, at most " + most + " at once");
    }
}
