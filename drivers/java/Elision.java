// The switch of drivers/interposer/elide_fstat.c, when that library stands
// between this process and the C library. Of JNI there is no need: the library
// listens for access(2), and answers it without a system call.

import java.io.File;

final class Elision {
    private static final File ON = new File("/fathom-elide/on");
    private static final File OFF = new File("/fathom-elide/off");

    private Elision() {}

    /** Whether the library is there: no file system has these paths. */
    static boolean isThere() {
        return set(false);
    }

    /** From now on this thread's opens for writing are not followed by an fstat, or they are again. */
    static boolean set(boolean on) {
        return (on ? ON : OFF).canRead();
    }
}
