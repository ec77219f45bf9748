// calls: newfstatat(*.conf) by descriptor
// patch: fstat
// The JDK asks of each file that it opens whether it is a directory; the patch takes that call away.
import java.io.FileInputStream;

class FstatAtOpen {
    public static void main(String[] words) throws Exception {
        byte[] bytes = new byte[64];
        for (int turn = 0; turn < 20000; turn++) {
            try (FileInputStream file = new FileInputStream("app.conf")) {
                if (file.read(bytes) <= 0) System.exit(1);
            }
        }
    }
}
