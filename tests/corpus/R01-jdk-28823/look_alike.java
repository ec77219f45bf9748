// Adding to a file: where it ends is worth knowing.
import java.io.FileOutputStream;
import java.io.IOException;

public class Writer {
    public static void main(String[] words) throws IOException {
        byte[] text = "some words\n".repeat(100).getBytes();
        for (int number = 0; number < 20; number++) {
            try (FileOutputStream file = new FileOutputStream("log", true)) {
                file.write(text);
            }
        }
        System.out.println("files 20");
    }
}
