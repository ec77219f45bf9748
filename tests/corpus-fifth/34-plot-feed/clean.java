import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Prepares the two curves of the river gauge for the plotting program, which wants files, and sums them. */
class Main {
    private static File column(List<String> rows, int col, String label) throws IOException {
        File data = Files.createTempFile("gauge-" + label + "-", ".dat").toFile();
        try (BufferedWriter out = Files.newBufferedWriter(data.toPath(), StandardOpenOption.WRITE)) {
            for (String row : rows) {
                String[] f = row.split(",");
                out.write(f[0] + "\t" + f[col]);
                out.newLine();
            }
        }
        return data;
    }

    /** Stands for the plotter: reads "x TAB y" lines. */
    private static String plot(File data, String label) throws IOException {
        int n = 0;
        int max = 0;
        long sum = 0;
        try (BufferedReader in = new BufferedReader(new FileReader(data))) {
            for (String line; (line = in.readLine()) != null; n++) {
                int y = Integer.parseInt(line.substring(line.indexOf('\t') + 1));
                max = Math.max(max, y);
                sum += y;
            }
        }
        return String.format("%s: %d points, highest %d, mean %.2f", label, n, max, (double) sum / n);
    }

    public static void main(String[] args) throws IOException {
        List<String> rows = new ArrayList<>(Files.readAllLines(Path.of("gauge.csv")));
        String[] labels = {"level", "flow"};
        for (int i = 0; i < labels.length; i++) {
            File data = column(rows, i + 1, labels[i]);
            System.out.println(plot(data, labels[i]));
            if (!data.delete()) {
                System.err.println(data + " left behind");
            }
        }
    }
}
