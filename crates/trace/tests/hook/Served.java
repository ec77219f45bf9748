// Serves a file to clients of its own, which ask from many threads.
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

public class Served {
    public static void main(String[] words) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            var content = ByteBuffer.allocate(4);
            try (var file = FileChannel.open(Path.of(words[0]))) {
                file.read(content, 1);
            }
            exchange.sendResponseHeaders(200, content.position());
            exchange.getResponseBody().write(content.array());
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
        var clients = Executors.newFixedThreadPool(16);
        var asked = new ArrayList<Future<?>>();
        int port = server.getAddress().getPort();
        for (int turn = 0; turn < Integer.parseInt(words[1]); turn++) {
            asked.add(clients.submit(() -> {
                try (var answer = new URL("http://127.0.0.1:" + port + "/").openStream()) {
                    if (answer.readAllBytes().length != 4) throw new IllegalStateException("another answer");
                }
                return null;
            }));
        }
        for (var one : asked) one.get();
        clients.shutdown();
        server.stop(0);
        System.exit(0);
    }
}
