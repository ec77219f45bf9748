import java.io.*;
import java.nio.file.*;
import java.util.List;

/** Saves the address book as vCards. */
class Main {
    static void card(PrintWriter out, String name, String phone) {
        out.println("BEGIN:VCARD");
        out.println("VERSION:3.0");
        out.println("FN:" + name);
        out.println("TEL:" + phone);
        out.println("END:VCARD");
    }

    public static void main(String[] args) throws IOException {
        List<String> contacts = Files.readAllLines(Path.of("contacts.csv"));
        try (PrintWriter out = new PrintWriter(new BufferedWriter(new FileWriter("backup/contacts.vcf")))) {
            for (String line : contacts) {
                String[] fields = line.split(",");
                card(out, fields[0], fields[1]);
            }
        }
        System.out.println("contacts " + contacts.size());
    }
}
