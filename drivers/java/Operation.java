// The words for operations. What they mean stands in PROTOCOL.md.

enum Operation {
    NULL("null"),
    OPEN_CLOSE("open-close"),
    OPEN_WRITE_CLOSE("open-write-close"),
    OPEN_READ_CLOSE("open-read-close"),
    READ_WHOLE("read-whole"),
    READ_BLOCK("read-block"),
    LINES("lines"),
    SEARCH("search"),
    HASH("hash");

    final String word;

    Operation(String word) {
        this.word = word;
    }

    static Operation of(String word) throws UsageException {
        for (Operation operation : values()) {
            if (operation.word.equals(word)) {
                return operation;
            }
        }
        throw new UsageException("unknown operation \"" + word + "\"");
    }
}
