// This machine, file system or runtime cannot perform a method.

final class UnsupportedException extends Exception {
    private static final long serialVersionUID = 1;

    UnsupportedException(String message) {
        super(message);
    }
}
