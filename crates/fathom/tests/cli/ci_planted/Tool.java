import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import static java.nio.file.StandardOpenOption.*;

class Tool {
    static void copy(String name) throws IOException {
        try (FileChannel file = FileChannel.open(Path.of(name), READ)) {
            file.read(ByteBuffer.allocateDirect(64));
        }
    }

    static void look(String name) throws IOException {
        // before
        Files.readAttributes(Path.of(name), BasicFileAttributes.class);
        copy(name);
        // each file
    }

    static void keep() throws IOException {
        try (FileChannel out = FileChannel.open(Path.of("out"), WRITE, CREATE, TRUNCATE_EXISTING)) {
            out.write(ByteBuffer.wrap(new byte[1]));
            // out
        }
    }

    public static void main(String[] words) throws Exception {
        for (int number = 1; number <= 4; number++) {
            look("data/" + number + ".txt");
        }
        keep();
        copy("moved.dat");
    }
}
