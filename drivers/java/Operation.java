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
    HASH("hash"),
    OPEN_MISSING("open-missing"),
    CREATE("create"),
    WRITE_BLOCK("write-block"),
    COPY("copy"),
    TEMPLATE("template"),
    RELOAD("reload");

    final String word;

    Operation(String word) {
        this.word = word;
    }

    boolean writes() {
        return this == CREATE || this == WRITE_BLOCK || this == COPY;
    }

    boolean hasOffsets() {
        return this == READ_BLOCK || this == WRITE_BLOCK;
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
