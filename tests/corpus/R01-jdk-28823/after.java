// The channel just opens: a directory is refused with EISDIR anyway.
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

public class Writer {
    public static void main(String[] words) throws IOException {
        byte[] text = "some words\n".repeat(100).getBytes();
        for (int number = 0; number < 20; number++) {
            try (FileChannel file = FileChannel.open(Path.of("out" + number), CREATE, TRUNCATE_EXISTING, WRITE)) {
                file.write(ByteBuffer.wrap(text));
            }
        }
        System.out.println("files 20");
    }
}
