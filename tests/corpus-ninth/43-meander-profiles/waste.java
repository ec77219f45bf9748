import java.io.*;
import java.util.*;

class Main {
    static final int MAGIC = 0x52495631;

    record Profile(String name, int points, float deepest, float width) {}

    static Profile read(File file) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file, "rw")) {
            byte[] all = new byte[(int) in.length()];
            in.readFully(all);
            DataInputStream data = new DataInputStream(new ByteArrayInputStream(all));
            if (data.readInt() != MAGIC)
                throw new IOException(file + ": not a profile");
            int points = data.readInt();
            float deepest = 0, last = 0;
            for (int i = 0; i < points; i++) {
                last = data.readFloat();
                deepest = Math.max(deepest, data.readFloat());
            }
            return new Profile(file.getName(), points, deepest, last);
        }
    }

    public static void main(String[] args) throws IOException {
        String[] names = new File("profiles").list();
        Arrays.sort(names);
        List<Profile> profiles = new ArrayList<>();
        for (String name : names)
            profiles.add(read(new File("profiles", name)));
        Profile deepest = Collections.max(profiles, Comparator.comparing(Profile::deepest).thenComparing(Profile::name));
        int points = profiles.stream().mapToInt(Profile::points).sum();
        System.out.printf(Locale.ROOT, "%d profiles, %d points%n", profiles.size(), points);
        System.out.printf(Locale.ROOT, "deepest: %s, %.2f m%n", deepest.name(), deepest.deepest());
    }
}
