import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

class Volumes {
    // opened once, kept for the life of the server
    private final Map<Integer, FileChannel> open = new ConcurrentHashMap<>();

    private FileChannel volume(int n) {
        return open.computeIfAbsent(n, k -> {
            try {
                return FileChannel.open(Path.of("vol", "v" + k), StandardOpenOption.READ);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    int read(int vol, int off) throws IOException {
        ByteBuffer b = ByteBuffer.allocate(8);
        volume(vol).read(b, off);
        return Integer.parseInt(new String(b.array(), "US-ASCII"));
    }

    int count() { return open.size(); }
}

class Main {
    public static void main(String[] args) throws Exception {
        Volumes v = new Volumes();
        Random rnd = new Random(5);
        long sum = 0;
        for (int i = 0; i < 300; i++)
            sum += v.read(rnd.nextInt(30), 4088);
        System.out.println(v.count() + " volumes open, sum " + sum);
    }
}
