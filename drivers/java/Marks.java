// Marks: two failing calls by which a tracer sees the clock's region.

import java.io.File;

final class Marks {
    private static final File BEGIN = new File("/fathom-mark/begin");
    private static final File END = new File("/fathom-mark/end");

    private final boolean wanted;

    Marks(boolean wanted) {
        this.wanted = wanted;
    }

    void begin() {
        if (wanted) {
            BEGIN.exists();
        }
    }

    void end() {
        if (wanted) {
            END.exists();
        }
    }
}
