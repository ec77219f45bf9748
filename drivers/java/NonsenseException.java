// A line of the conversation makes no sense.

final class NonsenseException extends Exception {
    private static final long serialVersionUID = 1;
}
