// calls: newfstatat(*.conf) by descriptor
// patch: fstat
// The same of a file that is opened for writing, without anything being written.
import java.io.RandomAccessFile;

class FstatAtWriting {
    public static void main(String[] words) throws Exception {
        for (int turn = 0; turn < 20000; turn++) {
            try (RandomAccessFile file = new RandomAccessFile("app.conf", "rw")) {
                if (turn < 0) file.write(0);
            }
        }
    }
}
