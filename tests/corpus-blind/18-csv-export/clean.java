import java.io.*;
import java.nio.charset.StandardCharsets;

/** Exports the stock list as CSV. */
class Main {
    static void field(OutputStream out, String text, char end) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.write(end);
    }

    public static void main(String[] args) throws IOException {
        int rows = 0;
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream("export.csv"))) {
            field(out, "article", ';');
            field(out, "stock", ';');
            field(out, "price", '\n');
            for (int i = 0; i < 250; i++) {
                field(out, "A-" + (10000 + i), ';');
                field(out, Integer.toString(i * 31 % 97), ';');
                field(out, i + "." + (i % 10) + "0", '\n');
                rows++;
            }
        }
        System.out.println("rows " + rows + ", size " + new File("export.csv").length());
    }
}
