import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Payroll of a month as CSV for the bank. */
class Main {
    private final OutputStream out;

    Main(OutputStream out) {
        this.out = out;
    }

    void field(String s) throws IOException {
        out.write(s.getBytes(StandardCharsets.UTF_8));
        out.write(';');
    }

    void endRow() throws IOException {
        out.write('\n');
    }

    public static void main(String[] args) throws IOException {
        long cents = 0;
        try (OutputStream file = new FileOutputStream("payroll.csv")) {
            Main m = new Main(file);
            for (int i = 1; i <= 220; i++) {
                long pay = 200000 + i * 7919L % 150000;
                m.field("DE" + (1000000 + i));
                m.field("employee " + i);
                m.field(pay / 100 + "," + String.format("%02d", pay % 100));
                m.endRow();
                cents += pay;
            }
        }
        System.out.println("220 rows, " + cents + " cents, " + Files.size(Path.of("payroll.csv")) + " bytes");
    }
}
