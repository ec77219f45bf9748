import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Summary of a capture: packets and bytes of each protocol. */
class Main {
    public static void main(String[] args) throws IOException {
        int tcp = 0, udp = 0, first = 0, last = 0;
        long bytes = 0;
        try (InputStream file = new FileInputStream("lan.cap");
                DataInputStream in = new DataInputStream(file)) {
            while (true) {
                int second;
                try {
                    second = in.readInt();
                } catch (EOFException e) {
                    break;
                }
                int length = in.readUnsignedShort();
                int protocol = in.readUnsignedByte();
                in.readUnsignedByte();
                in.skipBytes(length);
                if (protocol == 6) {
                    tcp++;
                } else {
                    udp++;
                }
                bytes += length;
                first = first == 0 ? second : first;
                last = second;
            }
        }
        System.out.printf("%d tcp, %d udp, %d bytes in %d s%n", tcp, udp, bytes, last - first);
    }
}
