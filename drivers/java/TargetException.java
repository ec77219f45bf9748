// A failure on another file than that of the next operation.

import java.io.IOException;

final class TargetException extends IOException {
    private static final long serialVersionUID = 1;

    final transient Target target;

    TargetException(Target target, IOException cause) {
        super(cause);
        this.target = target;
    }
}
