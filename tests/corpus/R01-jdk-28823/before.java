// The stream opens with open(2), and then asks with fstat whether it got a directory.
import java.io.FileOutputStream;
import java.io.IOException;

public class Writer {
    public static void main(String[] words) throws IOException {
        byte[] text = "some words\n".repeat(100).getBytes();
        for (int number = 0; number < 20; number++) {
            try (FileOutputStream file = new FileOutputStream("out" + number)) {
                file.write(text);
            }
        }
        System.out.println("files 20");
    }
}
