import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Makes three new files and moves each into a place where nothing is: nothing old can be lost. */
class Exports {
    public static void main(String[] words) throws IOException {
        for (int export = 0; export < 3; export++) {
            Path half = Path.of("export-" + export + ".part");
            Files.writeString(half, "exported\n");
            Files.move(half, Path.of("export-" + export), StandardCopyOption.ATOMIC_MOVE);
        }
        System.out.println("exported 3");
    }
}
