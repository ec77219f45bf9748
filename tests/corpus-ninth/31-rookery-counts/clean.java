import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

class Main {
    record Nest(String tree, long eggs, long chicks) {}

    static List<String> names(Path tree) throws IOException {
        try (Stream<Path> entries = Files.list(tree)) {
            return entries.map(p -> p.getFileName().toString())
                .sorted()
                .collect(Collectors.toList());
        }
    }

    static Nest count(Path tree) throws IOException {
        long eggs = 0, chicks = 0;
        for (String name : names(tree)) {
            if (name.startsWith("egg")) eggs++;
            else if (name.startsWith("chick")) chicks++;
        }
        return new Nest(tree.getFileName().toString(), eggs, chicks);
    }

    public static void main(String[] args) throws IOException {
        List<Nest> nests = new ArrayList<>();
        for (String tree : Files.readAllLines(Path.of("trees.txt")))
            nests.add(count(Path.of("rookery", tree)));

        long eggs = nests.stream().mapToLong(Nest::eggs).sum();
        long chicks = nests.stream().mapToLong(Nest::chicks).sum();
        Nest best = nests.stream().max(Comparator.comparingLong(Nest::chicks)
            .thenComparing(Nest::tree)).orElseThrow();

        StringBuilder out = new StringBuilder();
        for (Nest n : nests)
            out.append(String.format("%-8s %2d %2d%n", n.tree(), n.eggs(), n.chicks()));
        Files.writeString(Path.of("count.txt"), out);
        System.out.println(nests.size() + " trees, " + eggs + " eggs, " + chicks + " chicks");
        System.out.println("most chicks: " + best.tree());
    }
}
