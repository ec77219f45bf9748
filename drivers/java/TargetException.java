// A failure on another file than that of the next operation.

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;

final class TargetException extends IOException {
    private static final long serialVersionUID = 1;

    final transient Target target;
    /** What failed; null where the cause tells. */
    final String call;

    TargetException(Target target, IOException cause) {
        this(target, cause, null);
    }

    TargetException(Target target, IOException cause, String call) {
        super(cause);
        this.target = target;
        this.call = call;
    }

    /** A failure to open a file or to write to it. */
    static TargetException writing(Target target, IOException cause) {
        boolean opening = cause instanceof FileNotFoundException || cause instanceof FileSystemException;
        return new TargetException(target, cause, opening ? "open" : "write");
    }
}
